package io.lifeguard.pool.report;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * One dump of a process's threads. Immutable.
 *
 * @param source where it comes from, as {@code console.log:17}
 * @param threads its threads; those of the JVM's own that run no Java are not in it
 * @param holders the name of who holds which lock, by the lock's identity, as far as the dump says it in words rather than in the threads' stacks;
 *     where several threads have that name it leads to none of them
 */
public record ThreadDump(String source, List<DumpedThread> threads, Map<String, String> holders) {

    /** Copies the collections. */
    public ThreadDump {
        Objects.requireNonNull(source, "source must not be null");
        threads = List.copyOf(threads);
        holders = Map.copyOf(holders);
    }

    /** The thread that holds each lock, by the lock's identity. */
    Map<String, DumpedThread> owners() {
        Map<String, DumpedThread> byName = new HashMap<>();
        Set<String> shared = new HashSet<>();
        threads.stream()
                .filter(thread -> byName.putIfAbsent(thread.name(), thread) != null)
                .forEach(thread -> shared.add(thread.name()));
        byName.keySet().removeAll(shared); // which of them it is nobody knows
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
}
