package io.lifeguard.pool.diagnosis.system;

import io.lifeguard.pool.os.ProcFile;
import io.lifeguard.pool.os.Unknown;

/**
 * The state of a thread as Linux sees it. Java calls a thread {@code RUNNABLE} while it runs, waits for a CPU, or waits
 * for the network inside a native method. Linux tells these apart. On other systems the state is unknown.
 */
public enum OsState {
    /** On a CPU, or ready to be. */
    RUNNING,
    /** Sleeping until an event, or waiting for a disk. */
    WAITING,
    /** Not known: the system is not Linux, the thread has no number, or the thread has ended. */
    UNKNOWN;

    /**
     * The state of a thread of this process: the letter after the parenthesised name in {@code stat}, see proc(5).
     *
     * @param nativeId the system's number of the thread, or {@link Unknown#NUMBER}
     */
    public static OsState of(long nativeId) {
        String text = nativeId == Unknown.NUMBER ? null : ProcFile.read("/proc/self/task/" + nativeId + "/stat");
        int at = text == null ? 0 : text.lastIndexOf(')') + 2;
        return text == null || at >= text.length() ? UNKNOWN : ofLetter(text.charAt(at)); // not Linux, or it has ended
    }

    static OsState ofLetter(char letter) {
        return switch (letter) {
            case 'R' -> RUNNING;
            case 'S', 'D', 'I' -> WAITING;
            default -> UNKNOWN; // stopped, traced, or dying
        };
    }
}
