package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.evidence.stack.ClassInitialisation;
import io.lifeguard.pool.diagnosis.evidence.stack.LimitedResource;
import io.lifeguard.pool.diagnosis.evidence.stack.LongestRunning;
import io.lifeguard.pool.diagnosis.evidence.stack.ResourceNames;
import io.lifeguard.pool.diagnosis.evidence.stack.Seen;
import io.lifeguard.pool.diagnosis.evidence.stack.StackChoice;
import io.lifeguard.pool.diagnosis.evidence.stack.StackCredit;
import io.lifeguard.pool.diagnosis.evidence.stack.StackSampler;
import io.lifeguard.pool.diagnosis.evidence.stack.Stratum;
import io.lifeguard.pool.diagnosis.evidence.stack.Waits;
import io.lifeguard.pool.diagnosis.evidence.stack.WorkerLook;
import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Awaited.Lock;
import io.lifeguard.pool.diagnosis.window.Awaited.Result;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.Estimate;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown.Share;
import io.lifeguard.pool.recording.Recorder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one pool's workers in the window that is not closed yet: the census of all, and stacks of some.
 * Confined to the monitor's thread. Keeps no thread that has ended for longer than a window.
 */
public final class PoolEvidence {

    /** To list the workers costs ten times as much as to look at them; new ones are missing for half a second. */
    private static final int LOOKS_PER_LIST = 10;

    /** 500 ms: ten looks of a usual window. A monitor that waits for CPUs takes seconds for as many. */
    private static final long LISTED_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /**
     * A pool whose workers were all idle is looked at in one of so many moments: a quarter of a second apart in a usual
     * window. That look counts for all of them.
     */
    private static final int MOMENTS_PER_IDLE_LOOK = 5;

    /** From this share of the working workers on, a group gets a stack of its own. */
    private static final double WORTH_NAMING = 0.05;

    /** 250 ms: four looks a second of one pool, because some stacks name nothing. */
    private static final long BETWEEN_FIRST_LOOKS = TimeUnit.MILLISECONDS.toNanos(250);

    /** After two seconds a group may do something else at the same object. */
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** With so many stacks in a window, earlier ones add nothing. */
    private static final int ENOUGH_STACKS = 4;

    /** From this share of the working workers on, it is asked who may bring the results that they wait for. */
    private static final double WORTH_ASKING = 0.2;

    /** Libraries that run on old JDKs have copies of the class. */
    private static final String MAP = ".ConcurrentHashMap";

    private final String pool;
    private final StackSampler sampler;
    private final ResourceNames names;
    private final BusyThreads others;
    private final Census census = new Census();
    private final List<Seen> seen = new ArrayList<>();
    private final ChangingLocks changing = new ChangingLocks();
    private final GroupMemory memory = new GroupMemory();
    private final LockGlimpses glimpses = new LockGlimpses(memory, changing);
    private final Lines lines = new Lines();
    private final LongestRunning longest = new LongestRunning();
    private final StackCredit credit = new StackCredit();
    private @Nullable WorkerSamples samples; // null while no recording runs
    private int unlisted; // looks until the workers are listed again
    private long listed; // when they were listed; says nothing before
    private int skipped; // moments since the last look
    private boolean isIdle; // no worker had a task at the last look
    private int working; // how many had one at the last look
    private boolean works; // a worker had a task at a look of this window
    private boolean worked; // the same of the window before
    private boolean asksForOthers; // in this window
    private boolean hasNamed; // new groups, at some time
    private long named; // when; says nothing before
    private boolean tellsIdle; // whether the pool told of a worker that it is idle or busy

    PoolEvidence(String pool, StackSampler sampler, ResourceNames names, BusyThreads others) {
        this.pool = pool;
        this.others = others;
        this.sampler = sampler;
        this.names = names;
    }

    /** Records from now on what single workers do. */
    public void recordTo(Recorder recorder) {
        samples = new WorkerSamples(pool, recorder);
    }

    /**
     * Looks at all workers, and takes stacks of some of them if it is this pool's turn. Called at random moments. A
     * pool that was idle is not looked at each time.
     *
     * @param isSuspected whether a rule wants stacks
     * @param isWaitedFor whether tasks queue or submitters wait, so that a new group of workers is to be named at once
     * @param tasks finds the tasks that workers wait for
     */
    public void look(InstrumentedPool meter, boolean isSuspected, boolean isWaitedFor, AwaitedTasks tasks) {
        if (isIdle && !isSuspected && skipped + 1 < MOMENTS_PER_IDLE_LOOK) {
            skipped++;
            return;
        }
        if (unlisted-- <= 0 || census.isEmpty() || mayHaveGrown(meter)) {
            list(meter);
        }
        int working = lookAtStates();
        lookAtOthers(working);
        int stacks = sampler.grant(credit, isSuspected, working);
        if (stacks > 0) {
            List<WorkerState> workers = list(meter);
            take(StackChoice.of(workers, strata(workers), seen, stacks), workers, false, tasks);
        } else if (isSuspected || isWaitedFor) {
            nameNewGroups(meter, working, tasks);
        }
    }

    private boolean mayHaveGrown(InstrumentedPool meter) {
        return sampler.now() - listed >= LISTED_NANOS
                && !(meter instanceof ThreadPoolExecutor pool && pool.getPoolSize() == census.size());
    }

    /** Looks for pools that may bring the results for which many workers wait. */
    private void lookAtOthers(int working) {
        int waiting = census.waitingForResult();
        if (waiting >= WORTH_ASKING * working && waiting > 0) {
            others.look();
            asksForOthers = true;
        }
    }

    /** Takes stacks of the groups that have none, or only old ones, whatever was spent. */
    private void nameNewGroups(InstrumentedPool meter, int working, AwaitedTasks tasks) {
        long now = sampler.now();
        if (hasNamed && now - named < BETWEEN_FIRST_LOOKS) {
            return;
        }
        Set<Stratum> unnamed = new HashSet<>();
        for (Map.Entry<Stratum, Integer> group : census.latest().entrySet()) {
            if (group.getValue() >= WORTH_NAMING * working && isUnnamed(group.getKey(), now)) {
                unnamed.add(group.getKey());
            }
        }
        int stacks = unnamed.isEmpty() ? 0 : sampler.grantFirstLook();
        if (stacks > 0) {
            hasNamed = true;
            named = now;
            List<WorkerState> workers = list(meter);
            List<Stratum> wanted = strata(workers);
            for (int i = 0; i < wanted.size(); i++) {
                wanted.set(i, unnamed.contains(wanted.get(i)) ? wanted.get(i) : Stratum.IDLE);
            }
            take(StackChoice.of(workers, wanted, seen, stacks), workers, true, tasks);
        }
    }

    private boolean isUnnamed(Stratum stratum, long now) {
        boolean isNewMonitor = stratum.state() == Thread.State.BLOCKED && glimpses.hasUnnamed();
        boolean isForgotten = Stratum.isWaiting(stratum.state())
                && stratum.blocker().isEmpty() // so its stacks hold for one window only
                && !wasSeen(stratum);
        return isNewMonitor || isForgotten || memory.sinceLook(stratum, now) > FRESH_NANOS;
    }

    private boolean wasSeen(Stratum stratum) {
        for (Seen look : seen) {
            if (look.stratum().equals(stratum)) {
                return true;
            }
        }
        return false;
    }

    private List<Stratum> strata(List<WorkerState> workers) {
        List<Stratum> strata = new ArrayList<>(workers.size());
        for (WorkerState worker : workers) {
            strata.add(census.stratum(worker));
        }
        return strata;
    }

    private void take(StackChoice choice, List<WorkerState> workers, boolean isFirstLook, AwaitedTasks tasks) {
        if (!choice.chosen().isEmpty()) {
            StackSampler.Look look = sampler.take(choice, workers, credit, longest, isFirstLook, census);
            if (look != null) {
                add(look, choice, tasks);
            }
        }
    }

    /** Looks for the moments that were skipped, too. {@return how many workers are not idle} */
    private int lookAtStates() {
        working = census.look(1 + skipped);
        skipped = 0;
        glimpses.look(census, sampler);
        if (samples != null) {
            samples.looked(census);
        }
        isIdle = working == 0;
        works |= !isIdle;
        return working;
    }

    /** A window begins, or goes on, in which the pool had no task so far. */
    public void sleeps() {
        census.clear();
        skipped = 0;
        isIdle = true;
        working = 0;
        works = false;
        worked = false;
    }

    /** The pool has been given a task. At so many moments before, at which nobody looked, it had none. */
    public void wakes(int moments) {
        census.wereIdle(moments);
        isIdle = false;
    }

    /** Looks once at the end of a window in which the pool had no task. */
    public void sleptThrough(InstrumentedPool meter, int moments) {
        list(meter);
        census.wereIdle(moments - 1);
        lookAtStates();
    }

    /** Sets what the system told of single workers, by thread id, in the window that is closed next. */
    public void times(Map<Long, ThreadTimes> byThreadId) {
        if (samples != null) {
            samples.times(byThreadId);
        }
    }

    /** {@return a window in which the pool had no task, or only threads that are no workers, with its breakdown} */
    public PoolWindow asleep(PoolWindow window, int moments) {
        int size = window.after().size() - window.after().active();
        Estimate idle = new Estimate(size, 0);
        List<Share> shares =
                size == 0 ? List.of() : List.of(new Share(Doing.IDLE, "", idle, List.of(), Optional.empty()));
        PoolWindow asleep = window.toBuilder()
                .breakdown(new TimeBreakdown(size, moments, 0, shares, Map.of()))
                .build();
        if (samples != null) {
            samples.closeAsleep(asleep);
        }
        return asleep;
    }

    /** {@return how many workers had a task at the last look; 0 when there was none yet} */
    public int working() {
        return working;
    }

    /** {@return whether a worker had a task at a look of this window, or of the one before} */
    public boolean hasWork() {
        return works || worked;
    }

    /** Learns who the workers are, from a list that was made for another purpose. */
    public void listed(List<WorkerState> workers) {
        census.members(workers);
        unlisted = LOOKS_PER_LIST;
        listed = sampler.now();
        for (int i = 0; i < workers.size() && !tellsIdle; i++) {
            tellsIdle = workers.get(i).idle() || workers.get(i).busy();
        }
    }

    private List<WorkerState> list(InstrumentedPool meter) {
        List<WorkerState> workers = meter.workers();
        listed(workers);
        return workers;
    }

    private void add(StackSampler.Look look, StackChoice choice, AwaitedTasks tasks) {
        List<Seen> sample = new ArrayList<>();
        glimpses.learn(look.locks());
        IdentityHashMap<Object, Result> results = tasks.find(look.blockers(), pool);
        for (int i = 0; i < look.sample().size(); i++) {
            WorkerLook worker = look.sample().get(i);
            Object blocker = look.blockers().get(i);
            Result result =
                    blocker == null ? AwaitedTasks.UNKNOWN : results.getOrDefault(blocker, AwaitedTasks.UNKNOWN);
            if (samples != null) {
                samples.stack(worker, result, glimpses.locks(), census);
            }
            sample.add(new Seen(
                    worker.info().name(),
                    worker.info().id(),
                    worker.stratum(),
                    worker.doing(),
                    worker.place(),
                    worker.stack(),
                    Objects.requireNonNullElse(worker.object(), ""),
                    result,
                    look.mayInitialise().contains(worker)));
        }
        seen.addAll(sample);
        long now = sampler.now();
        for (Seen one : sample) {
            memory.see(one, now);
        }
        lines.see(sample, choice.workers());
        changing.see(look.sample());
    }

    /** {@return the same window with its breakdown} Begins the next window. */
    public PoolWindow close(PoolWindow window) {
        PoolWindow.Builder closed = window.toBuilder();
        if (skipped > 0) {
            skipped--; // the look at the end is one of them
            lookAtStates();
        }
        if (census.looks() > 0) {
            List<Seen> sample = ClassInitialisation.resolved(sample(census.means()), glimpses.locks());
            closed.breakdown(breakdown(window, sample));
            record(closed.build(), sample);
        } else {
            Optional<ThreadTimes> times = perSecond(window);
            if (times.isPresent()) {
                closed.breakdown(unseen(window, times.get()));
            }
            record(closed.build(), List.of());
        }
        if (asksForOthers) {
            closed.busyThreads(others.groups());
        }
        asksForOthers = false;
        worked = works;
        works = false;
        census.clear();
        seen.clear();
        glimpses.clear();
        memory.age(sampler.now());
        lines.clear();
        changing.age();
        longest.clear();
        return closed.build();
    }

    private void record(PoolWindow window, List<Seen> sample) {
        if (samples != null) {
            samples.close(window, sample, glimpses.locks());
        }
    }

    private TimeBreakdown breakdown(PoolWindow window, List<Seen> resolved) {
        Map<Stratum, Estimate> means = census.means();
        return new TimeBreakdown(
                census.workers(),
                census.looks(),
                seen.size(),
                Breakdown.of(means, resolved, new Asking(), perSecond(window), tellsIdle),
                longest.stacks());
    }

    /** What was seen of each group: in this window, and before where there was too little and it still holds. */
    private List<Seen> sample(Map<Stratum, Estimate> means) {
        long now = sampler.now();
        Map<Stratum, List<Seen>> byStratum = Seen.byStratum(seen);
        List<Seen> sample = new ArrayList<>(glimpses.seen(now));
        for (Stratum stratum : means.keySet()) {
            memory.present(stratum, now);
            List<Seen> here = byStratum.getOrDefault(stratum, List.of());
            List<Seen> known = here.size() < ENOUGH_STACKS ? memory.of(stratum, now) : List.of();
            sample.addAll(known.size() > here.size() ? known : here);
        }
        return sample;
    }

    /** No look was taken, so nothing is known but the system's times. */
    private static TimeBreakdown unseen(PoolWindow window, ThreadTimes times) {
        double workers = window.after().size();
        double busy = window.isMeasured() ? Math.min(workers, window.busyWorkers()) : workers;
        return new TimeBreakdown(workers, 0, 0, Breakdown.ofTimes(workers, busy, times), Map.of());
    }

    private static Optional<ThreadTimes> perSecond(PoolWindow window) {
        Optional<ThreadTimes> times = window.workerTimes();
        return times.isEmpty() ? times : Optional.of(times.get().times(1 / window.seconds()));
    }

    /** Asks for each name once. */
    private final class Asking implements Function<Seen, Optional<Awaited>> {
        private final Map<LimitedResource, Optional<ResourceNames.Named>> asked = new HashMap<>(); // an EnumMap loads

        @Override
        public Optional<Awaited> apply(Seen one) {
            return awaited(one, asked);
        }
    }

    private Optional<Awaited> awaited(Seen one, Map<LimitedResource, Optional<ResourceNames.Named>> asked) {
        return switch (one.doing()) {
            case WAITING_FOR_LOCK -> one.object().isEmpty() ? Optional.empty() : Optional.of(lock(one));
            case WAITING_FOR_RESULT -> Optional.of(one.result());
            case WAITING_IN_LINE -> line(one, asked);
            case SLEEPING -> {
                Optional<String> limiter = LimitedResource.rateLimiter(one.stack());
                yield limiter.isEmpty() ? Optional.empty() : Optional.of(Awaited.Line.ofRate(limiter.get()));
            }
            default -> Optional.empty();
        };
    }

    private Lock lock(Seen one) {
        Lock known = glimpses.locks()
                .getOrDefault(one.object(), new Lock(one.object(), one.isMonitor(), Optional.empty(), List.of(), 0));
        String type = one.objectClass();
        if (type.contains(MAP + '$')) {
            return named(known, "a bin of a ConcurrentHashMap" + mapMethod(one.stack()));
        }
        return changing.isChanging(one.place(), type) ? named(known, type) : known;
    }

    private static Lock named(Lock lock, String name) {
        return new Lock(name, lock.monitor(), lock.owner(), lock.ownerStack(), lock.otherWaiters());
    }

    private static String mapMethod(List<StackTraceElement> stack) {
        String method = "";
        for (StackTraceElement frame : stack) {
            method = frame.getClassName().endsWith(MAP) ? " (" + frame.getMethodName() + ")" : method;
        }
        return method;
    }

    private Optional<Awaited> line(Seen one, Map<LimitedResource, Optional<ResourceNames.Named>> asked) {
        Optional<LimitedResource> resource = LimitedResource.of(one.stack());
        if (resource.isPresent()) {
            OptionalInt served = lines.served(one.place());
            Optional<ResourceNames.Named> known = asked.computeIfAbsent(resource.get(), names::of);
            if (known.isEmpty()) {
                return Optional.of(lines.line(resource.get().description(), true, one));
            }
            ResourceNames.Named named = known.get();
            return Optional.of(new Awaited.Line(named.name(), true, served, named.capacity(), named.inUse()));
        }
        Optional<String> queue = Waits.fullQueue(one.stack());
        if (queue.isPresent()) {
            return Optional.of(lines.line(Awaited.Line.roomIn(queue.get()), true, one));
        }
        return one.object().isEmpty() ? Optional.empty() : Optional.of(lines.atObject(one, changing));
    }
}
