package io.lifeguard.pool.diagnosis.evidence.lock;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.diagnosis.evidence.lock.LockOwners.Owner;
import io.lifeguard.pool.diagnosis.evidence.stack.StackSampler;
import io.lifeguard.pool.diagnosis.evidence.stack.ThreadLook;
import io.lifeguard.pool.diagnosis.evidence.stack.ThreadPicture;
import io.lifeguard.pool.diagnosis.evidence.stack.Waits;
import io.lifeguard.pool.diagnosis.seen.DeadlockCircle;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds circles that contain virtual threads of instrumented executors. Confined to the monitor's thread.
 *
 * <p>Looks at each thread's state and blocker. Threads that wait for the same lock as at the look before are suspects:
 * it is asked who holds their locks, and so on until a thread comes again. A circle counts when two looks have shown
 * the same one, because its parts are not seen at one moment.
 *
 * <p>Who holds a monitor is known from Java 25 on, from the JVM's dump of all threads. That is taken only while
 * suspects wait for monitors, while it is {@linkplain DumpLimit sure to be cheap}, and so rarely that it costs 0.2 % of
 * the time.
 */
final class VirtualDeadlocks {

    /** Locks whose holders are asked for at one look, in 0.1 to 3 ms each. */
    private static final int MOST_LOCKS = 16;

    /** On a busy machine the answer about one lock may take 50 ms, in which nothing else is looked at. */
    private static final long MOST_ASKING_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final int DEPTH = StackSampler.HOLDER_DEPTH; // as of the other threads in a circle

    private final LongSupplier nanos;
    private final ThreadMXBean threads;
    private final LockOwners owners = new LockOwners();
    private final MonitorDumps dumps;
    private final MonitorOwners monitors;
    private Map<Thread, Wait> before = Map.of();
    private Set<Set<Long>> candidates = Set.of();
    private List<DeadlockCircle> known = List.of();
    private Set<Long> monitorSuspects = Set.of();
    private String unseen = "";

    /** What a thread waits for; the blocker is null for a monitor. */
    private record Wait(@Nullable Object blocker) {

        boolean isSame(@Nullable Wait other) {
            return other != null && other.blocker == blocker;
        }
    }

    VirtualDeadlocks(LongSupplier nanos, ThreadMXBean threads) {
        this(nanos, threads, new MonitorDumps(nanos, threads));
    }

    VirtualDeadlocks(LongSupplier nanos, ThreadMXBean threads, MonitorDumps dumps) {
        this.nanos = nanos;
        this.threads = threads;
        this.dumps = dumps;
        this.monitors = dumps.owners();
    }

    /** {@return what the latest look could not see, because the JVM is not asked, as a clause; empty if it saw all} */
    String unseen() {
        return unseen;
    }

    List<DeadlockCircle> look(Collection<InstrumentedPool> pools) {
        dumps.see(pools);
        Map<Thread, Wait> now = new HashMap<>();
        int count = 0;
        for (InstrumentedPool pool : pools) {
            List<Thread> some = TaskThreads.of(pool);
            count += TaskThreads.count(pool);
            for (Thread thread : some) {
                Wait wait = wait(thread);
                if (wait != null) {
                    now.put(thread, wait);
                }
            }
        }
        Map<Thread, Wait> suspects = new LinkedHashMap<>();
        now.forEach((thread, wait) -> {
            if (wait.isSame(before.get(thread))) {
                suspects.put(thread, wait);
            }
        });
        before = now;
        if (suspects.isEmpty()) {
            candidates = Set.of();
            known = List.of();
            unseen = "";
        } else {
            judge(suspects, count, pools);
        }
        return known;
    }

    /** Waits with a time limit end by themselves, and so does a wait for a condition or a permit: no holder. */
    private static @Nullable Wait wait(Thread thread) {
        Thread.State state = thread.getState();
        if (state == Thread.State.BLOCKED) {
            return new Wait(null);
        }
        Object blocker = state == Thread.State.WAITING ? LockSupport.getBlocker(thread) : null;
        return blocker != null && Waits.forLock(blocker.getClass().getName()) ? new Wait(blocker) : null;
    }

    private void judge(Map<Thread, Wait> suspects, int count, Collection<InstrumentedPool> pools) {
        Set<Long> blocked = new HashSet<>();
        suspects.forEach((thread, wait) -> {
            if (wait.blocker == null) {
                blocked.add(ThreadLook.id(thread));
            }
        });
        unseen = blocked.isEmpty() || dumps.areKnown()
                ? ""
                : "who holds the monitors that " + blocked.size() + " virtual threads wait for ("
                        + MonitorOwners.whyUnknown() + ")";
        boolean isAsked = !blocked.isEmpty() && dumps.isDue() && !blocked.equals(monitorSuspects);
        if (isAsked) {
            if (dumps.take(count, pools)) { // otherwise it is asked again
                monitorSuspects = blocked;
            }
        } else if (blocked.isEmpty()) {
            monitors.forget();
            monitorSuspects = Set.of();
        }
        List<DeadlockCircle> circles = picture(suspects).circles().stream()
                .filter(circle -> circle.stream().anyMatch(ThreadLook::isVirtual)) // others are found by the JVM itself
                .map(circle -> ThreadPicture.circle(circle, false))
                .toList();
        Set<Set<Long>> found = new HashSet<>();
        circles.forEach(circle -> found.add(ids(circle)));
        Set<Set<Long>> earlier = candidates;
        known = circles.stream().filter(circle -> earlier.contains(ids(circle))).toList();
        candidates = found;
    }

    private static Set<Long> ids(DeadlockCircle circle) {
        Set<Long> ids = new HashSet<>();
        circle.members().forEach(member -> ids.add(member.id()));
        return ids;
    }

    /**
     * The suspects, with the holders of their locks. Further threads are platform threads, looked at when asked for.
     */
    private ThreadPicture picture(Map<Thread, Wait> suspects) {
        List<ThreadLook> looks = new ArrayList<>();
        Map<Object, Optional<Owner>> asked = new HashMap<>();
        long begin = nanos.getAsLong();
        suspects.forEach((thread, wait) -> {
            long id = ThreadLook.id(thread);
            OptionalLong holder = OptionalLong.empty();
            String lock = "";
            Object blocker = wait.blocker;
            if (blocker == null) {
                holder = monitors.holderOfWhatBlocks(id);
                lock = monitors.whatBlocks(id);
            } else {
                Lock key = new Lock(blocker);
                boolean mayAsk = asked.size() < MOST_LOCKS && nanos.getAsLong() - begin < MOST_ASKING_NANOS;
                if (mayAsk || asked.containsKey(key)) {
                    Optional<Owner> owner = asked.computeIfAbsent(key, unasked -> owners.of(blocker));
                    holder = owner.isPresent() ? OptionalLong.of(owner.get().id()) : OptionalLong.empty();
                }
                lock = ThreadLook.nameOf(blocker);
            }
            ThreadLook seen = holder.isPresent() ? ThreadLook.ofVirtual(thread, DEPTH) : null;
            if (seen != null) {
                looks.add(seen.waitingFor(lock, holder.getAsLong()));
            }
        });
        return new ThreadPicture(looks, this::platformThread);
    }

    /** A platform thread that holds a lock may wait for one of a virtual thread, directly or behind others. */
    private @Nullable ThreadLook platformThread(long id) {
        @Nullable ThreadInfo info = threads.getThreadInfo(id, DEPTH);
        if (info == null) {
            return null;
        }
        ThreadLook look = ThreadLook.of(info);
        return look.holderId() == ThreadLook.NO_HOLDER
                ? look.waitingFor(look.object(), monitors.holderOfWhatBlocks(id).orElse(ThreadLook.NO_HOLDER))
                : look;
    }

    /** An object as a key by its identity: nothing of a user's lock is called. */
    private record Lock(Object blocker) {

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Lock lock && lock.blocker == blocker;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(blocker);
        }
    }
}
