package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.PoolSnapshot.Caller;
import io.lifeguard.pool.PoolSnapshot.Saturation;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.PoolDiagnosis;
import io.lifeguard.pool.diagnosis.evidence.DumpEvidence;
import io.lifeguard.pool.diagnosis.evidence.DumpEvidence.Worker;
import io.lifeguard.pool.diagnosis.external.CallerFrames;
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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One pool of another JVM, with what was seen of it. Not thread-safe. */
final class WatchedPool {

    /** A dump stands for no longer than that. */
    private static final long LONGEST_STEP = Duration.ofSeconds(1).toNanos();

    private final String name;
    private final DumpEvidence evidence = new DumpEvidence();
    private final PoolDiagnosis diagnosis;
    private final Duration usual; // length of a window
    private final Map<String, Caller> callers = new HashMap<>(); // by thread
    private PoolKind kind;
    private List<DumpedThread> workers = List.of(); // in the latest dump
    private @Nullable PoolSnapshot before;
    private @Nullable PoolWindow window;
    private long lastNanos;
    private boolean hasLooked;
    private long looks;

    WatchedPool(FoundPool first, Duration usual, FindingListener listener) {
        this.name = first.name();
        this.kind = first.kind();
        this.diagnosis = new PoolDiagnosis(listener);
        this.usual = usual;
    }

    /** Adds what a dump shows of the pool. A pool that is not in it has no workers then. */
    void see(FoundPool pool, ThreadDump dump, AwaitedResults results, long nanos) {
        kind = kind == PoolKind.CARRIERS ? kind : pool.kind(); // idle carriers look like other workers
        workers = pool.workers();
        looks++;
        evidence.see(workers.stream()
                .map(worker -> worker(worker, dump, results.of(worker)))
                .toList());
        if (before == null) {
            before = snapshot(nanos);
        }
        findCallers(dump, nanos);
    }

    /** The pool was not in a dump. */
    void seeNobody() {
        workers = List.of();
    }

    private Worker worker(DumpedThread thread, ThreadDump dump, Awaited.Result result) {
        String object = thread.waitsFor().map(WatchedPool::name).orElse("");
        boolean wantsLock = thread.doing() == Doing.WAITING_FOR_LOCK;
        return new Worker(
                thread.name(),
                id(thread),
                thread.state(),
                Selectors.doing(thread),
                thread.stack(),
                object,
                wantsLock ? thread.waitsFor().map(lock -> lock(thread, lock, dump)) : Optional.empty(),
                result);
    }

    private Awaited.Lock lock(DumpedThread waiter, DumpedThread.Lock lock, ThreadDump dump) {
        Optional<DumpedThread> owner = dump.holder(lock);
        Set<DumpedThread> own = new HashSet<>(workers);
        long others = dump.threads().stream()
                .filter(thread -> !own.contains(thread)
                        && thread.doing() == Doing.WAITING_FOR_LOCK
                        && thread.waitsFor().filter(lock::equals).isPresent())
                .count();
        return new Awaited.Lock(
                name(lock),
                waiter.state() == Thread.State.BLOCKED,
                owner.map(DumpedThread::name),
                owner.map(DumpedThread::stack).orElse(List.of()),
                others);
    }

    /** Class and identity, as {@code com.example.Orders@ffd1b7d0}. */
    private static String name(DumpedThread.Lock lock) {
        return lock.type() + '@' + lock.identity().replaceFirst("^0x0*", "").replaceFirst("^.*@", "");
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

    /** The system's numbers of its threads. */
    Set<Long> threads() {
        return workers.stream()
                .flatMap(worker -> worker.nativeId().stream().boxed())
                .collect(Collectors.toSet());
    }

    /** Closes the window and has it judged, unless everything stood still in it. */
    void close(
            ProcessWindow process, Map<Long, ThreadTimes> times, Instant end, long nanos, Optional<String> disturbed) {
        PoolSnapshot now = snapshot(nanos);
        PoolSnapshot begin = before;
        before = now;
        if (begin == null || evidence.dumps() == 0) {
            return;
        }
        PoolWindow alone = evidence.close(PoolWindow.between(begin, now)
                .end(end)
                .process(process)
                .workers(workers.stream().map(worker -> worker(worker, times)).toList())
                .build());
        if (!kind.isJudged()) {
            window = alone;
        } else if (disturbed.isPresent()) {
            diagnosis.enterUnseen(alone, usual, disturbed.get());
        } else {
            window = diagnosis.enter(alone, usual, true);
        }
    }

    private static WorkerWindow worker(DumpedThread thread, Map<Long, ThreadTimes> times) {
        return new WorkerWindow(
                thread.name(),
                id(thread),
                Selectors.doing(thread) != Doing.IDLE,
                "(unknown)",
                Duration.ZERO,
                Optional.ofNullable(times.get(id(thread))));
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

    /** How many dumps have shown the pool. */
    long looks() {
        return looks;
    }

    /** The latest window; empty before the first has ended. */
    Optional<PoolWindow> window() {
        return Optional.ofNullable(window);
    }

    List<Finding> findings() {
        return diagnosis.findings();
    }

    /** What rules could not judge the latest window for want of. */
    Set<String> missing() {
        return diagnosis.missing();
    }
}
