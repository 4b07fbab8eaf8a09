package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.diagnosis.evidence.stack.Seen;
import io.lifeguard.pool.diagnosis.evidence.stack.Stratum;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what the workers of each group were seen doing. Confined to the monitor's thread. Keeps no thread.
 *
 * <p>A group waits for one object: a monitor, or what its workers are parked on. What one stack showed is true of its
 * mates as long as some of them wait for that object, so it holds in later windows, too. Where each worker has an
 * object of its own (a future), workers that wait for objects of one class are a group, whose stacks hold for a few
 * seconds. Threads that wait for no object have nothing in common, so theirs hold for the window only.
 */
final class GroupMemory {

    /** More would not make a place more certain than the workers' moves between places make it. */
    private static final int MOST_PER_GROUP = 8;

    /** A window without a worker at the object ends its group, unless it was shorter than this. */
    private static final long ABSENT_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Futures are new for each wait, and the next ones may be awaited elsewhere. */
    private static final long OF_CLASS_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Map<Object, Group> groups = new HashMap<>(); // by stratum; a monitor's by class and identity

    void see(Seen seen, long now) {
        if (isAtMonitor(seen)) {
            add(seen.object(), seen, now);
        }
        add(seen.stratum(), seen, now);
    }

    private void add(Object key, Seen seen, long now) {
        Group group = groups.get(key);
        if (group == null) {
            group = new Group();
            groups.put(key, group);
        }
        group.present = now;
        group.looked = now;
        if (group.stacks.size() == MOST_PER_GROUP) {
            group.stacks.removeFirst();
        }
        group.stacks.addLast(seen);
    }

    private static boolean isAtMonitor(Seen seen) {
        return seen.isMonitor() && !seen.object().isEmpty();
    }

    /**
     * {@return what workers of a stratum were seen doing before this window, oldest first; empty when nothing holds}
     */
    List<Seen> of(Stratum stratum, long now) {
        Group group = groups.get(stratum);
        if (group == null || stratum.blocker().isEmpty()) {
            return List.of();
        }
        boolean holds = stratum.identity() != 0 || now - group.looked <= OF_CLASS_NANOS;
        return holds ? new ArrayList<>(group.stacks) : List.of();
    }

    /** {@return what the last worker was seen doing at a monitor; null when none was seen} */
    @Nullable
    Seen atMonitor(String object) {
        Group group = groups.get(object);
        return group == null ? null : group.stacks.getLast();
    }

    /** {@return the last stack of a stratum whose workers wait for monitors; null when there is none of late} */
    @Nullable
    Seen lastBlocked(Stratum blocked, long now) {
        Group group = groups.get(blocked);
        return group == null || now - group.looked > OF_CLASS_NANOS ? null : group.stacks.getLast();
    }

    /** {@return how long ago a worker of a stratum was looked at; the largest number when none was} */
    long sinceLook(Stratum stratum, long now) {
        Group group = groups.get(stratum);
        return group == null ? Long.MAX_VALUE : now - group.looked;
    }

    /** Notes that workers are in such a group. */
    void present(Object stratumOrMonitor, long now) {
        Group group = groups.get(stratumOrMonitor);
        if (group != null) {
            group.present = now;
        }
    }

    /** Forgets the groups that have had no worker for some time. Called at the end of a window. */
    void age(long now) {
        for (Iterator<Group> each = groups.values().iterator(); each.hasNext(); ) {
            if (now - each.next().present > ABSENT_NANOS) {
                each.remove();
            }
        }
    }

    private static final class Group {
        private final Deque<Seen> stacks = new ArrayDeque<>(); // latest last, never empty once it is in the map
        private long present; // when a worker was in it
        private long looked; // when a stack of one was taken
    }
}
