package io.lifeguard.pool.spring.web;

import io.lifeguard.pool.diagnosis.external.PoolReader;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Reads the request pool of a web server, whose threads are known by the prefix of their names. Thread-safe. */
abstract class ServerPoolReader implements PoolReader<Executor> {

    private final String threadPrefix;

    ServerPoolReader(String threadPrefix) {
        this.threadPrefix = threadPrefix;
    }

    @Override
    public List<Thread> workers(Executor executor) {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        for (@Nullable ThreadGroup parent = group.getParent(); parent != null; parent = parent.getParent()) {
            group = parent;
        }
        Thread[] threads = new Thread[group.activeCount() * 2 + 16]; // leaves room for threads that start meanwhile
        int count = group.enumerate(threads);
        return Arrays.stream(threads, 0, count)
                .filter(thread -> thread.getName().startsWith(threadPrefix))
                .toList();
    }
}
