package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Recognises windows in which everything stood still: a long pause of the collector, a debugger, a suspended machine, a
 * stopped process. Confined to the monitor's thread.
 *
 * <p>What pools did in such a window says nothing about them. Three signs count: the monitor's own lateness, as in
 * HikariCP's housekeeper; the collectors' own figures; and a wall clock that went further than the monotonic clock,
 * which stops while a machine sleeps.
 *
 * <p>A thread that is late because many others want the CPU is not disturbed. So lateness does not count when this
 * process used more CPU than it could have done in the rest of the time. Otherwise lateness counts from half a window
 * on, and from {@link #LATE}: kernels let a thread that has slept for a second wait for some tens of milliseconds only.
 */
public final class Disturbances {

    private static final Duration LATE = Duration.ofMillis(250);
    private static final double LATE_SHARE = 0.5;

    /** From this share of a window on, collecting dominates. A busy but healthy program spends under a tenth. */
    private static final double GC_SHARE = 0.2;

    /** 1 s: the two clocks are read one after the other, and the wall clock is adjusted by up to 0.05 %. */
    private static final Duration LEAP = Duration.ofSeconds(1);

    /** In seconds. CPU times come in ticks of 10 ms, user and system separately. */
    private static final double TICKS = 0.02;

    private static final int REMEMBERED = 64;

    private final Deque<Pause> pauses = new ArrayDeque<>(); // latest first
    private @Nullable Instant lastNow;
    private long lastNanos;

    /** The first window begins. */
    public void begin(long nanos, Instant now) {
        lastNow = now;
        lastNanos = nanos;
    }

    /**
     * {@return whether a window that ends now must not be judged}
     *
     * @param process what happened to the process in it
     * @param window how long the window was meant to be
     */
    public boolean isDisturbed(long nanos, Instant now, ProcessWindow process, Duration window) {
        Duration gc = process.gcTime().orElse(Duration.ZERO); // lateness shows pauses too
        Duration late = excused(nanos, process).late();
        boolean leapt = lastNow != null
                && Duration.between(lastNow, now)
                                .minusNanos(nanos - lastNanos)
                                .abs()
                                .compareTo(LEAP)
                        > 0;
        lastNow = now;
        lastNanos = nanos;
        Duration tolerated = max(LATE, Duration.ofNanos((long) (window.toNanos() * LATE_SHARE)));
        Duration stood = max(late, gc);
        if (stood.compareTo(LATE) >= 0) {
            if (pauses.size() == REMEMBERED) {
                pauses.removeLast();
            }
            pauses.addFirst(new Pause(nanos - stood.toNanos(), nanos));
        }
        return leapt || late.compareTo(tolerated) >= 0 || gc.toNanos() >= window.toNanos() * GC_SHARE;
    }

    /** What happened to the process in a window that ends now, without the lateness if other threads ran meanwhile. */
    public ProcessWindow excused(long nanos, ProcessWindow process) {
        return hasRunAllTheTime(process, nanos) ? process.onTime() : process;
    }

    /**
     * Whether the process used more CPU than all its cores could have given it in the time for which the monitor was
     * not late.
     */
    private boolean hasRunAllTheTime(ProcessWindow process, long nanos) {
        if (lastNow == null || process.cpu().isEmpty()) {
            return false;
        }
        double seconds = (nanos - lastNanos) / 1e9;
        double rest = Math.max(0, seconds - process.late().toNanos() / 1e9);
        return process.cpu().getAsDouble() * seconds > process.cores() * (rest + TICKS);
    }

    /** For how much of the time between {@code from} and now everything stood still. */
    public Duration stoodStill(long from, long now) {
        long sum = 0;
        for (Pause pause : pauses) {
            sum += Math.max(0, Math.min(now, pause.end) - Math.max(from, pause.begin));
        }
        return Duration.ofNanos(Math.min(sum, Math.max(0, now - from)));
    }

    private static Duration max(Duration a, Duration b) {
        return a.compareTo(b) >= 0 ? a : b;
    }

    /** In nanoseconds of the monotonic clock. */
    private record Pause(long begin, long end) {}
}
