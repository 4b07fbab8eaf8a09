package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.window.Doing;
import java.lang.management.ThreadInfo;
import java.util.List;

/**
 * One look at one worker. Used only within its round, since it holds the thread.
 *
 * @param worker the worker
 * @param info its thread as the JVM sees it
 * @param stack its stack, top first
 * @param doing what it does
 * @param place the first frame that is the user's own
 */
record WorkerLook(WorkerState worker, ThreadInfo info, List<StackTraceElement> stack, Doing doing, String place) {}
