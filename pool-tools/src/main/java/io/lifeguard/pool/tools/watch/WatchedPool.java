package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.PoolSnapshot.Caller;
import io.lifeguard.pool.PoolSnapshot.Saturation;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.PoolDiagnosis;
import io.lifeguard.pool.diagnosis.bottleneck.Standstill;
import io.lifeguard.pool.diagnosis.evidence.DumpEvidence;
import io.lifeguard.pool.diagnosis.evidence.DumpEvidence.Worker;
import io.lifeguard.pool.diagnosis.evidence.WaitChains;
import io.lifeguard.pool.diagnosis.evidence.cpu.OtherProcess;
import io.lifeguard.pool.diagnosis.evidence.loop.DumpedEventLoops;
import io.lifeguard.pool.diagnosis.outside.CallerFrames;
import io.lifeguard.pool.diagnosis.seen.EventLoopLooks;
import io.lifeguard.pool.diagnosis.seen.Peer;
import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.diagnosis.seen.WaitChain;
import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.lifeguard.pool.diagnosis.window.WorkerWindow;
import io.lifeguard.pool.tools.dumps.DumpedThread;
import io.lifeguard.pool.tools.dumps.Selectors;
import io.lifeguard.pool.tools.dumps.ThreadDump;
import io.lifeguard.pool.tools.watch.PoolFinder.FoundPool;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One pool of another JVM, with what was seen of it. Not thread-safe. */
public final class WatchedPool {

    /** How long windows are meant to be. */
    public static final Duration WINDOW = Duration.ofSeconds(1);

    /** A dump stands for no longer than that. */
    private static final long LONGEST_STEP = WINDOW.toNanos();

    /** Fewer dumps may meet a pool between two bursts by chance. */
    private static final int FEWEST_BUSY_LOOKS = 4;

    private static final int MOST_BUSY = 3; // pools

    private final String name;
    private final DumpEvidence evidence = new DumpEvidence();
    private final DumpedEventLoops loops = new DumpedEventLoops();
    private final KeptFrames frames = new KeptFrames();
    private final PoolDiagnosis diagnosis;
    private final Optional<Picture> picture;
    private final Map<String, Caller> callers = new HashMap<>(); // by thread
    private PoolKind kind;
    private List<DumpedThread> workers = List.of(); // in the latest dump
    private @Nullable PoolSnapshot before;
    private @Nullable PoolWindow window;
    private long lastNanos;
    private boolean hasLooked;
    private long looks;
    private Set<String> circle = Set.of(); // in each dump of this window the same
    private @Nullable DumpedScene scene; // the latest, or the latest that names owners, while nobody moves
    private int busyLooks; // dumps of this window in which each worker did something itself

    /** Makes a pool of which nothing was seen yet. */
    public WatchedPool(FoundPool first, FindingListener listener, Optional<Picture> picture) {
        this.name = first.name();
        this.kind = first.kind();
        this.diagnosis = new PoolDiagnosis(listener);
        this.picture = picture;
    }

    /**
     * Adds what a dump shows of the pool. A pool that is not in it has no workers then.
     *
     * @param nanos the time of the dump
     */
    public void see(FoundPool pool, ThreadDump dump, AwaitedResults results, long nanos) {
        kind = kind == PoolKind.CARRIERS ? kind : pool.kind(); // idle carriers look like other workers
        workers = pool.workers();
        looks++;
        List<Worker> all = workers.stream()
                .map(worker -> worker(worker, dump, results.of(worker)))
                .toList();
        Set<String> waiting = results.circle();
        circle = evidence.dumps() == 0 || circle.equals(waiting) ? waiting : Set.of();
        evidence.see(all);
        frames.see(workers, nanos);
        busyLooks += areAllBusy(all) ? 1 : 0;
        picture.ifPresent(drawn -> all.forEach(worker -> drawn.look(name, worker)));
        if (kind == PoolKind.EVENT_LOOPS) {
            loops.see(nanos, workers.stream().map(worker -> loop(worker, dump)).toList());
        }
        if (before == null) {
            before = snapshot(nanos);
        }
        findCallers(dump, nanos);
    }

    /** A pool whose workers mostly wait for results brings none to others, and one of the JDK's own has no queue. */
    private static boolean areAllBusy(List<Worker> all) {
        long waiting = all.stream()
                .filter(worker -> worker.doing() == Doing.WAITING_FOR_RESULT)
                .count();
        return 2 * waiting < all.size()
                && all.stream().noneMatch(worker -> worker.doing() == Doing.IDLE)
                && all.stream().flatMap(worker -> worker.stack().stream()).anyMatch(frame -> !UserFrames.isJdk(frame));
    }

    /** Sets where the pool's threads are seen among all. */
    void in(DumpedScene latest) {
        scene = latest.namesOwners() || scene == null || !scene.namesOwners() ? latest : scene;
    }

    /** The same window with what its workers wait for, if none has moved. */
    private PoolWindow chained(PoolWindow alone) {
        DumpedScene seen = scene;
        if (seen == null || !Standstill.hasStopped(alone)) {
            scene = null;
            return alone;
        }
        return WaitChains.of(name, seen)
                .map(chain -> alone.toBuilder().seen(WaitChain.class, chain).build())
                .orElse(alone);
    }

    /** The pool was not in a dump. */
    public void seeNobody() {
        workers = List.of();
    }

    private DumpedEventLoops.Loop loop(DumpedThread thread, ThreadDump dump) {
        return new DumpedEventLoops.Loop(
                thread.name(),
                id(thread),
                thread.state(),
                thread.stack(),
                thread.waitsFor().map(DumpedThread.Lock::type).orElse(""),
                wantedLock(thread, dump));
    }

    private Optional<Awaited.Lock> wantedLock(DumpedThread thread, ThreadDump dump) {
        return thread.doing() == Doing.WAITING_FOR_LOCK
                ? thread.waitsFor().map(lock -> lock(thread, lock, dump))
                : Optional.empty();
    }

    private Worker worker(DumpedThread thread, ThreadDump dump, Awaited.Result result) {
        String object = thread.waitsFor().map(DumpedThread.Lock::name).orElse("");
        return new Worker(
                thread.name(),
                id(thread),
                thread.state(),
                Selectors.doing(thread),
                thread.stack(),
                object,
                wantedLock(thread, dump),
                result);
    }

    private Awaited.Lock lock(DumpedThread waiter, DumpedThread.Lock lock, ThreadDump dump) {
        Optional<DumpedThread> owner = dump.picture().holder(lock);
        Set<DumpedThread> own = new HashSet<>(workers);
        long others = dump.threads().stream()
                .filter(thread -> !own.contains(thread)
                        && thread.doing() == Doing.WAITING_FOR_LOCK
                        && thread.waitsFor().filter(lock::equals).isPresent())
                .count();
        return new Awaited.Lock(
                lock.name(),
                waiter.state() == Thread.State.BLOCKED,
                owner.map(DumpedThread::name),
                owner.map(DumpedThread::stack).orElse(List.of()),
                others);
    }

    private static long id(DumpedThread thread) {
        return thread.nativeId().orElse(-1 - (long) (thread.name().hashCode() & Integer.MAX_VALUE));
    }

    /** Finds threads that run tasks of this pool themselves: the tasks begin as those of a worker do. */
    private void findCallers(ThreadDump dump, long nanos) {
        long step = hasLooked ? Math.max(0, Math.min(LONGEST_STEP, nanos - lastNanos)) : 0;
        hasLooked = true;
        lastNanos = nanos;
        Set<DumpedThread> own = new HashSet<>(workers);
        Set<String> tasks = workers.stream()
                .flatMap(worker -> CallerFrames.taskRunByWorker(worker.stack()).stream())
                .collect(Collectors.toSet());
        long idle =
                workers.stream().filter(worker -> worker.doing() == Doing.IDLE).count();
        for (DumpedThread thread : dump.threads()) {
            boolean isKnown = callers.containsKey(thread.name());
            CallerFrames.taskRunByCaller(thread.stack())
                    .filter(task -> !own.contains(thread) && (isKnown || tasks.contains(task)))
                    .ifPresent(task -> callers.merge(
                            thread.name(),
                            new Caller(thread.name(), 1, Duration.ZERO, 0),
                            (then, now) -> longer(then, step, idle)));
        }
    }

    private static Caller longer(Caller then, long step, long idle) {
        double nanos = then.time().toNanos() + (double) step;
        double idleNanos = then.time().toNanos() * then.idleWorkers() + (double) step * idle;
        return new Caller(
                then.thread(),
                then.runs() + 1,
                Duration.ofNanos(Math.round(nanos)),
                nanos == 0 ? 0 : idleNanos / nanos);
    }

    private PoolSnapshot snapshot(long nanos) {
        int busy = (int) workers.stream()
                .filter(worker -> Selectors.doing(worker) != Doing.IDLE)
                .count();
        int unknown = (int) PoolSnapshot.UNKNOWN;
        return PoolSnapshot.builder(name)
                .nanoTime(nanos)
                .load(new PoolSnapshot.Load(workers.size(), busy, unknown, Duration.ZERO))
                .limits(new PoolSnapshot.Limits(workers.size(), workers.size(), 0))
                .counts(new PoolSnapshot.Counts(PoolSnapshot.UNKNOWN, PoolSnapshot.UNKNOWN, 0, 0, 0, 0))
                .saturation(new Saturation(
                        0, 0, Duration.ZERO, Map.of(), List.copyOf(callers.values()), List.of(), List.of()))
                .build();
    }

    /** {@return the pool as others see it, read when they ask; executors of one thread each where it is no pool} */
    List<Peer> peers(OtherProcess process) {
        if (!areExecutorsOfOneThread()) {
            return List.of(new Peer(name, false, () -> use(workers, process)));
        }
        List<Peer> each = new ArrayList<>();
        for (DumpedThread worker : workers) {
            String its = each.isEmpty() ? name : name + '#' + (each.size() + 1);
            each.add(new Peer(its, false, () -> use(List.of(worker), process)));
        }
        return each;
    }

    /** Whether the threads have one name, as of one factory, and each waits for tasks at a queue of its own. */
    private boolean areExecutorsOfOneThread() {
        List<String> queues = workers.stream()
                .filter(worker -> worker.doing() == Doing.IDLE)
                .flatMap(worker -> worker.waitsFor().map(DumpedThread.Lock::identity).stream())
                .toList();
        return queues.size() > 1
                && Set.copyOf(queues).size() == queues.size()
                && workers.stream().map(DumpedThread::name).distinct().count() == 1;
    }

    /** A worker whose age is unknown counts as new, and as working. */
    private static Peer.Use use(List<DumpedThread> workers, OtherProcess process) {
        double worked = 0;
        double idled = 0;
        for (long thread : ids(workers)) {
            double age = Math.max(0, process.ageOf(thread));
            double cpu = process.cpuOf(thread).map(time -> time.toNanos() / 1e9).orElse(age);
            worked += cpu;
            idled += Math.max(0, age - cpu);
        }
        int busy = (int) workers.stream()
                .filter(worker -> Selectors.doing(worker) != Doing.IDLE)
                .count();
        int unknown = (int) PoolSnapshot.UNKNOWN;
        return new Peer.Use(workers.size(), busy, unknown, PoolSnapshot.UNKNOWN, worked, idled);
    }

    /** {@return the sizes of the pools of which no dump of this window has shown an idle worker, by their names} */
    static Map<String, Integer> busy(Collection<WatchedPool> pools) {
        return pools.stream()
                .filter(WatchedPool::isBusyAllTheTime)
                .collect(Collectors.toMap(WatchedPool::name, WatchedPool::size));
    }

    /** So others' tasks may queue here. */
    private boolean isBusyAllTheTime() {
        return kind.isJudged()
                && kind != PoolKind.EVENT_LOOPS
                && busyLooks >= FEWEST_BUSY_LOOKS
                && busyLooks == evidence.dumps();
    }

    /** The system's numbers of its threads. */
    Set<Long> threads() {
        return ids(workers);
    }

    static Set<Long> ids(List<DumpedThread> threads) {
        return threads.stream()
                .flatMap(thread -> thread.nativeId().stream().boxed())
                .collect(Collectors.toSet());
    }

    /**
     * Closes the window and has it judged, unless everything stood still in it.
     *
     * @param times the system's times of the threads, by their numbers, not null
     * @param moved the numbers of the threads that are known to have been on a CPU otherwise, not null
     * @param busy the number of workers of each pool that was busy all the time, by its name, not null
     * @param nanos the same by the clock of the dumps
     * @param disturbed why the window must not be judged, if so
     */
    public void close(
            ProcessWindow process,
            Map<Long, ThreadTimes> times,
            Set<Long> moved,
            List<Peer> peers,
            Map<String, Integer> busy,
            Instant end,
            long nanos,
            Optional<String> disturbed) {
        PoolSnapshot now = snapshot(nanos);
        PoolSnapshot begin = before;
        before = now;
        if (begin == null || evidence.dumps() == 0) {
            return;
        }
        PoolWindow.Builder builder = PoolWindow.between(begin, now)
                .end(end)
                .process(process)
                .seen(Peer.All.class, () -> peers)
                .busyThreads(othersOf(busy))
                .waitsOfOthers(circle.contains(name) ? Map.of(name, circle) : Map.of())
                .workers(workers.stream()
                        .map(worker -> worker(worker, times, moved))
                        .toList());
        if (kind == PoolKind.EVENT_LOOPS) {
            builder.subject(PoolWindow.Subject.EVENT_LOOPS).seen(EventLoopLooks.class, loops.looks());
        }
        PoolWindow alone = chained(evidence.close(builder.build()));
        busyLooks = 0;
        if (!kind.isJudged()) {
            window = alone;
        } else if (disturbed.isPresent()) {
            diagnosis.enterUnseen(alone, WINDOW, disturbed.get());
        } else {
            window = diagnosis.enter(alone, WINDOW, true);
        }
        picture.ifPresent(drawn -> drawn.window(window == null ? alone : window));
    }

    /** Who waits for results may wait for one of them. A longer list is no answer. */
    private Map<String, Integer> othersOf(Map<String, Integer> busy) {
        Map<String, Integer> others = new HashMap<>(busy);
        others.remove(name);
        return others.size() > MOST_BUSY ? Map.of() : others;
    }

    private static WorkerWindow worker(DumpedThread thread, Map<Long, ThreadTimes> times, Set<Long> moved) {
        boolean isBusy = Selectors.doing(thread) != Doing.IDLE;
        Optional<ThreadTimes> known = Optional.ofNullable(times.get(id(thread)));
        WorkerWindow worker =
                new WorkerWindow(thread.name(), id(thread), isBusy, Optional.empty(), Duration.ZERO, known);
        return moved.contains(id(thread))
                ? new WorkerWindow(thread.name(), id(thread), isBusy, Optional.empty(), Duration.ZERO, known, true)
                : worker;
    }

    /** Whether the workers were on and off their CPUs in the latest window, so that they got results or tasks. */
    boolean hasMoved() {
        return window().flatMap(PoolWindow::workerTimes)
                .filter(times -> times.voluntarySwitches() + times.involuntarySwitches() >= workers.size())
                .isPresent();
    }

    /** Why an endless loop cannot be ruled out; empty where it can, or where something else is found. */
    Optional<String> loop() {
        return kind.isJudged() && kind != PoolKind.EVENT_LOOPS && findings().isEmpty()
                ? frames.words(name, lastNanos)
                : Optional.empty();
    }

    void end() {
        diagnosis.end();
    }

    String name() {
        return name;
    }

    PoolKind kind() {
        return kind;
    }

    int size() {
        return workers.size();
    }

    /** {@return what is known of it now} */
    public PoolView view() {
        return new PoolView(name, kind, size(), looks, window(), findings(), diagnosis.missing());
    }

    /** {@return the latest window; empty before the first has ended} */
    public Optional<PoolWindow> window() {
        return Optional.ofNullable(window);
    }

    List<Finding> findings() {
        return diagnosis.findings();
    }
}
