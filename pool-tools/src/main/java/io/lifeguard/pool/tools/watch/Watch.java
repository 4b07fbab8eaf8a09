package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.evidence.cpu.MonitorClock;
import io.lifeguard.pool.diagnosis.evidence.cpu.OtherProcess;
import io.lifeguard.pool.diagnosis.seen.Peer;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.lifeguard.pool.recording.Observation;
import io.lifeguard.pool.text.Units;
import io.lifeguard.pool.tools.dumps.ThreadDump;
import io.lifeguard.pool.tools.jvm.CannotLookException;
import io.lifeguard.pool.tools.watch.PoolFinder.FoundPool;
import io.lifeguard.pool.tools.watch.ThreadShapes.Shaped;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Watches the pools of another JVM: takes thread dumps, closes a window each second, and has it judged. Not
 * thread-safe.
 *
 * <p>The JVM stands still during a dump. Dumps are a tenth of a second apart, and at least a hundred times as far as
 * the quickest of the latest ten stopped the JVM; the first ten dumps at least twenty times as far. Where that is more
 * than a quarter of a second, windows are longer.
 */
public final class Watch {

    private static final int FEWEST_DUMPS = 4; // in a window

    /** Then a window is closed with fewer dumps: where CPUs are short, a dump may take for seconds. */
    private static final Duration LONGEST = Duration.ofSeconds(2);

    private static final int PAUSES_PER_DUMP = 100; // the JVM stands still for 1 % of the time

    /** Until ten dumps were taken. The first is slower than others, and must not delay the first verdict by seconds. */
    private static final int FIRST_PAUSES_PER_DUMP = 20;

    /** What {@code ps} sees for a third of a second counts if it lasts. */
    private static final int SUSPECT_WINDOWS = 4;

    private static final long SHORTEST_PAUSE = Duration.ofMillis(100).toNanos();
    private static final int REMEMBERED = 10; // dumps

    /** To list who holds locks, the JVM walks through its heap: 4 GiB take about a second. */
    private static final long LARGEST_HEAP = 4L << 30;

    private final Target target;
    private final MonitorClock clock;
    private final FindingListener listener;
    private final Optional<Picture> picture;
    private final OtherProcess process;
    private final DumpCost cost;
    private final Map<String, WatchedPool> pools = new LinkedHashMap<>(); // by name
    private final RenamedThreads names = new RenamedThreads();
    private final ThreadShapes shapes = new ThreadShapes();
    private final BusyGroups unjudged = new BusyGroups();
    private final Deque<ThreadDump> latestDumps = new ArrayDeque<>(); // one for each of the latest windows
    private final AwaitedResults results = new AwaitedResults();
    private final VirtualWatch virtualThreads;
    private final DeadlockWatch deadlocks;
    private final Deque<Long> costs = new ArrayDeque<>(); // for how many nanoseconds the latest dumps stopped the JVM
    private long windowBegan;
    private int dumps; // in this window
    private long longest; // dump of this window, in nanoseconds
    private long nextWithLocks;
    private boolean wantsLocks; // at the last dump a thread waited for a lock whose holder a plain dump does not name
    private long allDumps;
    private long windows;
    private ThreadDump latest = new ThreadDump("", List.of(), Map.of());

    /** Begins to watch. */
    public Watch(Target target, FindingListener listener) {
        this(target, listener, Optional.empty());
    }

    /** Begins to watch. */
    public Watch(Target target, FindingListener listener, Optional<Picture> picture) {
        this(target, listener, picture, MonitorClock.SYSTEM);
    }

    Watch(Target target, FindingListener listener, Optional<Picture> picture, MonitorClock clock) {
        this.target = target;
        this.listener = listener;
        this.picture = picture;
        this.clock = new ForwardClock(clock);
        this.process = new OtherProcess(target.pid(), this.clock);
        this.cost = new DumpCost(target.pid(), process);
        this.windowBegan = this.clock.nanoTime();
        this.nextWithLocks = windowBegan;
        this.virtualThreads = new VirtualWatch(target, listener, windowBegan);
        this.deadlocks = new DeadlockWatch(listener);
    }

    /**
     * Takes a dump, and closes the window if it is over.
     *
     * @return whether a window was closed
     */
    public boolean look() throws CannotLookException {
        long begin = clock.nanoTime();
        boolean withLocks = wantsLocks && begin - nextWithLocks >= 0 && isHeapSmall();
        cost.begin();
        ThreadDump dump = target.dump(withLocks);
        note(cost.end(target.lastAnswer()).toNanos(), withLocks, clock.nanoTime());
        long now = clock.nanoTime();
        latest = dump;
        see(dump, withLocks, now);
        allDumps++;
        if (allDumps == 1) {
            process.threadTimes(threads());
            windowBegan = now;
        }
        boolean isOver = now - windowBegan >= (dumps >= FEWEST_DUMPS ? WatchedPool.WINDOW : LONGEST).toNanos();
        if (isOver) {
            close(now);
        }
        return isOver;
    }

    private void note(long stopped, boolean withLocks, long now) {
        if (withLocks) {
            nextWithLocks = now + PAUSES_PER_DUMP * stopped;
        } else {
            costs.addLast(stopped);
            if (costs.size() > REMEMBERED) {
                costs.removeFirst();
            }
        }
        longest = Math.max(longest, target.lastAnswer().toNanos());
        dumps++;
    }

    /** {@return how long to wait before the next look} */
    public Duration pause() {
        long stopped = costs.isEmpty() ? 0 : Collections.min(costs);
        int times = costs.size() < REMEMBERED ? FIRST_PAUSES_PER_DUMP : PAUSES_PER_DUMP;
        return Duration.ofNanos(Math.max(SHORTEST_PAUSE, times * stopped));
    }

    private void see(ThreadDump dump, boolean withLocks, long now) {
        picture.ifPresent(drawn -> drawn.now(Observation.nanos(clock.now())));
        names.see(dump);
        Shaped threads = PoolFinder.find(dump, names::of, shapes);
        List<FoundPool> found = threads.pools();
        unjudged.see(threads.others());
        results.see(dump, found, this::hasMoved);
        pools.values().forEach(WatchedPool::seeNobody);
        DumpedScene scene = new DumpedScene(dump, found, results, target.pid(), withLocks);
        for (FoundPool pool : found) {
            WatchedPool watched = pools.computeIfAbsent(pool.name(), name -> new WatchedPool(pool, listener, picture));
            watched.see(pool, dump, results, now);
            watched.in(scene);
        }
        virtualThreads.see(
                dump,
                found.stream()
                        .filter(pool -> pool.kind() == PoolKind.CARRIERS)
                        .flatMap(pool -> pool.workers().stream())
                        .toList(),
                now);
        wantsLocks = found.stream()
                .flatMap(pool -> pool.workers().stream())
                .anyMatch(worker -> worker.doing() == Doing.WAITING_FOR_LOCK && worker.state() != Thread.State.BLOCKED);
    }

    private boolean hasMoved(String pool) {
        return Optional.ofNullable(pools.get(pool))
                .filter(WatchedPool::hasMoved)
                .isPresent();
    }

    private void close(long now) {
        ProcessWindow what = process.advance();
        Map<Long, ThreadTimes> times = process.threadTimes(threads());
        Optional<String> disturbed = longest >= WatchedPool.WINDOW.toNanos() && !isShortOfCpu(times, now - windowBegan)
                ? Optional.of(Units.format("the process took %s to answer", Units.time(Duration.ofNanos(longest))))
                : Optional.empty();
        List<Peer> peers = pools.values().stream()
                .filter(pool -> pool.kind().isJudged())
                .flatMap(pool -> pool.peers(process).stream())
                .toList();
        Map<String, Integer> busy = WatchedPool.busy(pools.values());
        pools.values().forEach(pool -> pool.close(what, times, Set.of(), peers, busy, clock.now(), now, disturbed));
        unjudged.close(times, windowBegan);
        latestDumps.addLast(latest);
        if (latestDumps.size() > SUSPECT_WINDOWS) {
            latestDumps.removeFirst();
        }
        virtualThreads.close(what, times, Duration.ofNanos(now - windowBegan), clock.now(), now, disturbed);
        deadlocks.close(
                latest, virtualThreads.latest(), virtualThreads.blindness().orElse(""), what, clock.now());
        pools.values().removeIf(pool -> {
            boolean isGone = pool.size() == 0;
            if (isGone) {
                pool.end();
            }
            return isGone;
        });
        windows++;
        windowBegan = now;
        dumps = 0;
        longest = 0;
    }

    /**
     * Whether one worker or more waited for a CPU on average. Then the answer had to wait for one as well. In a pause
     * of the collector workers do not want a CPU.
     */
    private static boolean isShortOfCpu(Map<Long, ThreadTimes> times, long nanos) {
        double delay = times.values().stream()
                .mapToDouble(each -> each.runQueueDelay().toNanos())
                .sum();
        return delay >= nanos;
    }

    private Set<Long> threads() {
        return Stream.concat(
                        pools.values().stream().flatMap(pool -> pool.threads().stream()), unjudged.threads().stream())
                .collect(Collectors.toSet());
    }

    private boolean isHeapSmall() {
        return target.status("VmRSS:")
                .map(kilobytes -> kilobytes.replaceAll("\\D", ""))
                .filter(digits -> !digits.isEmpty() && Long.parseLong(digits) < LARGEST_HEAP / 1024)
                .isPresent();
    }

    /** {@return the pools with threads, as they were found} */
    public List<PoolView> pools() {
        return Stream.concat(
                        pools.values().stream().map(WatchedPool::view),
                        Stream.of(virtualThreads.view(), deadlocks.view()).flatMap(Optional::stream))
                .toList();
    }

    /**
     * {@return whether a pool stands still, or may for so long that more windows would not tell} Workers that compute
     * in one method may leave it yet.
     */
    public boolean isDecided() {
        List<PoolView> now = pools();
        return windows >= Sight.FEWEST_WINDOWS
                && (now.stream().anyMatch(PoolView::isCritical)
                        || (now.stream().allMatch(pool -> pool.findings().isEmpty())
                                && (Sight.mayStandStill(now, latest)
                                        || unjudged.mayStandStill(windowBegan)
                                        || virtualThreads.mayStandStill())));
    }

    /** {@return why it would be a guess that nothing is wrong, if no pool has a finding; empty when enough was seen} */
    public Optional<String> obstacle() {
        return pools.values().stream()
                .flatMap(pool -> pool.loop().stream())
                .findFirst()
                .or(() -> Sight.obstacle(
                        pools(),
                        windows,
                        latest,
                        virtualThreads.areSeen() || unjudged.areAtRest(),
                        unjudged.words(windowBegan)))
                .or(virtualThreads::obstacle)
                .or(this::suspicion);
    }

    /** What {@code ps} would suspect in the latest windows, and no finding explains. */
    private Optional<String> suspicion() {
        return JvmList.suspicion(List.copyOf(latestDumps))
                .filter(suspicion -> pools.values().stream()
                        .allMatch(pool -> !pool.name().equals(suspicion.pool())
                                || pool.findings().isEmpty()))
                .map(suspicion -> suspicion.words() + ", and whether tasks queue cannot be seen from outside");
    }

    /** {@return what is not looked at, because the look could crash the JVM; empty when there is no such thing} */
    public Optional<String> blindness() {
        return virtualThreads.blindness();
    }

    /** {@return the JVM that is watched} */
    public Target target() {
        return target;
    }
}
