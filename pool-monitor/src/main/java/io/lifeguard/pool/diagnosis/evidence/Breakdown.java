package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.diagnosis.evidence.stack.Seen;
import io.lifeguard.pool.diagnosis.evidence.stack.Stratum;
import io.lifeguard.pool.diagnosis.evidence.stack.Waits;
import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Awaited.Line;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.Estimate;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown.Share;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * Computes where the workers' time went from the census, the stacks and the system's times. Used once per window.
 *
 * <p>This is post-stratification (Cochran, <i>Sampling Techniques</i>, 1977, 5A.9): the census tells how many workers
 * each stratum has, and the stacks of a stratum tell what its workers do. The parts of a stratum add up to it. A
 * stratum without stacks is judged by its state and blocker where these leave no doubt, and is unknown otherwise. Of
 * workers that wait for one object the census knows the number, and stacks only add the place.
 */
final class Breakdown {

    /** The system's times are exact, but not read at the very ends of the window: 20 ms of a second. */
    private static final double TIMES_ERROR = 0.02;

    /** A thread that is switched so often in each second of its sleep sleeps for 2 ms at most. */
    private static final int POLLS = 500;

    /** Of the working workers: where fewer sleep, or more are idle, the others may be what is switched. */
    private static final double MOST_POLL = 0.8;

    private static final String POLLED = "something that they poll for";

    /** A single worker at an object may wait for anything. */
    private static final double TOGETHER = 2;

    private final Map<Stratum, List<Seen>> looks;
    private final Function<Seen, Optional<Awaited>> awaited;
    private final boolean tellsIdle;
    private final Map<List<Object>, Share> shares = new LinkedHashMap<>();

    private Breakdown(List<Seen> seen, Function<Seen, Optional<Awaited>> awaited, boolean tellsIdle) {
        this.tellsIdle = tellsIdle;
        this.looks = Seen.byStratum(seen);
        this.awaited = awaited;
    }

    /**
     * {@return the shares, which add up to the workers of the census}
     *
     * @param census the mean number of workers in each stratum
     * @param seen what stacks showed
     * @param awaited tells what a worker waited for
     * @param times CPU time and run-queue delay of all workers in each second; empty when they are unknown
     * @param tellsIdle whether the pool tells which workers are idle, so that others that wait together do so for what
     *     their tasks want
     */
    static List<Share> of(
            Map<Stratum, Estimate> census,
            List<Seen> seen,
            Function<Seen, Optional<Awaited>> awaited,
            Optional<ThreadTimes> times,
            boolean tellsIdle) {
        Breakdown breakdown = new Breakdown(seen, awaited, tellsIdle);
        for (Map.Entry<Stratum, Estimate> group : census.entrySet()) {
            breakdown.add(group.getKey(), group.getValue(), times);
        }
        if (times.isPresent()) {
            breakdown.poll(times.get());
            breakdown.wake(times.get());
        }
        return new ArrayList<>(breakdown.shares.values());
    }

    /**
     * {@return the shares of a window without looks at workers, as far as the system's times tell}
     *
     * <p>Where threads queue for the CPUs, so does the one that looks. The times are exact nevertheless.
     *
     * @param workers the mean number of workers
     * @param busy how many of them had a task; as many as there are where that is unknown
     * @param times CPU time and run-queue delay of all workers in each second
     */
    static List<Share> ofTimes(double workers, double busy, ThreadTimes times) {
        Breakdown breakdown = new Breakdown(List.of(), seen -> Optional.empty(), false);
        double cpu = Math.min(busy, times.cpu().toNanos() / 1e9);
        double delay = Math.min(busy - cpu, times.runQueueDelay().toNanos() / 1e9);
        breakdown.add(Doing.COMPUTING, new Estimate(cpu, TIMES_ERROR * cpu));
        breakdown.add(Doing.WAITING_FOR_CPU, new Estimate(delay, TIMES_ERROR * delay));
        breakdown.add(Doing.IDLE, Estimate.exactly(Math.max(0, workers - busy)));
        breakdown.add(Doing.UNKNOWN, Estimate.exactly(busy - cpu - delay));
        return new ArrayList<>(breakdown.shares.values());
    }

    private void add(Stratum stratum, Estimate workers, Optional<ThreadTimes> times) {
        List<Seen> here = looks.getOrDefault(stratum, List.of());
        if (stratum.idle()) {
            add(Doing.IDLE, workers);
        } else if (stratum.state() == Thread.State.RUNNABLE && times.isPresent()) {
            addRunnable(here, workers, times.get());
        } else if (here.isEmpty()) {
            addUnseen(stratum, workers);
        } else {
            addParts(here, workers);
        }
    }

    /** Splits the time on a CPU, or for want of one, from other time; the latter is what stacks show. */
    private void addRunnable(List<Seen> here, Estimate workers, ThreadTimes times) {
        List<Seen> computing = new ArrayList<>();
        List<Seen> others = new ArrayList<>();
        for (Seen seen : here) {
            (seen.doing() == Doing.COMPUTING ? computing : others).add(seen);
        }
        double cpu = times.cpu().toNanos() / 1e9;
        double delay = times.runQueueDelay().toNanos() / 1e9;
        double all = workers.value();
        double on = Math.min(all, cpu + delay);
        double noise = workers.high() - all + TIMES_ERROR * all;
        if (others.isEmpty() && cpu + delay > 0 && all - on <= noise) {
            on = all; // the census saw them in a moment's rest
        }
        double most = others.isEmpty()
                ? 0
                : Estimate.ofSample(others.size(), here.size(), all).high();
        double elsewhere = Math.min(all - on, most);
        Estimate known = new Estimate(on, Math.hypot(TIMES_ERROR * on, on < all ? 0 : workers.error()));
        double cpuShare = cpu + delay == 0 ? 0 : cpu / (cpu + delay);
        addPlaces(Doing.COMPUTING, computing, known.times(cpuShare));
        addPlaces(Doing.WAITING_FOR_CPU, computing, known.times(1 - cpuShare));
        addParts(others, new Estimate(elsewhere, Math.min(workers.error(), elsewhere)));
        add(Doing.UNKNOWN, new Estimate(Math.max(0, all - on - elsewhere), workers.error()));
    }

    /**
     * Tells threads that park for a moment, look and park again from those that sleep: they are switched
     * {@value #POLLS} times a second or more. They wait for something that others bring.
     */
    private void poll(ThreadTimes times) {
        double asleep = workers(Doing.SLEEPING).value();
        double working = working();
        double really = Math.max(0, asleep - lookAsleep(times));
        boolean areOthersSwitched =
                asleep < MOST_POLL * working || workers(Doing.IDLE).value() > asleep;
        if (asleep == 0 || areOthersSwitched || times.voluntarySwitches() < POLLS * Math.max(1, really)) {
            return;
        }
        Line line = new Line(POLLED, false, OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty());
        List<Share> polling = shares.values().stream()
                .filter(share -> share.doing() == Doing.SLEEPING && Waits.forTimeOnly(share.stack()))
                .toList();
        shares.values().removeAll(polling);
        for (Share share : polling) {
            merge(
                    List.of(Doing.WAITING_IN_LINE, share.place(), POLLED),
                    new Share(Doing.WAITING_IN_LINE, share.place(), share.workers(), share.stack(), Optional.of(line)));
        }
    }

    /**
     * Counts those whose sleep is over among the workers that wait for a CPU. A thread looks asleep until it gets one,
     * so where the system saw more threads at a CPU or waiting for one than the census, the others looked like waiting.
     * Which of the waiting ones these are is unknown, so sleepers are taken in proportion.
     */
    private void wake(ThreadTimes times) {
        double on = (times.cpu().toNanos() + times.runQueueDelay().toNanos()) / 1e9;
        double asleep = workers(Doing.SLEEPING).value();
        double waiting = working() - workers(Doing.COMPUTING, Doing.WAITING_FOR_CPU);
        double woken = asleep == 0 ? 0 : Math.min(asleep, lookAsleep(times) * asleep / waiting);
        if (woken <= TIMES_ERROR * on) {
            return;
        }
        double left = Math.max(0, 1 - woken / asleep);
        for (Map.Entry<List<Object>, Share> each : shares.entrySet()) {
            Share share = each.getValue();
            if (share.doing() == Doing.SLEEPING) {
                Estimate asleepStill = share.workers().times(left);
                each.setValue(new Share(share.doing(), share.place(), asleepStill, share.stack(), share.awaited()));
            }
        }
        add(Doing.WAITING_FOR_CPU, new Estimate(woken, TIMES_ERROR * on));
    }

    /** How many more threads had or wanted a CPU than the census saw: those look as if they waited. */
    private double lookAsleep(ThreadTimes times) {
        double on = (times.cpu().toNanos() + times.runQueueDelay().toNanos()) / 1e9;
        return on - workers(Doing.COMPUTING, Doing.WAITING_FOR_CPU);
    }

    private double workers(Doing one, Doing other) {
        return workers(one).plus(workers(other)).value();
    }

    private Estimate workers(Doing doing) {
        Estimate sum = Estimate.ZERO;
        for (Share share : shares.values()) {
            sum = share.doing() == doing ? sum.plus(share.workers()) : sum;
        }
        return sum;
    }

    private double working() {
        double sum = 0;
        for (Share share : shares.values()) {
            sum += share.doing() == Doing.IDLE ? 0 : share.workers().value();
        }
        return sum;
    }

    private void addPlaces(Doing doing, List<Seen> places, Estimate workers) {
        if (places.isEmpty()) {
            add(doing, workers);
        } else {
            List<Seen> renamed = new ArrayList<>(places.size());
            for (Seen seen : places) {
                renamed.add(seen.doing(doing, ""));
            }
            addParts(renamed, workers);
        }
    }

    private void addUnseen(Stratum stratum, Estimate workers) {
        Seen nothing = new Seen(
                "",
                -1,
                stratum,
                isLine(stratum, workers) ? Doing.WAITING_IN_LINE : doing(stratum),
                "",
                List.of(),
                Objects.requireNonNullElse(stratum.object(), ""),
                AwaitedTasks.UNKNOWN,
                false);
        add(nothing, workers);
    }

    /** Whether several workers with tasks are parked on one object: its class is known, if not its purpose. */
    private boolean isLine(Stratum stratum, Estimate workers) {
        return tellsIdle && stratum.identity() != 0 && workers.value() >= TOGETHER && doing(stratum) == Doing.UNKNOWN;
    }

    /** What a worker does as far as its state and blocker tell. */
    static Doing doing(Stratum stratum) {
        if (stratum.idle()) {
            return Doing.IDLE;
        }
        if (stratum.state() == Thread.State.BLOCKED || Waits.forLock(stratum.blocker())) {
            return Doing.WAITING_FOR_LOCK;
        }
        if (stratum.isSemaphore()) {
            return Doing.WAITING_IN_LINE;
        }
        if (stratum.isLatchOrFuture()) {
            return Doing.WAITING_FOR_RESULT;
        }
        return stratum.state() == Thread.State.NEW || stratum.state() == Thread.State.TERMINATED
                ? Doing.IDLE
                : Doing.UNKNOWN;
    }

    private void addParts(List<Seen> here, Estimate workers) {
        Map<List<Object>, List<Seen>> groups = new LinkedHashMap<>();
        for (Seen seen : here) {
            Seen.add(groups, key(seen, awaited.apply(seen)), seen);
        }
        boolean isCertain = isCertain(here);
        for (List<Seen> group : groups.values()) {
            double share = (double) group.size() / here.size();
            Estimate sample = Estimate.ofSample(group.size(), here.size(), workers.value());
            add(
                    group.get(group.size() - 1),
                    isCertain
                            ? workers.times(share)
                            : new Estimate(sample.value(), Math.hypot(sample.error(), share * workers.error())));
        }
    }

    /**
     * Whether the census has seen each of the workers do this, so that stacks only add the place: they wait for one
     * object, or state and blocker tell what all of them do.
     */
    private static boolean isCertain(List<Seen> here) {
        if (here.isEmpty()) {
            return false;
        }
        Seen first = here.get(0);
        boolean isOfUnknown = true;
        for (Seen seen : here) {
            if (seen.doing() != first.doing()) {
                return false;
            }
            isOfUnknown &= seen.result().pool().isEmpty();
        }
        return first.stratum().identity() != 0
                || (isOfUnknown
                        && first.doing() == Doing.WAITING_FOR_RESULT
                        && doing(first.stratum()) == first.doing());
    }

    private void add(Doing doing, Estimate workers) {
        Share share = new Share(doing, "", workers, List.of(), Optional.empty());
        merge(List.of(doing, "", ""), share);
    }

    private void add(Seen seen, Estimate workers) {
        if (seen.doing() == Doing.IDLE) {
            add(Doing.IDLE, workers);
        } else {
            Optional<Awaited> what = awaited.apply(seen);
            merge(key(seen, what), new Share(seen.doing(), seen.place(), workers, seen.stack(), what));
        }
    }

    private void merge(List<Object> key, Share share) {
        Share before = shares.get(key);
        if (before == null && share.workers().value() > 0) {
            shares.put(key, share);
        } else if (before != null && share.workers().value() > 0) {
            shares.put(
                    key,
                    new Share(
                            before.doing(),
                            before.place(),
                            before.workers().plus(share.workers()),
                            share.stack().isEmpty() ? before.stack() : share.stack(),
                            share.awaited().isPresent() ? share.awaited() : before.awaited()));
        }
    }

    private static List<Object> key(Seen seen, Optional<Awaited> awaited) {
        return List.of(seen.doing(), seen.place(), awaited.isPresent() ? name(awaited.get()) : "");
    }

    private static String name(Awaited awaited) {
        if (awaited instanceof Awaited.Lock lock) {
            return lock.name();
        }
        if (awaited instanceof Awaited.Line line) {
            return line.name();
        }
        Awaited.Result result = (Awaited.Result) awaited; // no text of a record, which links method handles
        return result.pool().orElse("") + result.queued();
    }
}
