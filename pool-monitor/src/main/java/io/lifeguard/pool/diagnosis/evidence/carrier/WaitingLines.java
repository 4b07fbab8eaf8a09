package io.lifeguard.pool.diagnosis.evidence.carrier;

import io.lifeguard.pool.Distribution;
import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.Pools;
import io.lifeguard.pool.diagnosis.evidence.Lines;
import io.lifeguard.pool.diagnosis.evidence.lock.LockOwners;
import io.lifeguard.pool.diagnosis.evidence.lock.MonitorDumps;
import io.lifeguard.pool.diagnosis.evidence.lock.MonitorOwners;
import io.lifeguard.pool.diagnosis.evidence.lock.TaskThreads;
import io.lifeguard.pool.diagnosis.evidence.stack.LimitedResource;
import io.lifeguard.pool.diagnosis.evidence.stack.OwnPorts;
import io.lifeguard.pool.diagnosis.evidence.stack.ResourceNames;
import io.lifeguard.pool.diagnosis.evidence.stack.StackSampler;
import io.lifeguard.pool.diagnosis.evidence.stack.Stratum;
import io.lifeguard.pool.diagnosis.evidence.stack.ThreadLook;
import io.lifeguard.pool.diagnosis.evidence.stack.ThreadPicture;
import io.lifeguard.pool.diagnosis.evidence.stack.Waits;
import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.diagnosis.window.WaitingThreads;
import io.lifeguard.pool.diagnosis.window.WaitingThreads.Kind;
import io.lifeguard.pool.diagnosis.window.WaitingThreads.Stopped;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counts the threads of executors with a thread per task by what they wait for. Confined to the monitor's thread.
 *
 * <p>A look asks up to {@value #SAMPLE} threads of an executor for state and blocker, and takes no stack: 0.1 ms,
 * however many threads there are. At the end of a window the largest groups that were there at each look get some
 * stacks, which tell what they wait for and where: 0.05 ms each.
 */
public final class WaitingLines {

    /** A group that is a tenth of all threads has 50 of these; to ask one takes 0.15 µs. */
    private static final int SAMPLE = 500;

    /** Fewer threads are no queue worth a finding, whatever the rule's threshold is. */
    private static final int FEWEST = 8;

    /** Groups of one executor that are told: the three longest show what most threads wait for. */
    private static final int MOST_GROUPS = 3;

    /** Of so many threads of a group, all must wait at the same line of code. */
    private static final int STACKS = 3;

    /** Among so many threads of an executor the holder of a lock is looked for: 1 ms. */
    private static final int MOST_SEARCHED = 10_000;

    /** Stacks that may tell who holds a monitor, at 30 µs each. Whoever holds it is one of the few that do not wait. */
    private static final int MOST_CONCLUDED = 64;

    private static final String BLOCKED = "monitor";

    private final ResourceNames names = ResourceNames.ofThisProcess();
    private final MonitorDumps dumps;
    private final Map<String, Held> held =
            new HashMap<>(); // by the place where threads wait, as the latest dump showed
    private final Map<InstrumentedPool, Lines> lines = new WeakHashMap<>();
    private List<ThreadBands> bands = List.of(); // of the latest window
    private boolean isStill; // nothing queues, as several looks showed, and nothing has changed since
    private @Nullable LockOwners owners; // made for the first lock that is asked about

    /** A monitor, and who held it when it was last asked. */
    private record Held(String monitor, String holder) {
        static final Held UNKNOWN = new Held("", "");
    }

    /**
     * Creates a count.
     *
     * @param nanos the monotonic clock
     */
    public WaitingLines(LongSupplier nanos) {
        this.dumps = new MonitorDumps(nanos, ManagementFactory.getThreadMXBean());
    }

    /**
     * {@return the library or class that lends what a thread waits for, as far as its frames tell}
     *
     * @param stack a stack, top first, not null
     */
    public static Optional<String> lender(List<StackTraceElement> stack) {
        return LimitedResource.of(stack).map(LimitedResource::description).or(() -> LimitedResource.byName(stack));
    }

    /** {@return how many virtual threads these executors have} */
    public static long threadsOf(Collection<InstrumentedPool> pools) {
        return pools.stream().mapToLong(TaskThreads::count).sum();
    }

    /** {@return whether one look is enough in the present window, because nothing happened in the latest one} */
    public boolean areStill() {
        return isStill;
    }

    public void look(Collection<InstrumentedPool> pools) {
        dumps.see(pools);
        for (InstrumentedPool pool : pools) {
            int count = pool.threadCount();
            if (count >= FEWEST && TaskThreads.count(pool) > 0) { // threads per task may also be platform threads
                lines.computeIfAbsent(pool, key -> new Lines(key.snapshot())).look(pool.threads(SAMPLE), count);
            }
        }
    }

    public List<WaitingThreads> advance(Collection<InstrumentedPool> pools, double seconds) {
        // a line holds threads, and these may hold the pool: the weak key alone would not free one that has terminated
        lines.keySet().retainAll(new HashSet<>(pools));
        List<WaitingThreads> found = new ArrayList<>();
        List<ThreadBands> all = new ArrayList<>();
        boolean changes = false;
        boolean isKnown = true;
        for (InstrumentedPool pool : pools) {
            Lines mine = lines.get(pool);
            if (mine != null) {
                isKnown &= mine.looks > 1 || isStill;
                changes |= mine.advance(pool, seconds, found, all);
            }
        }
        isStill = isKnown && !changes && found.isEmpty();
        bands = all;
        return found;
    }

    public List<ThreadBands> bands() {
        return bands;
    }

    /** The lines of one executor, in one window. */
    private final class Lines {
        private Map<Stratum, Group> groups = new HashMap<>();
        private final Map<Stratum, Others> others = new HashMap<>(); // of queues that were there in the last window
        private Map<Stratum, Integer> counts = new HashMap<>(); // of threads, over all looks
        private Set<Stratum> kinds = Set.of(); // of waits in the last window
        private double mean; // of threads, in the last window
        private int looks;
        private double threads; // sum over all looks
        private long completedBefore;
        private long begunBefore;
        private double stoppedSeconds; // no thread has ended for so long
        private long begunSince; // threads, in that time
        private boolean isQuiet; // none has begun in the latest window

        Lines(PoolSnapshot now) {
            completedBefore = now.completed();
            begunBefore = now.submitted();
        }

        void look(List<Thread> sample, int count) {
            Map<Stratum, Integer> now = new HashMap<>();
            for (Thread thread : sample) {
                Stratum stratum = stratum(thread);
                counts.merge(stratum, 1, Integer::sum);
                if (!stratum.blocker().isEmpty() || waitsForAnswer(stratum)) {
                    now.merge(stratum, 1, Integer::sum);
                    groups.computeIfAbsent(stratum, key -> new Group(looks)).see(thread);
                }
            }
            double scale = sample.isEmpty() ? 0 : (double) count / sample.size();
            looks++;
            threads += count;
            groups.forEach((stratum, group) -> group.count(now.getOrDefault(stratum, 0) * scale));
        }

        /** Parked on nothing, and not for a time. */
        private static boolean waitsForAnswer(Stratum stratum) {
            return stratum.state() == Thread.State.WAITING && stratum.blocker().isEmpty();
        }

        /** Threads that wait for the same lock or semaphore, or on objects of the same class. */
        private Stratum stratum(Thread thread) {
            Thread.State state = thread.getState();
            if (state == Thread.State.BLOCKED) {
                return new Stratum(false, state, BLOCKED, 0);
            }
            if (!Stratum.isWaiting(state)) {
                return new Stratum(false, state, "", 0);
            }
            Object blocker = LockSupport.getBlocker(thread);
            Stratum stratum = Stratum.of(blocker == null ? state : Thread.State.WAITING, blocker);
            boolean isOfOne = stratum.isSemaphore() || stratum.isCondition() || Waits.forLock(stratum.blocker());
            return isOfOne ? stratum : stratum.ofClass();
        }

        /**
         * Threads that began together end together, so twice the time that a task takes on average must have passed.
         */
        private Optional<Stopped> stopped(PoolSnapshot now) {
            Distribution tasks = now.serviceTime();
            double usual = tasks.isKnown() && tasks.count() > 0 ? tasks.mean().toNanos() / 1e9 : 0;
            return begunSince > 0 && stoppedSeconds > 2 * usual
                    ? Optional.of(new Stopped(Duration.ofNanos(Math.round(stoppedSeconds * 1e9)), begunSince))
                    : Optional.empty();
        }

        /** {@return whether there are more or fewer threads, or others, or they wait for other things than before} */
        boolean advance(InstrumentedPool pool, double seconds, List<WaitingThreads> found, List<ThreadBands> all) {
            Map<Stratum, WaitingThreads> described = new HashMap<>();
            PoolSnapshot now = pool.snapshot();
            long ended = now.completed() - completedBefore;
            stoppedSeconds = ended == 0 ? stoppedSeconds + seconds : 0;
            begunSince = ended == 0 ? begunSince + now.submitted() - begunBefore : 0;
            isQuiet = now.submitted() == begunBefore;
            completedBefore = now.completed();
            begunBefore = now.submitted();
            Optional<Stopped> stopped = stopped(now);
            if (looks > 1) {
                double rate = ended / seconds;
                groups.entrySet().stream()
                        .filter(entry -> entry.getValue().least >= FEWEST
                                && (stopped.isPresent() || !waitsForAnswer(entry.getKey())))
                        .sorted((one, other) -> Double.compare(other.getValue().least, one.getValue().least))
                        .limit(MOST_GROUPS)
                        .forEach(entry -> {
                            Group group = entry.getValue();
                            Others mean = others.computeIfAbsent(entry.getKey(), key -> new Others());
                            mean.add(Math.max(0, threads - group.sum), looks);
                            describe(pool, entry.getKey(), group, mean, rate, isQuiet, stopped)
                                    .ifPresent(line -> {
                                        found.add(line);
                                        described.put(entry.getKey(), line);
                                    });
                        });
            }
            others.keySet().retainAll(described.keySet());
            if (!counts.isEmpty()) {
                all.add(ThreadBands.of(pool.name(), threads / looks, counts, described));
            }
            double count = looks == 0 ? 0 : threads / looks;
            boolean changes = ended != 0 || count != mean || !counts.keySet().equals(kinds);
            mean = count;
            kinds = counts.keySet();
            counts = new HashMap<>();
            groups = new HashMap<>();
            looks = 0;
            threads = 0;
            return changes;
        }
    }

    private Optional<WaitingThreads> describe(
            InstrumentedPool pool,
            Stratum stratum,
            Group group,
            Others others,
            double rate,
            boolean isQuiet,
            Optional<Stopped> stopped) {
        List<StackTraceElement> stack = group.stack();
        if (stack.isEmpty()) {
            return Optional.empty();
        }
        boolean isBlocked = stratum.state() == Thread.State.BLOCKED; // at a monitor, which a library may use inside
        Optional<LimitedResource> resource = isBlocked ? Optional.empty() : LimitedResource.of(stack);
        Optional<ResourceNames.Named> named = resource.flatMap(names::of);
        Kind kind = kind(stratum, stack, resource);
        boolean isToldWhileStopped = kind == Kind.ROOM || kind == Kind.RESULT;
        boolean isAnswer = stratum.blocker().isEmpty();
        boolean mayBeConsumers = isQuiet && (isAnswer || stratum.isCondition()); // their number no longer grows
        if (kind == null
                || (isToldWhileStopped
                        && (stopped.isEmpty()
                                || mayBeConsumers
                                || Waits.forLimitedTime(stack)
                                || (isAnswer && mayServe(group.least))))) {
            return Optional.empty();
        }
        Held monitor = kind == Kind.MONITOR ? held(pool, UserFrames.place(stack), group) : Held.UNKNOWN;
        boolean isExclusive = kind == Kind.MONITOR || (kind == Kind.LOCK && !Waits.mayBeShared(stratum.blocker()));
        String object = resource.flatMap(known -> named.map(its -> known.library + "'s " + its.name()))
                .or(() -> resource.map(LimitedResource::description))
                .or(() -> kind == Kind.CONNECTION ? LimitedResource.byName(stack) : Optional.empty())
                .or(() ->
                        monitor.monitor.isEmpty() ? Optional.empty() : Optional.of("the monitor of " + monitor.monitor))
                .or(() -> kind == Kind.ROOM ? Waits.handOver(stack) : Optional.empty())
                .or(() -> kind == Kind.RESULT ? Optional.of(Waits.brought(stack)) : Optional.empty())
                .orElseGet(() -> stratum.object() == null ? "a monitor" : text(String.valueOf(stratum.object())));
        return Optional.of(new WaitingThreads(
                pool.name(),
                kind,
                object,
                isExclusive
                        ? OptionalInt.of(1)
                        : named.map(ResourceNames.Named::capacity).orElse(OptionalInt.empty()),
                named.map(ResourceNames.Named::inUse).orElse(OptionalInt.empty()),
                (int) Math.round(group.least),
                others.sum / others.looks,
                others.looks,
                rate <= 0
                        ? Duration.ofDays(1)
                        : Duration.ofNanos(Math.round(1e9 * Math.min(86_400, group.least / rate))),
                UserFrames.place(stack),
                stack.stream().map(StackTraceElement::toString).toList(),
                kind == Kind.LOCK ? holder(group.thread()) : monitor.holder,
                stopped));
    }

    /** Whether so many threads may read what clients send: the process has made fewer connections itself. */
    private static boolean mayServe(double threads) {
        return OwnPorts.outgoing(Path.of("/proc/self")) < threads;
    }

    /**
     * Who holds a monitor. The answer may be old: to ask takes a dump of all threads, from Java 25 on. Where that can
     * crash the JVM, stacks may tell.
     */
    private Held held(InstrumentedPool pool, String place, Group group) {
        if (!dumps.areKnown()) {
            return new Held("", likelyHolder(pool, group));
        }
        if (dumps.isDue()) {
            List<InstrumentedPool> pools = Pools.live();
            dumps.take(threadsOf(pools), pools);
            held.clear();
        }
        MonitorOwners monitors = dumps.owners();
        for (Thread thread : group.some) {
            long id = ThreadLook.id(thread);
            OptionalLong owner = monitors.holderOfWhatBlocks(id);
            if (owner.isPresent() && !held.containsKey(place)) {
                String at = monitors.placeOf(owner.getAsLong());
                held.put(
                        place,
                        new Held(monitors.whatBlocks(id), "#" + owner.getAsLong() + (at.isEmpty() ? "" : " at " + at)));
            }
        }
        return held.getOrDefault(place, Held.UNKNOWN);
    }

    private static String likelyHolder(InstrumentedPool pool, Group group) {
        List<ThreadLook> waiters = looks(group.some.stream().filter(WaitingLines::isBlocked));
        List<ThreadLook> all = new ArrayList<>(waiters);
        all.addAll(looks(pool.threads(MOST_SEARCHED).stream()
                .filter(thread -> !isBlocked(thread))
                .limit(MOST_CONCLUDED)));
        ThreadLook holder = ThreadPicture.of(all).likelyHolder(waiters);
        return holder == null ? "" : "#" + holder.id() + " at " + holder.place() + " (by its stack)";
    }

    private static boolean isBlocked(Thread thread) {
        return thread.getState() == Thread.State.BLOCKED;
    }

    private static List<ThreadLook> looks(Stream<Thread> threads) {
        return threads.map(thread -> ThreadLook.ofVirtual(thread, StackSampler.HOLDER_DEPTH))
                .filter(Objects::nonNull)
                .toList();
    }

    static @Nullable Kind kind(Stratum stratum, List<StackTraceElement> stack, Optional<LimitedResource> resource) {
        if (stratum.state() == Thread.State.BLOCKED) {
            return Kind.MONITOR;
        }
        if (resource.isPresent()) {
            return Kind.CONNECTION;
        }
        if (Waits.forLock(stratum.blocker())) {
            return Kind.LOCK;
        }
        if (stratum.isSemaphore()) {
            return Kind.PERMIT;
        }
        if (Waits.handOver(stack).isPresent()) {
            return Kind.ROOM;
        }
        return LimitedResource.byName(stack).isPresent()
                ? Kind.CONNECTION
                : stratum.isCondition()
                                || stratum.blocker().isEmpty()
                                || Waits.awaitedResult(stack).isPresent()
                        ? Kind.RESULT
                        : null;
    }

    /** The JDK's nested class says nothing to the reader. */
    private static String text(String object) {
        return object.replaceAll("\\$(Nonfair|Fair)?Sync@", "@");
    }

    private String holder(@Nullable Thread waiter) {
        Object blocker = waiter == null ? null : LockSupport.getBlocker(waiter);
        if (blocker == null) {
            return "";
        }
        LockOwners known = owners;
        if (known == null) {
            known = new LockOwners();
            owners = known;
        }
        return known.of(blocker).map(this::title).orElse("");
    }

    private String title(LockOwners.Owner owner) {
        String name = (owner.name().isEmpty() ? "" : "\"" + owner.name() + "\" ") + "#" + owner.id();
        for (InstrumentedPool pool : lines.keySet()) {
            for (Thread thread : pool.threads(MOST_SEARCHED)) {
                if (ThreadLook.id(thread) == owner.id()) {
                    ThreadLook seen = ThreadLook.ofVirtual(thread, StackSampler.HOLDER_DEPTH);
                    return seen == null ? name : name + " at " + UserFrames.place(seen.stack());
                }
            }
        }
        return name;
    }

    /** How many threads of an executor do not wait in a queue, over all windows in which there was one. */
    private static final class Others {

        /** Looks of a minute. Beyond that, older looks lose half their weight about every half minute. */
        private static final int MOST_LOOKS = 240;

        private double sum;
        private int looks;

        void add(double threads, int count) {
            if (looks > MOST_LOOKS) {
                sum /= 2;
                looks /= 2;
            }
            sum += threads;
            looks += count;
        }
    }

    /** Threads that wait for the same thing, or on things of the same class. */
    private static final class Group {
        private final List<Thread> some = new ArrayList<>(STACKS);
        private double least = Double.MAX_VALUE;
        private double sum;
        private int seen;

        Group(int looksBefore) {
            if (looksBefore > 0) {
                least = 0; // it was not there at the first look
            }
        }

        void see(Thread thread) {
            if (some.size() < STACKS) {
                some.add(thread);
            } else if (++seen % 64 == 0) { // threads of later looks, which still wait
                some.set(seen / 64 % STACKS, thread);
            }
        }

        void count(double threads) {
            least = Math.min(least, threads);
            sum += threads;
        }

        @Nullable
        Thread thread() {
            return some.isEmpty() ? null : some.get(0);
        }

        /** The stack of one, if all still wait and do so at the same place. */
        List<StackTraceElement> stack() {
            List<StackTraceElement> first = List.of();
            String place = null;
            for (Thread thread : some) {
                ThreadLook seenThread = ThreadLook.ofVirtual(thread, StackSampler.HOLDER_DEPTH);
                if (seenThread == null || seenThread.state() == Thread.State.RUNNABLE) {
                    continue; // it has gone on
                }
                String its = UserFrames.place(seenThread.stack());
                if (place != null && !place.equals(its)) {
                    return List.of();
                }
                place = its;
                first = seenThread.stack();
            }
            return first;
        }
    }
}
