package io.lifeguard.pool.tools.dumps;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds threads that wait for each other's locks in a circle, from what each thread holds and wants. Stateless. */
final class Deadlocks {

    private Deadlocks() {}

    /** Returns each circle once, also when several dumps show the same one. */
    static List<List<DumpedThread>> in(List<ThreadDump> dumps) {
        Map<Set<String>, List<DumpedThread>> circles = new LinkedHashMap<>();
        for (ThreadDump dump : dumps) {
            Map<String, DumpedThread> owners = dump.owners();
            for (DumpedThread thread : dump.threads()) {
                List<DumpedThread> circle = circle(thread, owners);
                if (!circle.isEmpty()) {
                    circles.putIfAbsent(names(circle), circle);
                }
            }
        }
        return List.copyOf(circles.values());
    }

    private static List<DumpedThread> circle(DumpedThread first, Map<String, DumpedThread> owners) {
        Set<DumpedThread> way = new LinkedHashSet<>();
        DumpedThread next = first;
        while (next != null && way.add(next)) {
            next = holder(next, owners);
        }
        return first.equals(next) && way.size() > 1 ? List.copyOf(way) : List.of();
    }

    private static @Nullable DumpedThread holder(DumpedThread waiter, Map<String, DumpedThread> owners) {
        return waiter.waitsFor().map(lock -> owners.get(lock.identity())).orElse(null);
    }

    private static Set<String> names(Collection<DumpedThread> threads) {
        Set<String> names = new HashSet<>();
        threads.forEach(thread -> names.add(thread.name()));
        return names;
    }
}
