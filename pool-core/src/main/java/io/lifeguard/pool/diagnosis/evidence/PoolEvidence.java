package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.WorkerState;
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
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one pool's workers in the window that is not closed yet: the census of all, and stacks of some.
 * Confined to the monitor's thread. Keeps no thread that has ended for longer than a window.
 */
public final class PoolEvidence {

    /** To list the workers costs ten times as much as to look at them; new ones are missing for half a second. */
    private static final int LOOKS_PER_LIST = 10;

    /**
     * A pool whose workers were all idle is looked at in one of so many moments: a quarter of a second apart in a usual
     * window. That look counts for all of them.
     */
    private static final int MOMENTS_PER_IDLE_LOOK = 5;

    private static final String MAP_BIN = "java.util.concurrent.ConcurrentHashMap$";

    private final String pool;
    private final StackSampler sampler;
    private final ResourceNames names;
    private final Census census = new Census();
    private final List<Seen> seen = new ArrayList<>();
    private final Map<String, Lock> locks = new HashMap<>(); // by class and identity, as last seen
    private final ChangingLocks changing = new ChangingLocks();
    private final Lines lines = new Lines();
    private final LongestRunning longest = new LongestRunning();
    private final StackCredit credit = new StackCredit();
    private @Nullable WorkerSamples samples; // null while no recording runs
    private int unlisted; // looks until the workers are listed again
    private int skipped; // moments since the last look
    private boolean isIdle; // no worker had a task at the last look
    private boolean works; // a worker had a task at a look of this window
    private boolean worked; // the same of the window before

    PoolEvidence(String pool, StackSampler sampler, ResourceNames names) {
        this.pool = pool;
        this.sampler = sampler;
        this.names = names;
    }

    /** Records from now on what single workers do. */
    public void recordTo(Recorder recorder) {
        samples = new WorkerSamples(pool, recorder);
    }

    /**
     * Looks at all workers, and takes stacks of some of them if it is this pool's turn. Called at random moments,
     * while the budget allows it. A pool that was idle is not looked at each time.
     *
     * @param meter the pool
     * @param isSuspected whether a rule wants stacks
     * @param tasks finds the tasks that workers wait for
     */
    public void look(InstrumentedPool meter, boolean isSuspected, AwaitedTasks tasks) {
        if (isIdle && !isSuspected && skipped + 1 < MOMENTS_PER_IDLE_LOOK) {
            skipped++;
            return;
        }
        if (unlisted-- <= 0 || census.isEmpty()) {
            list(meter);
        }
        int working = lookAtStates();
        int stacks = sampler.grant(credit, isSuspected, working);
        if (stacks > 0) {
            List<WorkerState> workers = list(meter);
            StackChoice choice = StackChoice.of(
                    workers, workers.stream().map(census::stratum).toList(), seen, stacks);
            if (!choice.chosen().isEmpty()) {
                sampler.take(choice, workers, credit, longest, census::stratumOf)
                        .ifPresent(look -> add(look, choice, tasks));
            }
        }
    }

    /** Looks for the moments that were skipped, too. {@return how many workers are not idle} */
    private int lookAtStates() {
        int working = census.look(1 + skipped);
        skipped = 0;
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

    /** {@return a window in which the pool had no task, with its breakdown} */
    public static PoolWindow asleep(PoolWindow window, int moments) {
        int size = window.after().size();
        Estimate idle = new Estimate(size, 0);
        List<Share> shares =
                size == 0 ? List.of() : List.of(new Share(Doing.IDLE, "", idle, List.of(), Optional.empty()));
        return window.toBuilder()
                .breakdown(new TimeBreakdown(size, moments, 0, shares, Map.of()))
                .build();
    }

    /** {@return whether a worker had a task at a look of this window, or of the one before} */
    public boolean hasWork() {
        return works || worked;
    }

    /** Learns who the workers are, from a list that was made for another purpose. */
    public void listed(List<WorkerState> workers) {
        census.members(workers);
        unlisted = LOOKS_PER_LIST;
    }

    private List<WorkerState> list(InstrumentedPool meter) {
        List<WorkerState> workers = meter.workers();
        listed(workers);
        return workers;
    }

    private void add(StackSampler.Look look, StackChoice choice, AwaitedTasks tasks) {
        List<Seen> sample = new ArrayList<>();
        look.locks()
                .locks()
                .forEach((name, lock) ->
                        locks.merge(name, lock, (then, now) -> now.ownerStack().isEmpty() ? then : now));
        IdentityHashMap<Object, Result> results = tasks.find(look.blockers(), pool);
        for (int i = 0; i < look.sample().size(); i++) {
            WorkerLook worker = look.sample().get(i);
            Object blocker = look.blockers().get(i);
            Result result =
                    blocker == null ? AwaitedTasks.UNKNOWN : results.getOrDefault(blocker, AwaitedTasks.UNKNOWN);
            if (samples != null) {
                samples.stack(worker, result, locks, census);
            }
            sample.add(new Seen(
                    worker.info().getThreadName(),
                    worker.info().getThreadId(),
                    worker.stratum(),
                    worker.doing(),
                    worker.place(),
                    worker.stack(),
                    Optional.ofNullable(worker.object()).orElse(""),
                    result,
                    look.mayInitialise().contains(worker)));
        }
        seen.addAll(sample);
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
            closed.breakdown(breakdown(window));
        } else {
            perSecond(window).ifPresent(times -> closed.breakdown(unseen(window, times)));
        }
        worked = works;
        works = false;
        census.clear();
        seen.clear();
        locks.clear();
        lines.clear();
        changing.age();
        longest.clear();
        return closed.build();
    }

    private TimeBreakdown breakdown(PoolWindow window) {
        List<Seen> resolved = ClassInitialisation.resolved(seen, locks);
        Map<LimitedResource, Optional<ResourceNames.Named>> asked = new EnumMap<>(LimitedResource.class);
        return new TimeBreakdown(
                census.workers(),
                census.looks(),
                seen.size(),
                Breakdown.of(census.means(), resolved, one -> awaited(one, asked), perSecond(window)),
                longest.stacks());
    }

    /** No look was taken, so nothing is known but the system's times. */
    private static TimeBreakdown unseen(PoolWindow window, ThreadTimes times) {
        double workers = window.after().size();
        double busy = window.isMeasured() ? Math.min(workers, window.busyWorkers()) : workers;
        return new TimeBreakdown(workers, 0, 0, Breakdown.ofTimes(workers, busy, times), Map.of());
    }

    private static Optional<ThreadTimes> perSecond(PoolWindow window) {
        return window.workerTimes().map(times -> times.times(1 / window.seconds()));
    }

    private Optional<Awaited> awaited(Seen one, Map<LimitedResource, Optional<ResourceNames.Named>> asked) {
        return switch (one.doing()) {
            case WAITING_FOR_LOCK -> one.object().isEmpty() ? Optional.empty() : Optional.of(lock(one));
            case WAITING_FOR_RESULT -> Optional.of(one.result());
            case WAITING_IN_LINE -> line(one, asked);
            default -> Optional.empty();
        };
    }

    private Lock lock(Seen one) {
        Lock known = locks.getOrDefault(
                one.object(), new Lock(one.object(), one.isMonitor(), Optional.empty(), List.of(), 0));
        String type = one.objectClass();
        if (type.startsWith(MAP_BIN)) {
            return named(known, "a bin of a ConcurrentHashMap" + mapMethod(one.stack()));
        }
        return changing.isChanging(one.place(), type) ? named(known, type) : known;
    }

    private static Lock named(Lock lock, String name) {
        return new Lock(name, lock.monitor(), lock.owner(), lock.ownerStack(), lock.otherWaiters());
    }

    private static String mapMethod(List<StackTraceElement> stack) {
        return stack.stream()
                .filter(frame -> frame.getClassName().equals("java.util.concurrent.ConcurrentHashMap"))
                .reduce((above, below) -> below)
                .map(frame -> " (" + frame.getMethodName() + ")")
                .orElse("");
    }

    private Optional<Awaited> line(Seen one, Map<LimitedResource, Optional<ResourceNames.Named>> asked) {
        OptionalInt served = lines.served(one.place());
        Optional<LimitedResource> resource = LimitedResource.of(one.stack());
        if (resource.isPresent()) {
            return Optional.of(asked.computeIfAbsent(resource.get(), names::of)
                    .map(named -> new Awaited.Line(named.name(), true, served, named.capacity(), named.inUse()))
                    .orElse(new Awaited.Line(
                            resource.get().description(), true, served, OptionalInt.empty(), OptionalInt.empty())));
        }
        Optional<String> queue = Waits.fullQueue(one.stack());
        if (queue.isPresent()) {
            String name = "room in a full " + queue.get();
            return Optional.of(new Awaited.Line(name, true, served, OptionalInt.empty(), OptionalInt.empty()));
        }
        if (one.object().isEmpty()) {
            return Optional.empty();
        }
        String type = one.objectClass();
        String name = changing.isChanging(one.place(), type)
                ? type
                : one.object().replaceFirst("^(java\\.util\\.concurrent\\.Semaphore)\\$\\w+@", "$1@");
        boolean isLimited = one.stratum().isSemaphore();
        return Optional.of(new Awaited.Line(name, isLimited, served, OptionalInt.empty(), OptionalInt.empty()));
    }
}
