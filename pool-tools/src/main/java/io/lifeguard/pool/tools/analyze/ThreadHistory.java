package io.lifeguard.pool.tools.analyze;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.tools.dumps.DumpedThread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What a recording tells of one thread: waits with their lengths, single looks, and CPU times. Not thread-safe. Times
 * are nanoseconds since 1970.
 */
/*
 * A recording has long waits only (from 20 ms on with the JDK's settings "default"). What lies between two of them is
 * a gap. In a gap
 *
 *   - the CPU time of the thread, which a recording of the JDK has every ten seconds, tells how much of it was
 *     computing. Spread evenly over the gaps of these ten seconds, it decides at each moment.
 *   - Samples tell the place. They do not tell how much, because the JVM looks at five running threads and one native
 *     method each time, whatever their number.
 *   - The rest is waiting for a CPU where all CPUs are busy and samples show the thread running. It is a wait in a
 *     native method where a sample shows one and the thread uses no CPU, so that it cannot have left it. Otherwise it
 *     is unknown: waits too short to be recorded.
 *   - A thread that waits in a thread dump waits until the recording ends, or did so since before it began: otherwise
 *     the wait would have been recorded. That holds as far as no sample shows otherwise.
 *
 * Samples of a profiler that looks at waiting threads too (async-profiler's wall clock) are looks like any other.
 */
final class ThreadHistory {

    /** As a look of the library: after five seconds it is unknown. */
    private static final long HOLDS = 5_000_000_000L;

    /** Of the time: a thread that uses less has not been through a task and back. */
    private static final double NO_CPU = 0.0005;

    /** Of the time: a thread that wants a CPU gets its share of one, with up to 400 threads on two of them. */
    private static final double SOME_CPU = 0.005;

    /** The JVM looks at five running threads each 10 or 20 ms, so it gets around 125 of them in half a second. */
    private static final long RUNS_FOR = 500_000_000L;

    private static final Comparator<Sample> BY_TIME = Comparator.comparingLong(Sample::time);

    final long id;
    final String name;
    private final List<Stay> recorded = new ArrayList<>();
    private final List<Sample> samples = new ArrayList<>();
    private final List<Load> loads = new ArrayList<>();
    private List<Stay> stays = List.of(); // without overlaps, in order
    private long begin = Long.MIN_VALUE;
    private long end = Long.MAX_VALUE;
    private int nextStay; // the first that ends later than the latest moment
    private int nextSample; // the same
    private int nextLoad;
    private double owedCpu; // looks
    private int knownLoad = -1; // of which the share is known
    private double knownShare;

    ThreadHistory(long id, String name) {
        this.id = id;
        this.name = name;
    }

    /** A wait, from its begin to its end. The owner is the thread that held the lock before; 0 when unknown. */
    record Stay(long begin, long end, DumpedThread look, long owner) {}

    /** What a sample shows. */
    enum Kind {
        /** The thread ran Java. */
        RUNNING,
        /** The thread was in a native method. */
        IN_NATIVE,
        /** The thread did what the look says. */
        LOOK,
        /** The thread is in a thread dump. */
        DUMP
    }

    /** One moment, or one that lasts until the next. */
    record Sample(long time, Kind kind, DumpedThread look, boolean lasts) {

        Sample(long time, Kind kind, DumpedThread look) {
            this(time, kind, look, false);
        }
    }

    /** A mean number of CPUs, until a time. */
    private record Load(long begin, long end, double cpus) {}

    void add(Stay stay) {
        recorded.add(stay);
    }

    void add(Sample sample) {
        samples.add(sample);
    }

    /** Adds a mean number of CPUs used since the last such figure, at most since {@code since}. */
    void addLoad(long since, long until, double cpus) {
        loads.add(new Load(since, until, cpus));
    }

    void beginsAt(long time) {
        begin = Math.max(begin, time);
    }

    void endsAt(long time) {
        end = Math.min(end, time);
    }

    boolean isAlive(long time) {
        return begin <= time && time < end;
    }

    /** All looks from which the kind of its pool can be told. */
    List<DumpedThread> looks() {
        List<DumpedThread> looks = new ArrayList<>();
        recorded.forEach(stay -> looks.add(stay.look()));
        samples.forEach(sample -> looks.add(sample.look()));
        return looks;
    }

    List<Stay> stays() {
        return recorded;
    }

    /** Orders what was added. Moments are asked for in order afterwards. */
    void order(long recordingEnd) {
        samples.sort(BY_TIME);
        for (int i = 0; i < samples.size(); i++) {
            Sample sample = samples.get(i);
            if (sample.lasts()) {
                long until = i + 1 < samples.size() ? samples.get(i + 1).time() : recordingEnd;
                recorded.add(new Stay(sample.time(), Math.max(sample.time(), until), sample.look(), 0));
            }
        }
        loads.sort(Comparator.comparingLong(Load::end));
        List<Stay> sorted = new ArrayList<>(recorded);
        sorted.sort(Comparator.comparingLong(Stay::begin));
        stays = new ArrayList<>();
        for (Stay stay : sorted) { // one within another tells no more than the outer one
            if (stays.isEmpty() || stay.begin() >= stays.get(stays.size() - 1).end()) {
                stays.add(stay);
            }
        }
        for (int i = 0; i < loads.size(); i++) {
            Load load = loads.get(i);
            long since =
                    Math.max(load.begin(), i == 0 ? begin : loads.get(i - 1).end());
            loads.set(i, new Load(since, load.end(), load.cpus()));
        }
    }

    /** What the thread did at a moment, and the wait that covers it. */
    record Moment(DumpedThread look, Optional<Stay> stay) {}

    /**
     * {@return what the thread did at a moment, which is not before the one asked for last}
     *
     * @param samplePeriod how long a sample stands for itself, where CPU times are unknown
     */
    Moment at(long time, boolean areCpusFull, long samplePeriod) {
        while (nextStay < stays.size() && stays.get(nextStay).end() <= time) {
            nextStay++;
        }
        if (nextStay < stays.size() && stays.get(nextStay).begin() <= time) {
            Stay stay = stays.get(nextStay);
            return new Moment(stay.look(), Optional.of(stay));
        }
        return new Moment(inGap(time, areCpusFull, samplePeriod), Optional.empty());
    }

    private DumpedThread inGap(long time, boolean areCpusFull, long samplePeriod) {
        long gapBegin = nextStay == 0 ? Long.MIN_VALUE : stays.get(nextStay - 1).end();
        long gapEnd = nextStay < stays.size() ? stays.get(nextStay).begin() : Long.MAX_VALUE;
        Sample sample = nearest(time, gapBegin, gapEnd);
        OptionalDouble cpus = cpusInGaps(time);
        if (sample == null) {
            return cpus.isPresent() && isOnCpu(cpus.getAsDouble()) ? doing(Doing.COMPUTING, List.of()) : unknown();
        }
        long distance = Math.abs(sample.time() - time);
        if (sample.kind() == Kind.DUMP) {
            return cpus.orElse(0) < NO_CPU ? sample.look() : unknown();
        }
        if (sample.kind() == Kind.LOOK) {
            return distance <= HOLDS ? sample.look() : unknown();
        }
        if (cpus.isEmpty()) {
            return distance <= samplePeriod / 2 ? sample.look() : unknown();
        }
        return byCpuTime(sample, distance, cpus.getAsDouble(), areCpusFull);
    }

    private DumpedThread byCpuTime(Sample sample, long distance, double cpus, boolean areCpusFull) {
        boolean isNear = distance <= HOLDS;
        boolean isSeenRunning = isNear && sample.kind() == Kind.RUNNING;
        if (isOnCpu(cpus)) {
            return isSeenRunning ? sample.look() : doing(Doing.COMPUTING, List.of());
        }
        if (isSeenRunning) {
            boolean wantsCpu = areCpusFull && cpus >= SOME_CPU && distance <= RUNS_FOR;
            return wantsCpu ? doing(Doing.WAITING_FOR_CPU, sample.look().stack()) : unknown();
        }
        return isNear && cpus < NO_CPU ? sample.look() : unknown();
    }

    /** Spreads the CPU time evenly: whether this look falls on it. */
    private boolean isOnCpu(double cpus) {
        owedCpu += cpus;
        boolean isDue = owedCpu >= 1;
        owedCpu -= isDue ? 1 : 0;
        return isDue;
    }

    private @Nullable Sample nearest(long time, long from, long to) {
        while (nextSample < samples.size() && samples.get(nextSample).time() <= time) {
            nextSample++;
        }
        Sample before = nextSample == 0 ? null : samples.get(nextSample - 1);
        Sample after = nextSample == samples.size() ? null : samples.get(nextSample);
        before = before != null && before.time() >= from ? before : null;
        after = after != null && after.time() < to ? after : null;
        if (before == null || after == null) {
            return before == null ? after : before;
        }
        return time - before.time() <= after.time() - time ? before : after;
    }

    /** The share of its gaps around a moment in which the thread was on a CPU, 0 to 1. */
    private OptionalDouble cpusInGaps(long time) {
        while (nextLoad < loads.size() && loads.get(nextLoad).end() < time) {
            nextLoad++;
        }
        if (nextLoad == loads.size() || loads.get(nextLoad).begin() > time) {
            return OptionalDouble.empty();
        }
        if (knownLoad != nextLoad) {
            knownLoad = nextLoad;
            knownShare = shareInGaps(loads.get(nextLoad));
        }
        return OptionalDouble.of(knownShare);
    }

    private double shareInGaps(Load load) {
        long covered = 0;
        for (int i = nextStay; i < stays.size() && stays.get(i).begin() < load.end(); i++) {
            covered += Math.max(0, overlap(stays.get(i), load));
        }
        for (int i = nextStay - 1; i >= 0 && stays.get(i).end() > load.begin(); i--) {
            covered += Math.max(0, overlap(stays.get(i), load));
        }
        double length = Math.max(1.0, (double) (load.end() - load.begin()));
        double gaps = Math.max(1.0, length - (double) covered);
        return Math.min(1, load.cpus() * length / gaps);
    }

    private static long overlap(Stay stay, Load load) {
        return Math.min(stay.end(), load.end()) - Math.max(stay.begin(), load.begin());
    }

    /** {@return whether the thread is known to have been on a CPU within a time} A wait that ended shows it, too. */
    boolean hasMoved(long from, long to) {
        for (int i = Math.min(nextStay, stays.size() - 1);
                i >= 0 && stays.get(i).end() > from;
                i--) {
            if (stays.get(i).end() <= to
                    || (stays.get(i).begin() > from && stays.get(i).begin() <= to)) {
                return true;
            }
        }
        for (int i = Math.min(nextSample, samples.size() - 1);
                i >= 0 && samples.get(i).time() > from;
                i--) {
            if (samples.get(i).kind() == Kind.RUNNING && samples.get(i).time() <= to) {
                return true;
            }
        }
        return false;
    }

    private DumpedThread unknown() {
        return doing(Doing.UNKNOWN, List.of());
    }

    private DumpedThread doing(Doing doing, List<StackTraceElement> stack) {
        return new DumpedThread(name, OptionalLong.of(id), Thread.State.RUNNABLE, stack, doing, Optional.empty());
    }
}
