package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.attention.Attention;
import io.lifeguard.pool.diagnosis.attention.Blindness;
import io.lifeguard.pool.diagnosis.bottleneck.Standstill;
import io.lifeguard.pool.diagnosis.evidence.AwaitedTasks;
import io.lifeguard.pool.diagnosis.evidence.PoolEvidence;
import io.lifeguard.pool.diagnosis.evidence.cpu.WorkerTimes;
import io.lifeguard.pool.diagnosis.outside.PoolSource;
import io.lifeguard.pool.diagnosis.seen.Peer;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.WorkerWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/**
 * One watched pool with its windows and findings; holds the pool weakly. Confined to the monitor's thread, except
 * {@link #windows}, {@link #isOf}, {@link #name} and the ledger's raised findings.
 */
final class PoolWatch {

    /** A finding comes at most two windows later for want of a CPU. */
    private static final int MOST_MISSED = 2;

    /** Less than any standstill lasts before it is told. */
    private static final int STANDS_SECONDS = 2;

    private final PoolSource source;
    private final String name;
    private final AwaitedTasks.Candidate candidate;
    private final WorkerTimes times;
    private final PoolEvidence evidence;
    private final PoolDiagnosis diagnosis;
    private final long bornNanos; // by the monitor's clock; since when the pool is known to exist
    private final Attention attention = new Attention();
    private final Blindness blindness;

    private @Nullable PoolSnapshot last;
    private List<WorkerWindow> lastWorkers = List.of();
    private double stoodSeconds; // for which nothing has been completed while tasks queued
    private int missed; // windows in a row that a starved monitor did not judge
    private Set<Evidence> wanted = EnumSet.noneOf(Evidence.class);

    /**
     * Makes a watch that has seen nothing.
     *
     * @param bornNanos since when the pool is known to exist, by the monitor's clock. A monitor that is short of CPU
     *     begins to watch it seconds later
     */
    PoolWatch(
            PoolSource source,
            String name,
            WorkerTimes times,
            PoolEvidence evidence,
            PoolDiagnosis diagnosis,
            long bornNanos) {
        this.bornNanos = bornNanos;
        this.diagnosis = diagnosis;
        this.source = source;
        this.name = name;
        this.candidate = new AwaitedTasks.Candidate(name, source);
        this.times = times;
        this.evidence = evidence;
        this.blindness = new Blindness(source);
    }

    PoolSource source() {
        return source;
    }

    boolean isOf(Object executor) {
        Object mine = source.executor();
        return mine != null && mine == executor;
    }

    String name() {
        return name;
    }

    AwaitedTasks.Candidate candidate() {
        return candidate;
    }

    PoolDiagnosis diagnosis() {
        return diagnosis;
    }

    FindingLedger ledger() {
        return diagnosis.ledger();
    }

    /** {@return whether the pool is known for less than such a time} Any thread. */
    boolean isYoungerThan(Duration age, long nanos) {
        return nanos - bornNanos < age.toNanos();
    }

    /** Nothing is known of the time since the latest window, so the next one begins now. */
    void beginAnew() {
        last = null;
        stoodSeconds = 0;
        attention.read(null);
    }

    /** {@return whether no snapshot has been taken yet, so that no window is open} */
    boolean isUnread() {
        return last == null;
    }

    /**
     * {@return what a pool that is watched from outside has done since it was first seen}
     *
     * <p>How much its workers have worked is estimated from the moments at which windows ended.
     */
    Peer.Use useSeen(long nanos) {
        PoolSnapshot latest = Objects.requireNonNull(last, "the pool must have been read");
        double busy = 0;
        double all = 0;
        for (PoolWindow window : windows()) {
            busy += window.seconds() * window.after().active();
            all += window.seconds() * window.after().size();
        }
        double lived = latest.size() * (nanos - bornNanos) / 1e9;
        double worked = all == 0 ? 0 : lived * busy / all;
        return new Peer.Use(
                latest.size(), latest.active(), latest.queued(), latest.submitted(), worked, lived - worked);
    }

    /** {@return the latest snapshot; null when there is none yet} */
    @Nullable
    PoolSnapshot last() {
        return last;
    }

    List<PoolWindow> windows() {
        return diagnosis.windows();
    }

    /** {@return the snapshot at the beginning of the window that ends now; null when it is the first} */
    @Nullable
    PoolSnapshot advance(PoolSnapshot now) {
        PoolSnapshot before = last;
        last = now;
        return before;
    }

    /** {@return whether tasks queued or submitters waited when the last window was closed} */
    boolean isWaitedFor() {
        PoolSnapshot latest = last;
        return latest != null && latest.queued() + latest.saturation().blockedNow() > 0;
    }

    boolean mayMiss() {
        return missed < MOST_MISSED;
    }

    void missed() {
        missed++;
    }

    void judged() {
        missed = 0;
    }

    /**
     * {@return equal workers, which are the same objects as in the window before where nothing has changed}
     *
     * <p>The history keeps them for a minute, and most workers of most pools are idle all the time.
     */
    List<WorkerWindow> workers(List<WorkerWindow> now) {
        List<WorkerWindow> before = lastWorkers;
        if (now.equals(before)) {
            return before;
        }
        List<WorkerWindow> shared = new ArrayList<>(now);
        for (int i = 0; i < Math.min(now.size(), before.size()); i++) {
            if (now.get(i).equals(before.get(i))) {
                shared.set(i, before.get(i));
            }
        }
        lastWorkers = List.copyOf(shared);
        return lastWorkers;
    }

    /**
     * {@return whether no worker was seen at work lately, and nothing waited when the latest window ended} Not known of
     * other executors than the JDK's.
     */
    boolean isCalm() {
        PoolSnapshot latest = last;
        return latest != null
                && source.executor() instanceof ThreadPoolExecutor
                && !evidence.hasWork()
                && latest.active() + latest.queued() + latest.saturation().blockedNow() == 0;
    }

    /** {@return how closely the pool is looked at} */
    Attention attention() {
        return attention;
    }

    /** {@return whether it is known which threads are its workers} */
    Blindness blindness() {
        return blindness;
    }

    List<WorkerWindow> workers() {
        return lastWorkers;
    }

    /**
     * {@return whether the pool has completed nothing for {@value #STANDS_SECONDS} s, so that it is worth a look at all
     * its workers}
     */
    boolean stands(PoolWindow alone) {
        stoodSeconds = Standstill.hasStopped(alone) ? stoodSeconds + alone.seconds() : 0;
        return stoodSeconds >= STANDS_SECONDS;
    }

    // ---- evidence ----

    boolean wantsAny() {
        return !wanted.isEmpty();
    }

    boolean wants(Evidence evidence) {
        return wanted.contains(evidence);
    }

    void wants(Set<Evidence> next) {
        wanted = next;
        if (!next.contains(Evidence.WORKERS) && !evidence.hasWork()) {
            times.forget();
        }
    }

    /** Where more workers than CPUs are busy at first sight, the first window shall tell how long they wait for one. */
    void readIfMany(PoolSnapshot now, InstrumentedPool meter) {
        if (now.active() > Runtime.getRuntime().availableProcessors()) {
            wanted = Set.of(Evidence.WORKERS);
            times.read(meter.workers());
        }
    }

    WorkerTimes times() {
        return times;
    }

    PoolEvidence evidence() {
        return evidence;
    }
}
