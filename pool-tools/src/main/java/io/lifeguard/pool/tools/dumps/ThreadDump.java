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
 * @param process what all dumps of one process have in common: its number, as far as it is known, {@code @}, and the
 *     address of the JVM's first thread; empty where the form of the dump does not say it
 * @param time when it was taken, as {@code 2026-03-02 10:00:00}; empty where that is unknown
 */
public record ThreadDump(
        String source, List<DumpedThread> threads, Map<String, String> holders, String process, String time) {

    /**
     * Makes a dump of an unknown process and time.
     *
     * @param source where the dump comes from, not null
     * @param threads the threads that run Java, not null; copied
     * @param holders the names of the threads that hold locks, by the lock's identity, not null; copied
     */
    public ThreadDump(String source, List<DumpedThread> threads, Map<String, String> holders) {
        this(source, threads, holders, "", "");
    }

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
