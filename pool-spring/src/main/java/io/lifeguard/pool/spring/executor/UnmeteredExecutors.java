package io.lifeguard.pool.spring.executor;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.function.BiConsumer;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Role;

/**
 * Lists the executor beans that Boot does not meter, because they are not Spring's task executors. Holds them weakly.
 * Thread-safe.
 *
 * <p>It is infrastructure, because a post-processor needs it early: for other beans the container would warn that they
 * cannot be proxied.
 */
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public final class UnmeteredExecutors {

    private final List<Entry> all = new ArrayList<>(); // guarded by this
    private final List<BiConsumer<String, ExecutorService>> listeners = new ArrayList<>(); // guarded by this

    private record Entry(String name, WeakReference<ExecutorService> executor) {}

    /** Made by the container. */
    public UnmeteredExecutors() {}

    synchronized void add(String name, ExecutorService executor) {
        all.removeIf(entry -> entry.executor().get() == null);
        if (all.stream().noneMatch(entry -> entry.executor().refersTo(executor))) {
            all.add(new Entry(name, new WeakReference<>(executor)));
            listeners.forEach(listener -> listener.accept(name, executor));
        }
    }

    /**
     * Calls the listener for each known executor, and later for each new one.
     *
     * @param listener takes name and executor
     */
    public synchronized void forEach(BiConsumer<String, ExecutorService> listener) {
        listeners.add(listener);
        for (Entry entry : all) {
            ExecutorService executor = entry.executor().get();
            if (executor != null) {
                listener.accept(entry.name(), executor);
            }
        }
    }
}
