package io.lifeguard.pool.os;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Optional;

/**
 * Finds the threads of a pool by the prefix of their names, where the pool does not tell its threads. Thread-safe.
 *
 * <p>A search reads the names of all threads of the process, and a pool is looked at up to 80 times a second. So the
 * threads are kept until one has ended or the pool says another number. Where the two numbers never agree, because
 * other threads have such names too, every sixth call searches.
 */
public final class NamedThreads {

    private static final int CALLS_BETWEEN_SEARCHES = 5;
    private static final int DISAGREEMENTS = 3;

    private final String prefix;

    // guarded by this
    private List<WeakReference<Thread>> found = List.of();
    private int sizeThen = -1; // what the pool said at the latest search
    private int callsToWait;
    private int disagreements; // searches in a row that found another number of threads than the pool has

    /** Finds the threads whose names begin like this. */
    public NamedThreads(String prefix) {
        this.prefix = prefix;
    }

    /**
     * {@return the threads of that name that are alive}
     *
     * @param size how many threads the pool says it has
     */
    public synchronized List<Thread> find(int size) {
        List<Thread> alive = LiveThreads.among(found);
        boolean isNews = size != sizeThen || alive.size() < found.size();
        if (isNews || (alive.size() != size && callsToWait-- <= 0)) {
            sizeThen = size;
            callsToWait = CALLS_BETWEEN_SEARCHES;
            alive = LiveThreads.all().stream()
                    .filter(thread -> thread.getName().startsWith(prefix))
                    .toList();
            found = alive.stream().map(WeakReference::new).toList();
            disagreements = size > 0 && alive.size() != size ? disagreements + 1 : 0;
        }
        return alive;
    }

    /**
     * {@return why the threads found may not be those of the pool; empty if they are as many as the pool says}
     *
     * <p>While a pool starts or ends threads, the numbers differ for a moment. So three searches in a row must
     * disagree.
     */
    public synchronized Optional<String> doubt() {
        return disagreements < DISAGREEMENTS
                ? Optional.empty()
                : Optional.of("the pool has " + sizeThen + (sizeThen == 1 ? " thread" : " threads")
                        + ", and the names of " + found.size() + " begin with '" + prefix + "'");
    }
}
