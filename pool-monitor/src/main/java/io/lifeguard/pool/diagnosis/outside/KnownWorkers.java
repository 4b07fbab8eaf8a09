package io.lifeguard.pool.diagnosis.outside;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/**
 * The thread factory of one external {@code ThreadPoolExecutor}, which remembers the threads that it makes. So names
 * need not tell whose they are. Thread-safe; holds the threads weakly.
 */
public final class KnownWorkers implements ThreadFactory {

    private final ThreadFactory factory;
    private final Set<Thread> threads = Collections.newSetFromMap(new WeakHashMap<>()); // guarded by itself

    private KnownWorkers(ThreadFactory factory) {
        this.factory = factory;
    }

    /**
     * Has a pool remember the workers that it starts from now on. A pool that takes no other factory stays as it is.
     */
    public static void of(ThreadPoolExecutor pool) {
        try {
            if (!(pool.getThreadFactory() instanceof KnownWorkers)) {
                pool.setThreadFactory(new KnownWorkers(pool.getThreadFactory()));
            }
        } catch (RuntimeException ignored) { // a class of the application: its threads are searched
            return;
        }
    }

    @Override
    public @Nullable Thread newThread(Runnable body) {
        Thread thread = factory.newThread(body);
        if (thread != null) {
            synchronized (threads) {
                threads.add(thread);
            }
        }
        return thread;
    }

    List<WeakReference<Thread>> threads() {
        List<WeakReference<Thread>> known = new ArrayList<>();
        synchronized (threads) {
            for (Thread thread : threads) {
                known.add(new WeakReference<>(thread));
            }
        }
        return known;
    }
}
