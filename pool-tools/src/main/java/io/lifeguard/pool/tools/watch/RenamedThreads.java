package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.tools.dumps.DumpedThread;
import io.lifeguard.pool.tools.dumps.ThreadDump;
import java.util.HashMap;
import java.util.Map;

/**
 * Remembers which names of threads belong to one pool, because a thread had both. Not thread-safe.
 *
 * <p>Some libraries name a thread after what it does, and their idle threads have another name. OkHttp's {@code OkHttp
 * https://example.com/...} becomes {@code OkHttp Dispatcher}. Its busy threads alone would look like a pool that is
 * never idle.
 */
final class RenamedThreads {

    /** Of joined groups. A program that names each thread after its task has any number of them. */
    private static final int MOST = 1_000;

    /** A shorter beginning says nothing. */
    private static final int SHORTEST = 3;

    private final Map<String, String> joined = new HashMap<>(); // name of a group of threads to name of the pool
    private Map<Long, String> groups = new HashMap<>(); // of the workers in the latest dump, by the system's number

    /** Looks at the next dump. */
    void see(ThreadDump dump) {
        Map<Long, String> now = new HashMap<>();
        for (DumpedThread thread : dump.threads()) {
            if (thread.nativeId().isPresent() && PoolFinder.isWorker(thread.stack())) {
                long id = thread.nativeId().getAsLong();
                String group = PoolFinder.name(thread.name());
                now.put(id, group);
                join(groups.getOrDefault(id, group), group);
            }
        }
        groups = now;
    }

    /** The name of the pool to which a group of threads belongs. */
    String of(String group) {
        return joined.getOrDefault(group, group);
    }

    private void join(String one, String other) {
        String first = of(one);
        String second = of(other);
        if (first.equals(second) || joined.size() >= MOST) {
            return;
        }
        String name = common(first, second);
        joined.replaceAll((group, pool) -> pool.equals(first) || pool.equals(second) ? name : pool);
        joined.put(first, name);
        joined.put(second, name);
    }

    /** The common beginning, otherwise the name that comes first. */
    private static String common(String one, String other) {
        int length = 0;
        while (length < Math.min(one.length(), other.length()) && one.charAt(length) == other.charAt(length)) {
            length++;
        }
        String begin = one.substring(0, PoolFinder.without("-_ .#/:", one, length));
        return begin.length() >= SHORTEST ? begin : one.compareTo(other) < 0 ? one : other;
    }
}
