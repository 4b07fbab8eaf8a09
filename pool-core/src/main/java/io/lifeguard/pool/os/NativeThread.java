package io.lifeguard.pool.os;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A thread as Linux knows it: an independent witness of what it has burnt, too slow for a hot path. Immutable,
 * thread-safe; on other systems it knows nothing and says so.
 *
 * <p>Reads {@code /proc/self/task/<id>}, see proc(5): {@code schedstat} in nanoseconds, else {@code stat} in ticks.
 */
public final class NativeThread {

    /** The answer where the system has none. */
    public static final long UNKNOWN = -1;

    private static final Path CURRENT = Path.of("/proc/thread-self");
    private static final Path TASKS = Path.of("/proc/self/task");
    private static final long TICK_NANOS = 10_000_000; // USER_HZ is 100 on every architecture Java runs on
    private static final int USER_TICKS = 11; // fields after the parenthesised name, counted from 0
    private static final int SYSTEM_TICKS = 12;

    private final long id;

    private NativeThread(long id) {
        this.id = id;
    }

    /** The calling thread; for a virtual thread, the carrier it happens to run on. */
    public static NativeThread current() {
        try {
            return new NativeThread(
                    Long.parseLong(Files.readSymbolicLink(CURRENT).getFileName().toString()));
        } catch (IOException | RuntimeException notLinux) {
            return new NativeThread(UNKNOWN);
        }
    }

    /** The system's number of the thread, or {@link #UNKNOWN}. */
    public long id() {
        return id;
    }

    /** CPU time since the thread began, user and system, in nanoseconds; {@link #UNKNOWN} also after it has ended. */
    public long cpuNanos() {
        if (id == UNKNOWN) {
            return UNKNOWN;
        }
        long exact = schedstatNanos();
        return exact != UNKNOWN ? exact : statNanos();
    }

    private long schedstatNanos() {
        try {
            String text = Files.readString(file("schedstat"));
            return Long.parseLong(text.substring(0, text.indexOf(' ')));
        } catch (IOException | RuntimeException noSchedulerStatistics) {
            return UNKNOWN;
        }
    }

    private long statNanos() {
        try {
            String text = Files.readString(file("stat"));
            String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
            return (Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[SYSTEM_TICKS])) * TICK_NANOS;
        } catch (IOException | RuntimeException notLinux) {
            return UNKNOWN;
        }
    }

    private Path file(String name) {
        return TASKS.resolve(Long.toString(id)).resolve(name);
    }
}
