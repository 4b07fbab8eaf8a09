package io.lifeguard.pool.tools.dumps;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * One dump of the threads of a process. Immutable.
 *
 * @param source where the dump comes from, as {@code console.log:17}
 * @param threads the threads that run Java
 * @param holders the names of the threads that hold locks, by the lock's identity, where the dump lists them apart from
 *     the threads' stacks. A name that several threads have leads to none of them
 */
public record ThreadDump(String source, List<DumpedThread> threads, Map<String, String> holders) {

    /** Copies the collections. */
    public ThreadDump {
        Objects.requireNonNull(source, "source must not be null");
        threads = List.copyOf(threads);
        holders = Map.copyOf(holders);
    }

    /**
     * Finds the thread that holds a lock.
     *
     * @param lock the lock, not null
     * @return the thread; empty when the dump does not say it
     */
    public Optional<DumpedThread> holder(DumpedThread.Lock lock) {
        return Optional.ofNullable(owners().get(lock.identity()));
    }

    /** Returns the thread that holds each lock, by the lock's identity. */
    Map<String, DumpedThread> owners() {
        Map<String, DumpedThread> byName = new HashMap<>();
        Set<String> shared = new HashSet<>();
        threads.stream()
                .filter(thread -> byName.putIfAbsent(thread.name(), thread) != null)
                .forEach(thread -> shared.add(thread.name()));
        byName.keySet().removeAll(shared); // the dump does not say which of them holds a lock
        Map<String, DumpedThread> owners = new HashMap<>();
        holders.forEach((lock, name) -> {
            DumpedThread holder = byName.get(name);
            if (holder != null) {
                owners.put(lock, holder);
            }
        });
        threads.forEach(thread -> thread.holds().forEach(lock -> owners.put(lock, thread)));
        return owners;
    }

    /** {@return each circle of threads that wait for each other's locks, as far as the dump says who holds which} */
    public List<List<DumpedThread>> deadlocks() {
        return Deadlocks.in(List.of(this));
    }
}
