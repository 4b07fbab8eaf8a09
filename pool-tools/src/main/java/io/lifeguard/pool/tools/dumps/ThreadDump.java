package io.lifeguard.pool.tools.dumps;

import java.util.List;
import java.util.Map;
import java.util.Objects;

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

    /** {@return who waits for whom in it} */
    public DumpPicture picture() {
        return new DumpPicture(this);
    }
}
