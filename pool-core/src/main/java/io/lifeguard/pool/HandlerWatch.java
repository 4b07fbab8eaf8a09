package io.lifeguard.pool;

import org.jspecify.annotations.Nullable;

/**
 * Watches one task while a user's own saturation handler has it, to learn what the handler does with it as far as that can be known.
 * Confined to the submitting thread, but for what a worker tells that begins the task meanwhile.
 */
/*
 * The handler may run the task, enqueue it, submit it again, hand it to a policy of ours, or keep it. What passes through us tells
 * (settle); a future of ours tells who runs it. A raw task that the handler runs, or that a worker has taken out of the queue by the
 * time the handler returns, leaves no trace, and nothing is claimed about it.
 */
final class HandlerWatch {

    private static final ThreadLocal<@Nullable HandlerWatch> CURRENT = new ThreadLocal<>();

    private final Instruments instruments;
    private final Runnable task;
    private final Thread submitter = Thread.currentThread();
    private final @Nullable HandlerWatch outer = CURRENT.get(); // a handler may submit again, and be asked again
    private boolean settled; // what became of the task is known, and counted
    private volatile boolean begunElsewhere; // written by the thread that runs the future, before it does

    private HandlerWatch(Instruments instruments, Runnable task) {
        this.instruments = instruments;
        this.task = task;
    }

    static HandlerWatch begin(Instruments instruments, Runnable task) {
        HandlerWatch watch = new HandlerWatch(instruments, task);
        CURRENT.set(watch);
        if (task instanceof MeasuredFutureTask<?> future) {
            future.watch(watch);
        }
        return watch;
    }

    /** To be called when the handler has returned or thrown. */
    void end() {
        if (task instanceof MeasuredFutureTask<?> future) {
            future.watch(outer != null && outer.task == task ? outer : null);
        }
        if (outer == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(outer);
        }
    }

    /** What became of the task is known and counted: a handler that this thread is in need not be asked. */
    static void settle(Runnable task) {
        for (HandlerWatch watch = CURRENT.get(); watch != null; watch = watch.outer) {
            if (watch.task == task) {
                watch.settled = true;
            }
        }
    }

    boolean isSettled() {
        return settled;
    }

    boolean isBegunElsewhere() {
        return begunElsewhere;
    }

    /** Runs the watched future: on its submitter that is the handler's doing. */
    void run(Runnable body) {
        if (Thread.currentThread() != submitter) {
            begunElsewhere = true;
            body.run();
        } else if (settled) {
            body.run();
        } else {
            settle(task);
            instruments.saturation().runBySubmitter(body);
        }
    }
}
