package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.diagnosis.evidence.stack.Seen;
import io.lifeguard.pool.diagnosis.evidence.stack.WorkerLook;
import io.lifeguard.pool.diagnosis.window.Doing;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Tells the places at which each wait is for another lock of the same class. Confined to the monitor's thread.
 *
 * <p>A map that loads its values under a lock has a new lock for each load, and so may a user's code. Such waits are
 * one cause, and their identities tell nothing. Where locks last, later looks see the same ones again. One look tells
 * where each of several workers waits for an object of its own and none for a lock, as for the answer to its own call.
 */
final class ChangingLocks {

    /** Places and classes that are remembered. A program rarely waits at more; otherwise all are learnt anew. */
    private static final int MOST_PLACES = 64;

    /** Locks of one place that are remembered. Where there are more, it does not matter that some count as new. */
    private static final int MOST_LOCKS = 64;

    /** As many workers of one look, each of which waits for another object, wait for one cause. Two may by chance. */
    private static final int EACH_ITS_OWN = 3;

    private final Map<String, Trail> trails = new HashMap<>(); // by place and class

    void see(List<WorkerLook> looks) {
        Map<String, Map<String, List<String>>> objects = new HashMap<>();
        Set<String> placesOfLocks = new HashSet<>();
        for (WorkerLook look : looks) {
            String object = look.object();
            if (object != null && look.doing().isWaitInside()) {
                Map<String, List<String>> here = objects.getOrDefault(look.place(), new HashMap<>());
                objects.put(look.place(), here);
                Seen.add(here, object.substring(0, object.indexOf('@')), object);
                if (look.doing() == Doing.WAITING_FOR_LOCK) { // threads of several locks, such as stripes, are no queue
                    placesOfLocks.add(look.place());
                }
            }
        }
        for (Map.Entry<String, Map<String, List<String>>> place : objects.entrySet()) {
            boolean isOfLocks = placesOfLocks.contains(place.getKey());
            for (Map.Entry<String, List<String>> type : place.getValue().entrySet()) {
                int waiters = type.getValue().size();
                Set<String> identities = new HashSet<>(type.getValue());
                see(place.getKey(), type.getKey(), identities);
                if (waiters >= EACH_ITS_OWN && identities.size() == waiters && !isOfLocks) {
                    trail(place.getKey(), type.getKey()).apart = 1;
                }
            }
        }
    }

    /** Notes the locks that one look saw at one place. */
    void see(String place, String className, Set<String> identities) {
        if (trails.size() >= MOST_PLACES) {
            trails.clear();
        }
        trail(place, className).see(identities);
    }

    private Trail trail(String place, String className) {
        Trail trail = trails.getOrDefault(key(place, className), new Trail());
        trails.put(key(place, className), trail);
        return trail;
    }

    /** Whether most locks that were seen there had not been seen before, or each worker waited for its own object. */
    boolean isChanging(String place, String className) {
        Trail trail = trails.get(key(place, className));
        return trail != null && ((trail.fresh >= 2 && trail.fresh > trail.again) || trail.apart >= 0.5);
    }

    /** Lets what was seen before count half. Called at the end of a window. */
    void age() {
        for (Trail trail : trails.values()) {
            trail.age();
        }
    }

    private static String key(String place, String className) {
        return place + ' ' + className;
    }

    /** The locks of one class that were seen at one place. */
    private static final class Trail {
        private final Set<String> known = new HashSet<>();
        private double again;
        private double fresh;
        private double apart; // 1 in the window in which each worker waited for its own, and half of it in the next

        void see(Set<String> identities) {
            boolean isFirst = known.isEmpty();
            if (known.size() > MOST_LOCKS) {
                known.clear();
            }
            for (String identity : identities) {
                if (!known.add(identity)) {
                    again++;
                } else if (!isFirst) {
                    fresh++;
                }
            }
        }

        void age() {
            again /= 2;
            fresh /= 2;
            apart /= 2;
        }
    }
}
