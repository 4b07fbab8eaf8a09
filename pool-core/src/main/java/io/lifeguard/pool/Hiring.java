package io.lifeguard.pool;

import org.jspecify.annotations.Nullable;

/**
 * Remembers, while {@code execute} may start a worker for a task, which task that is: a worker's first task is handed over without
 * a queue, so nothing else sees it pass. Confined to the submitting thread.
 */
final class Hiring {

    private static final ThreadLocal<@Nullable Hiring> CURRENT = new ThreadLocal<>();

    private final Instruments instruments;
    private final Runnable task;
    private final @Nullable Hiring outer;
    private @Nullable WorkerBody hired;

    private Hiring(Instruments instruments, Runnable task, @Nullable Hiring outer) {
        this.instruments = instruments;
        this.task = task;
        this.outer = outer;
    }

    static Hiring begin(Instruments instruments, Runnable task) {
        Hiring hiring = new Hiring(instruments, task, CURRENT.get());
        CURRENT.set(hiring);
        return hiring;
    }

    /** The hiring under way on this thread for the given pool that has not found its worker yet. */
    static @Nullable Hiring current(Instruments instruments) {
        Hiring hiring = CURRENT.get();
        return hiring != null && hiring.instruments == instruments && hiring.hired == null ? hiring : null;
    }

    Runnable task() {
        return task;
    }

    void hired(WorkerBody body) {
        hired = body;
    }

    /** The worker's body that was made for the task, if one was. */
    @Nullable
    WorkerBody end() {
        if (outer == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(outer);
        }
        return hired;
    }
}
