package io.lifeguard.pool.os;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The state of a thread as Linux sees it at this moment. Java calls a thread {@code RUNNABLE} that runs, wants to run,
 * or waits for the network inside a native method. Elsewhere it is unknown.
 */
public enum OsState {
    /** On a CPU, or ready to be. */
    RUNNING,
    /** Sleeps until something happens, or waits for a disk. */
    WAITING,
    /** Not known: no Linux, no number, the thread has ended. */
    UNKNOWN;

    /**
     * The state of a thread of this process, see proc(5): the letter after the parenthesised name in {@code stat}.
     *
     * @param nativeId the system's number of the thread, {@link NativeThread#UNKNOWN} when it is not known
     */
    public static OsState of(long nativeId) {
        if (nativeId == NativeThread.UNKNOWN) {
            return UNKNOWN;
        }
        try {
            String text = Files.readString(Path.of("/proc/self/task", Long.toString(nativeId), "stat"));
            return ofLetter(text.charAt(text.lastIndexOf(')') + 2));
        } catch (IOException | RuntimeException ignored) { // not Linux, or the thread has ended
            return UNKNOWN;
        }
    }

    static OsState ofLetter(char letter) {
        return switch (letter) {
            case 'R' -> RUNNING;
            case 'S', 'D', 'I' -> WAITING;
            default -> UNKNOWN; // stopped, traced, or dying: says nothing about the task
        };
    }
}
