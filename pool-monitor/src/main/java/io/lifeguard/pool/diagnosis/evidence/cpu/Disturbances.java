package io.lifeguard.pool.diagnosis.evidence.cpu;

import io.lifeguard.pool.diagnosis.system.ThreadReader;
import io.lifeguard.pool.diagnosis.system.ThreadReading;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.os.NativeThread;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Recognises windows in which everything stood still: a long pause of the collector, a debugger, a suspended machine, a
 * stopped process. Confined to the monitor's thread.
 *
 * <p>What pools did in such a window says nothing about them. Three signs count: the monitor's own lateness, as in
 * HikariCP's housekeeper; the collectors' own figures; and a wall clock that went further than the monotonic clock,
 * which stops while a machine sleeps.
 *
 * <p>A thread that is late because many others want the CPU is not disturbed. Where the system tells for how long the
 * monitor's thread was ready and had no CPU, that part of its lateness does not count: a thread that is stopped, or
 * waits for the end of a pause, is not ready. Nor does lateness count when this process used more CPU than it could
 * have done in the rest of the time. Otherwise lateness counts from half a window on, and from {@link #LATE}.
 */
public final class Disturbances {

    private static final long UNKNOWN = -1; // negative, as of a thread whose times the system does not tell

    /** A judgement: a shorter pause changes the figures of a usual window of 1 s by less than a quarter. */
    private static final Duration LATE = Duration.ofMillis(250);

    /** Share of a window. Of longer windows a pause of 250 ms is a small part; half of one is not. */
    private static final double LATE_SHARE = 0.5;

    /** From this share of a window on, collecting dominates. A busy but healthy program spends under a tenth. */
    private static final double GC_SHARE = 0.2;

    /** 1 s: the two clocks are read one after the other, and the wall clock is adjusted by up to 0.05 %. */
    private static final Duration LEAP = Duration.ofSeconds(1);

    /** In seconds. CPU times come in ticks of 10 ms, user and system separately. */
    private static final double TICKS = 0.02;

    /** Pauses: they are asked for by findings of the latest minute, in which there are rarely more. */
    private static final int REMEMBERED = 64;

    private final LongSupplier queuedNanos;
    private final Deque<Pause> pauses = new ArrayDeque<>(); // latest first
    private @Nullable Instant lastNow;
    private long lastNanos;
    private long lastQueued = UNKNOWN;
    private Duration queued = Duration.ZERO; // in the window that was excused last

    /** Lateness is judged by the process's CPU time alone. */
    public Disturbances() {
        this(() -> UNKNOWN);
    }

    /**
     * Judges lateness by what the system says of the calling thread, too.
     *
     * @param queuedNanos for how long that thread was ready and had no CPU, since its start; negative when it is not
     *     known
     */
    public Disturbances(LongSupplier queuedNanos) {
        this.queuedNanos = queuedNanos;
    }

    /** Judges lateness by the calling thread's own times, too. */
    public static Disturbances of(ThreadReader threads) {
        return new Disturbances(new LongSupplier() {
            @Override
            public long getAsLong() {
                ThreadReading own = threads.read(NativeThread.currentId());
                return own == null ? UNKNOWN : own.runQueueNanos();
            }
        });
    }

    public void begin(long nanos, Instant now) {
        lastNow = now;
        lastNanos = nanos;
        lastQueued = queuedNanos.getAsLong();
    }

    /**
     * {@return whether a window that ends now must not be judged}
     *
     * @param process what happened to the process in it, {@linkplain #excused excused}
     */
    public boolean isDisturbed(long nanos, Instant now, ProcessWindow process, Duration window) {
        Duration gc = process.gcTime().orElse(Duration.ZERO); // lateness shows pauses too
        Duration late = max(Duration.ZERO, process.late().minus(queued));
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

    /**
     * {@return what happened to the process in a window that ends now, without the lateness if other threads ran
     * meanwhile} Called once per window, before {@link #isDisturbed}.
     */
    public ProcessWindow excused(long nanos, ProcessWindow process) {
        long queued = queuedNanos.getAsLong();
        boolean isKnown = queued >= 0 && lastQueued >= 0;
        long wanted = isKnown ? queued - lastQueued : 0; // a CPU, and got none
        lastQueued = queued;
        this.queued = Duration.ofNanos(Math.max(0, wanted));
        long late = process.late().toNanos();
        boolean isExplained = late >= LATE.toNanos() && late - wanted < LATE.toNanos();
        return (isKnown && isExplained) || hasRunAllTheTime(process, nanos) ? process.onTime() : process;
    }

    /** {@return how long the calling thread queued for a CPU in the window that was excused last; zero if unknown} */
    public Duration queued() {
        return queued;
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
