package io.lifeguard.pool.spring;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.function.BiConsumer;

/** The executors of the application that are no task executors of Spring's, and which Boot therefore does not meter. Held weakly. Thread-safe. */
final class UnmeteredExecutors {

    private record Entry(String name, WeakReference<ExecutorService> executor) {}

    private final List<Entry> all = new ArrayList<>(); // guarded by this
    private final List<BiConsumer<String, ExecutorService>> listeners = new ArrayList<>(); // guarded by this

    synchronized void add(String name, ExecutorService executor) {
        all.removeIf(entry -> entry.executor().get() == null);
        if (all.stream().noneMatch(entry -> entry.executor().refersTo(executor))) {
            all.add(new Entry(name, new WeakReference<>(executor)));
            listeners.forEach(listener -> listener.accept(name, executor));
        }
    }

    /** Tells the listener of those that are there, and of those to come. */
    synchronized void forEach(BiConsumer<String, ExecutorService> listener) {
        listeners.add(listener);
        for (Entry entry : all) {
            ExecutorService executor = entry.executor().get();
            if (executor != null) {
                listener.accept(entry.name(), executor);
            }
        }
    }
}
