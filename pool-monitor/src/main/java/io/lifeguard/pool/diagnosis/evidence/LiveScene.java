package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.evidence.cpu.WorkerTimes;
import io.lifeguard.pool.diagnosis.evidence.lock.LockOwners;
import io.lifeguard.pool.diagnosis.evidence.stack.OwnPorts;
import io.lifeguard.pool.diagnosis.evidence.stack.StackSampler;
import io.lifeguard.pool.diagnosis.evidence.stack.StackSource;
import io.lifeguard.pool.diagnosis.evidence.stack.ThreadLook;
import io.lifeguard.pool.diagnosis.seen.ClassMonitor;
import io.lifeguard.pool.diagnosis.seen.WaitChain;
import io.lifeguard.pool.diagnosis.system.OsState;
import io.lifeguard.pool.diagnosis.window.Awaited.Result;
import io.lifeguard.pool.os.LiveThreads;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The threads of this JVM, looked at when a chain asks about them. Confined to the monitor's thread; used within one
 * look, since it holds threads.
 */
final class LiveScene implements WaitChains.Scene {

    /** So many workers of one pool are looked at, 0.1 ms each. */
    private static final int MOST_WORKERS = 200;

    /** So many threads that wait for one object get a stack. */
    private static final int MOST_WAITERS = 16;

    private final StackSource stacks;
    private final Collection<AwaitedTasks.Candidate> pools;
    private final String own;
    private final Map<Long, Thread> threads = new HashMap<>();
    private final Map<Long, Long> nativeIds = new HashMap<>(); // of workers

    private LiveScene(StackSource stacks, Collection<AwaitedTasks.Candidate> pools, String own) {
        this.stacks = stacks;
        this.pools = pools;
        this.own = own;
        LiveThreads.all().stream()
                .filter(Objects::nonNull)
                .forEach(thread -> threads.put(ThreadLook.id(thread), thread));
    }

    /**
     * {@return what the workers of a pool wait for, to the end; empty where no worker waits}
     *
     * @param pools all watched pools
     */
    static Optional<WaitChain> chain(String pool, StackSource stacks, Collection<AwaitedTasks.Candidate> pools) {
        return WaitChains.of(pool, new LiveScene(stacks, pools, pool));
    }

    @Override
    public @Nullable ThreadLook thread(long id) {
        Thread known = threads.get(id);
        ThreadLook virtual = known == null ? null : ThreadLook.ofVirtual(known, StackSampler.HOLDER_DEPTH);
        List<ThreadLook> one = virtual == null ? looks(new long[] {id}) : List.of(virtual);
        return one.isEmpty() ? null : one.get(0);
    }

    @Override
    public ThreadLook withHolder(ThreadLook look) {
        Thread thread = threads.get(look.id());
        Object blocker = thread == null || !look.isVirtual() ? null : LockSupport.getBlocker(thread);
        return blocker == null
                ? look
                : new LockOwners()
                        .of(blocker)
                        .filter(owner -> thread(owner.id()) != null)
                        .map(owner -> look.waitingFor(look.object(), owner.id()))
                        .orElse(look);
    }

    private List<ThreadLook> looks(long[] ids) {
        return Arrays.stream(stacks.take(ids, StackSampler.HOLDER_DEPTH))
                .filter(Objects::nonNull)
                .map(ThreadLook::of)
                .toList();
    }

    @Override
    public List<ThreadLook> workers(String pool) {
        List<Thread> workers = new ArrayList<>();
        pools.stream().filter(candidate -> candidate.name().equals(pool)).forEach(candidate -> {
            InstrumentedPool meter = candidate.source().meter();
            if (meter != null) {
                for (WorkerState worker : meter.workers()) {
                    workers.add(worker.thread());
                    nativeIds.put(ThreadLook.id(worker.thread()), WorkerTimes.nativeId(worker));
                }
            }
        });
        workers.forEach(worker -> threads.put(ThreadLook.id(worker), worker));
        List<Thread> some = workers.subList(0, Math.min(MOST_WORKERS, workers.size()));
        List<ThreadLook> looks =
                new ArrayList<>(looks(some.stream().mapToLong(ThreadLook::id).toArray()));
        some.stream()
                .map(worker -> ThreadLook.ofVirtual(worker, StackSampler.HOLDER_DEPTH))
                .filter(Objects::nonNull)
                .forEach(looks::add);
        return looks;
    }

    @Override
    public List<ThreadLook> named(String beginning) {
        return looks(threads.values().stream()
                .filter(thread -> thread.getName().startsWith(beginning))
                .mapToLong(ThreadLook::id)
                .toArray());
    }

    @Override
    public List<ThreadLook> waitingFor(String object) {
        long[] ids = threads.keySet().stream().mapToLong(Long::longValue).toArray();
        return looks(Arrays.stream(stacks.take(ids, 0))
                .filter(Objects::nonNull)
                .map(ThreadLook::of)
                .filter(look -> look.object().equals(object))
                .limit(MOST_WAITERS)
                .mapToLong(ThreadLook::id)
                .toArray());
    }

    @Override
    public Result result(ThreadLook waiter) {
        Thread thread = threads.get(waiter.id());
        Object blocker = thread == null ? null : LockSupport.getBlocker(thread);
        return blocker == null
                ? AwaitedTasks.UNKNOWN
                : new AwaitedTasks(pools).find(Arrays.asList(blocker), own).getOrDefault(blocker, AwaitedTasks.UNKNOWN);
    }

    @Override
    public @Nullable ThreadLook joined(ThreadLook waiter) {
        return !waiter.type().equals("java.lang.Thread")
                ? null
                : threads.values().stream()
                        .filter(thread -> ThreadLook.nameOf(thread).equals(waiter.object()))
                        .findFirst()
                        .map(thread -> thread(ThreadLook.id(thread)))
                        .orElse(null);
    }

    @Override
    public boolean mayInitialise(ThreadLook look) {
        Long nativeId = nativeIds.get(look.id());
        return nativeId != null && OsState.of(nativeId) == OsState.WAITING;
    }

    @Override
    public String title(ThreadLook look) {
        Thread thread = threads.get(look.id());
        String type = thread == null ? null : ClassMonitor.name(look.object(), look.stack(), thread);
        return type == null ? WaitChains.Scene.super.title(look) : type;
    }

    @Override
    public Map<Integer, OwnPorts.Port> ownPorts() {
        return OwnPorts.of(Path.of("/proc/self"));
    }
}
