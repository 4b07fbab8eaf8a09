package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.Pools;
import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.os.JvmThreads;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/**
 * Finds the event loops of this process, and looks at what they do. Confined to the monitor's thread, but for
 * {@link #watches}.
 *
 * <p>An event loop is a thread below the {@code run} of one of Netty's event loops (Vert.x's are these), or one that
 * Reactor marks as non-blocking. New threads are looked for in each window in which the JVM has started any, and each
 * is looked at twice at most, some in each window. Loops are looked at once per window, and several times where one was
 * seen to be held up: 20 to 60 µs each.
 */
public final class EventLoops {

    private static final int MOST_NEW = 16;
    private static final int MOST_WATCHED = 128;
    private static final int LOOKS_AT_NEW = 2; // a thread that has just been started may not have come to its loop
    private static final String REACTOR = "reactor.core.scheduler.NonBlocking";

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Map<Thread, Integer> looked = new WeakHashMap<>();
    private final CopyOnWriteArrayList<EventLoopWatch> watches = new CopyOnWriteArrayList<>();
    private long started; // threads, when all that there were had been looked at

    /** Any thread. */
    public List<EventLoopWatch> watches() {
        return watches;
    }

    /** Whether it is worth to look more often. */
    public boolean isSuspected() {
        return watches.stream().anyMatch(EventLoopWatch::isSuspect);
    }

    /** Looks at all loops. */
    public void look() {
        if (watches.isEmpty()) {
            return;
        }
        long[] ids = watches.stream().mapToLong(EventLoopWatch::id).toArray();
        ThreadInfo[] infos = threads.getThreadInfo(ids, StackSampler.DEPTH);
        for (int i = 0; i < ids.length; i++) {
            watches.get(i).look(infos[i]); // only this thread adds and removes
        }
    }

    /** Looks for new loops, and at all of them once more, before their windows end. */
    public void round() {
        search();
        look();
    }

    /** Removes and returns those that are no more. */
    public List<EventLoopWatch> removeDead() {
        List<EventLoopWatch> dead =
                watches.stream().filter(watch -> !watch.isAlive()).toList();
        watches.removeAll(dead);
        return dead;
    }

    private void search() {
        long startedNow = threads.getTotalStartedThreadCount();
        if (startedNow == started || watches.size() >= MOST_WATCHED) {
            return;
        }
        int looks = 0;
        boolean again = false;
        Set<Thread> workers = workers();
        for (Thread thread : JvmThreads.all()) {
            int times = looked.getOrDefault(thread, 0);
            if (times >= LOOKS_AT_NEW || workers.contains(thread)) {
                continue;
            }
            if (looks++ == MOST_NEW) {
                again = true;
                break;
            }
            if (isEventLoop(thread)) {
                watches.add(new EventLoopWatch(thread));
                looked.put(thread, LOOKS_AT_NEW);
            } else {
                looked.put(thread, times + 1);
                again |= times + 1 < LOOKS_AT_NEW;
            }
        }
        if (!again) {
            started = startedNow;
        }
    }

    /** Workers of ours, often many, are no event loops, and a look at each would stop the world for nothing. */
    private static Set<Thread> workers() {
        return Pools.live().stream()
                .flatMap(pool -> pool.workers().stream())
                .map(WorkerState::thread)
                .collect(Collectors.toSet());
    }

    private static boolean isEventLoop(Thread thread) {
        for (Class<?> type = thread.getClass(); type != null && type != Thread.class; type = type.getSuperclass()) {
            for (Class<?> face : type.getInterfaces()) {
                if (face.getName().endsWith(REACTOR)) {
                    return true;
                }
            }
        }
        return Arrays.stream(thread.getStackTrace()).anyMatch(EventLoopWatch::isNettysLoop);
    }
}
