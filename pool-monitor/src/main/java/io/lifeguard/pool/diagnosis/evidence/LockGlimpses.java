package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.diagnosis.evidence.stack.Seen;
import io.lifeguard.pool.diagnosis.evidence.stack.StackSampler;
import io.lifeguard.pool.diagnosis.evidence.stack.Stratum;
import io.lifeguard.pool.diagnosis.evidence.stack.ThreadLook;
import io.lifeguard.pool.diagnosis.window.Awaited.Lock;
import io.lifeguard.pool.diagnosis.window.Doing;
import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Learns for which locks workers wait and who holds them, without a stack. Confined to the monitor's thread. Keeps no
 * thread.
 *
 * <p>A blocked thread does not show its monitor as it shows what it is parked on, so some of them are asked. The JVM
 * answers without stopping any thread, in 0.5 µs each. The place is that of the last stack at the same lock.
 */
final class LockGlimpses {

    /** Of each look of the census: 160 a second have an error of 4 % at most. */
    private static final int MOST = 8;

    private static final Stratum BLOCKED = new Stratum(false, Thread.State.BLOCKED, "", 0);

    private final GroupMemory memory;
    private final ChangingLocks changing;
    private final List<Seen> glimpses = new ArrayList<>(); // of this window
    private final Map<String, Lock> locks = new HashMap<>(); // of this window, by class and identity
    private boolean hasUnnamed; // at the last look: a monitor of which no stack is known
    private Map<String, Lock> earlier = Map.of(); // of the window before

    LockGlimpses(GroupMemory memory, ChangingLocks changing) {
        this.memory = memory;
        this.changing = changing;
    }

    void look(Census census, StackSampler sampler) {
        hasUnnamed = false;
        List<Thread> waiting = census.waitingForLock(MOST);
        if (waiting.isEmpty()) {
            return;
        }
        for (@Nullable ThreadInfo info : sampler.glimpse(waiting)) {
            if (info != null && info.getLockInfo() != null) {
                add(ThreadLook.of(info), sampler.now());
            }
        }
    }

    private void add(ThreadLook look, long now) {
        boolean isMonitor = look.state() == Thread.State.BLOCKED;
        String name = look.object();
        Lock known = locks.getOrDefault(
                name, earlier.getOrDefault(name, new Lock(name, isMonitor, Optional.empty(), List.of(), 0)));
        locks.put(
                name,
                known.owner().isPresent()
                        ? known
                        : new Lock(
                                known.name(),
                                isMonitor,
                                Optional.ofNullable(look.holderName()),
                                List.of(),
                                known.otherWaiters()));
        if (isMonitor) {
            memory.present(name, now);
            memory.present(BLOCKED, now);
            Seen glimpse = new Seen(
                    look.name(),
                    look.id(),
                    BLOCKED,
                    Doing.WAITING_FOR_LOCK,
                    "",
                    List.of(),
                    name,
                    AwaitedTasks.UNKNOWN,
                    false);
            glimpses.add(glimpse);
            hasUnnamed |= mate(glimpse, now) == null;
        }
    }

    /** The last worker that was seen at the monitor; where each wait is for a new one, at any of its class. */
    private @Nullable Seen mate(Seen glimpse, long now) {
        String type = glimpse.objectClass();
        Seen mate = memory.atMonitor(glimpse.object());
        if (mate != null) {
            return mate;
        }
        Seen any = memory.lastBlocked(BLOCKED, now);
        return any != null && any.objectClass().equals(type) && changing.isChanging(any.place(), type) ? any : null;
    }

    /** {@return whether the last look met a monitor at which no stack was taken so far} */
    boolean hasUnnamed() {
        return hasUnnamed;
    }

    void learn(Map<String, Lock> seen) {
        for (Map.Entry<String, Lock> each : seen.entrySet()) {
            Lock then = locks.get(each.getKey());
            Lock now = each.getValue();
            if (then == null || !now.ownerStack().isEmpty() || isNews(then, now)) {
                locks.put(each.getKey(), now);
            }
        }
    }

    /** Whether a stack has told more than a look without one: the holder, or the name of a class. */
    private static boolean isNews(Lock then, Lock now) {
        return then.owner().isEmpty() || !then.name().equals(now.name());
    }

    /** {@return what is known of the locks of this window, by class and identity} */
    Map<String, Lock> locks() {
        return locks;
    }

    /** {@return the workers that were blocked at looks of this window, at the places of their mates} */
    List<Seen> seen(long now) {
        List<Seen> placed = new ArrayList<>(glimpses.size());
        for (Seen glimpse : glimpses) {
            Seen mate = mate(glimpse, now);
            placed.add(mate == null ? glimpse : glimpse.at(mate));
        }
        return placed;
    }

    void clear() {
        earlier = Map.copyOf(locks);
        locks.clear();
        glimpses.clear();
        hasUnnamed = false;
    }
}
