package io.lifeguard.pool.diagnosis.seen;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.text.Counted;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A finding that the triage has logged before there was a monitor. The global monitor takes it over as one that is
 * raised already. Immutable; the list of such findings of this JVM is guarded by the class. Holds the pool weakly.
 */
public final class SaidFinding {

    /* No static initialiser and no lambda, for the reasons that the triage gives. */

    /** What to do about tasks that sleep, as the finding says it. */
    public static final String DO_NOT_SLEEP = "Do not sleep in a task: schedule the rest of it, so that the worker is"
            + " free meanwhile. Where the sleep keeps a rate, more workers do not help.";

    /** The finding that only says where the workers of a full pool are. */
    public static final String LEAST = "pool-full";

    /** What to do where no more is known, as that finding says it. */
    public static final String LOOK_THERE = "Look at what most of them do, because that sets the pace. More workers"
            + " help only if the CPUs, and what the workers wait for, can carry more.";

    private static final int MOST_LINES = 16; // of a stack in a finding

    private static @Nullable List<SaidFinding> said; // until the monitor is made; null for none
    private static boolean isTakenOver; // from false to true

    private final WeakReference<InstrumentedPool> pool;
    private final String name;
    private final String id;
    private final Bottleneck under;
    private final String summary;
    private final String advice;
    private final Map<String, Object> evidence;
    private final long seenNanos = System.nanoTime();

    /**
     * Makes a finding that is not said yet.
     *
     * @param under what limits the pool
     * @param summary as the rule has it, without a gain
     * @param evidence under the names that the rule uses
     */
    public SaidFinding(
            InstrumentedPool pool,
            String name,
            String id,
            Bottleneck under,
            String summary,
            String advice,
            Map<String, Object> evidence) {
        this.pool = new WeakReference<>(pool);
        this.name = name;
        this.id = id;
        this.under = under;
        this.summary = summary;
        this.advice = advice;
        this.evidence = evidence;
    }

    /** {@return the topmost frames, as findings have them} */
    public static List<String> lines(List<StackTraceElement> frames) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < Math.min(MOST_LINES, frames.size()); i++) {
            lines.add(frames.get(i).toString());
        }
        return lines;
    }

    /** {@return the clause about tasks that wait, with the number of submitters that wait for room} */
    public static String waiting(String tasks, int blocked) {
        return tasks + (blocked == 0 ? "" : ", and " + Counted.of(blocked, "submitter waits", "submitters wait"));
    }

    /** Keeps it until the monitor takes it over. {@return false if the monitor has taken over before} */
    public static synchronized boolean leave(SaidFinding one) {
        if (!isTakenOver) {
            List<SaidFinding> all = said == null ? new ArrayList<>() : said;
            all.add(one);
            said = all;
        }
        return !isTakenOver;
    }

    /** {@return what was said so far} From now on the monitor says everything itself. */
    public static synchronized List<SaidFinding> takeOver() {
        isTakenOver = true;
        return said == null ? List.of() : said;
    }

    /** The monitor that has taken over is made. Until then another attempt gets the same. */
    public static synchronized void forget() {
        said = null;
    }

    /** The start of the monitor was put off, and with it what users may have switched off: it says all itself. */
    public static synchronized void leaveToMonitor() {
        isTakenOver = true;
    }

    /** {@return whether the monitor says everything itself} */
    public static synchronized boolean isTakenOver() {
        return isTakenOver;
    }

    /**
     * {@return whether it is about this executor}
     *
     * @param executor null for one that is gone
     */
    public boolean isOf(@Nullable Object executor) {
        return executor instanceof InstrumentedPool instrumented && pool.refersTo(instrumented);
    }

    /** {@return the pool's name} */
    public String pool() {
        return name;
    }

    /** {@return the finding's id} */
    public String id() {
        return id;
    }

    /** {@return whether it says why the pool is full, and so is a warning} */
    public boolean saysWhy() {
        return !id.equals(LEAST);
    }

    /** {@return what limits the pool} */
    public Bottleneck under() {
        return under;
    }

    /** {@return when it was seen, by {@link System#nanoTime}} */
    public long seenNanos() {
        return seenNanos;
    }

    /** {@return what was seen, without a full stop} */
    public String summary() {
        return summary;
    }

    /** {@return what to do} */
    public String advice() {
        return advice;
    }

    /** {@return what was seen, under the names that the finding has} */
    public Map<String, Object> evidence() {
        return evidence;
    }
}
