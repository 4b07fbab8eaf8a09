package io.lifeguard.pool.os;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

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

    /** {@code Thread.isVirtual()}, where the JDK has it: since 21. */
    private static final @Nullable MethodHandle IS_VIRTUAL = findIsVirtual();

    private final long id;

    private NativeThread(long id) {
        this.id = id;
    }

    /** The calling thread; a virtual one has no number of its own, and is unknown. */
    public static NativeThread current() {
        if (isVirtual(Thread.currentThread())) {
            return new NativeThread(UNKNOWN);
        }
        try {
            return new NativeThread(
                    Long.parseLong(Files.readSymbolicLink(CURRENT).getFileName().toString()));
        } catch (IOException | RuntimeException notLinux) {
            return new NativeThread(UNKNOWN);
        }
    }

    /** A thread by the system's number. */
    public static NativeThread of(long id) {
        return new NativeThread(id);
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

    private static @Nullable MethodHandle findIsVirtual() {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (ReflectiveOperationException before21) {
            return null;
        }
    }

    private static boolean isVirtual(Thread thread) {
        try {
            return IS_VIRTUAL != null && (boolean) IS_VIRTUAL.invokeExact(thread);
        } catch (Throwable impossible) {
            throw new IllegalStateException("Thread.isVirtual() failed", impossible);
        }
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
