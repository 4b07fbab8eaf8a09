package io.lifeguard.pool;

import java.util.Objects;
import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/**
 * A task that the current thread is submitting, recorded for code further up the call stack. Confined to that thread,
 * except for {@link Handling#begunElsewhere}.
 */
/*
 * Each thread has one stack of submissions. It is a stack because thread factories, handlers and tasks may submit
 * again, to the same pool or to another one. There are four kinds:
 *
 *   FirstTask   execute() may start a worker for the task. A worker's first task does not pass through the queue.
 *   Handling    A user's own saturation handler has the task.
 *   Retry       A saturation policy submits the task once more. If it is refused again, no handler is asked.
 *   TurnedAway  The executor refused the task. SaturationGate leaves this for execute(), which then counts nothing.
 *
 * The stack of a thread is empty in the common case: the pool has all its workers, and its queue has room. The thread
 * local then holds null, so that no thread keeps a class of this library alive.
 */
abstract sealed class Submission {

    private static final ThreadLocal<@Nullable Submission> CURRENT = new ThreadLocal<>();

    private final ThreadPoolExecutor executor;
    private @Nullable Submission outer = CURRENT.get();

    private Submission(ThreadPoolExecutor executor) {
        this.executor = executor;
    }

    static boolean isStackEmpty() {
        return CURRENT.get() == null;
    }

    /** The innermost submission of this thread; null if there is none. */
    static @Nullable Submission current() {
        return CURRENT.get();
    }

    /** Takes everything above this one off the stack, after an Error. */
    static void unwind(@Nullable Submission innermost) {
        CURRENT.set(innermost);
    }

    private static <S extends Submission> S begin(S submission) {
        CURRENT.set(submission);
        return submission;
    }

    final void end() {
        CURRENT.set(outer);
    }

    private static <S extends Submission> @Nullable S innermost(Class<S> kind) {
        Submission submission = CURRENT.get();
        while (submission != null && !kind.isInstance(submission)) {
            submission = submission.outer;
        }
        return kind.cast(submission);
    }

    /** The outcome of the task is known and counted, so SaturationGate need not find it out from the handlers. */
    static void settle(Runnable task) {
        for (Submission submission = CURRENT.get(); submission != null; submission = submission.outer) {
            if (submission instanceof Handling handling && handling.task == task) {
                handling.settled = true;
            }
        }
    }

    /** A policy of this library has counted a refusal. It is not counted again if a user's handler throws it on. */
    static void refusalCounted() {
        for (Submission submission = CURRENT.get(); submission != null; submission = submission.outer) {
            if (submission instanceof Handling handling) {
                handling.refusalCounted = true;
            }
        }
    }

    /** A task that may become the first task of a new worker. */
    static final class FirstTask extends Submission {
        final Runnable task;

        /** The thread of the worker that was made for the task. */
        @Nullable
        Thread thread;

        private boolean mayRunUsersCode; // it has called the thread factory or a saturation handler

        private FirstTask(ThreadPoolExecutor executor, Runnable task) {
            super(executor);
            this.task = task;
        }

        static void begin(ThreadPoolExecutor executor, Runnable task) {
            Submission.begin(new FirstTask(executor, task));
        }

        /**
         * Notes that the executor is asked for its thread factory, and tells whether the caller is certain to be a
         * worker that {@code execute} makes: no code of a user runs inside that {@code execute} yet. The next caller
         * may be the thread factory itself.
         */
        static boolean noteRequestForFactory(ThreadPoolExecutor executor) {
            if (!(CURRENT.get() instanceof FirstTask first)) {
                return false;
            }
            boolean isByWorker = ((Submission) first).executor == executor && !first.mayRunUsersCode;
            first.mayRunUsersCode = true;
            return isByWorker;
        }

        /** The innermost submission calls a saturation handler. */
        static void usersCodeMayRun() {
            if (CURRENT.get() instanceof FirstTask first) {
                first.mayRunUsersCode = true;
            }
        }

        /** Returns the innermost first task, if it is for that pool and has no worker yet. */
        static @Nullable FirstTask withoutWorker(ThreadPoolExecutor executor) {
            FirstTask first = innermost(FirstTask.class);
            return first != null && ((Submission) first).executor == executor && first.thread == null ? first : null;
        }

        /** Ends the innermost first task, and returns it. */
        static FirstTask endInnermost() {
            FirstTask first = Objects.requireNonNull(innermost(FirstTask.class));
            first.end();
            return first;
        }
    }

    /**
     * A task that was given to a user's own handler. The handler may run the task, enqueue it, submit it again, pass it
     * to another policy, or keep it. Calls into this library and futures of this library show which. A raw task that
     * the handler runs leaves no trace. The same holds for a raw task that a worker took out of the queue before the
     * handler returned.
     */
    static final class Handling extends Submission {
        private final Instruments instruments;
        private final Runnable task;
        private final Thread submitter = Thread.currentThread();
        boolean settled; // the outcome of the task is known and counted
        boolean refusalCounted;
        private int room; // places in the queue that the handler made and has not used

        // written by the thread that runs the future, before the run; a stale read counts the task as LEFT_TO_HANDLER
        volatile boolean begunElsewhere;

        private Handling(Instruments instruments, ThreadPoolExecutor executor, Runnable task) {
            super(executor);
            this.instruments = instruments;
            this.task = task;
        }

        static Handling begin(Instruments instruments, ThreadPoolExecutor executor, Runnable task) {
            Handling handling = Submission.begin(new Handling(instruments, executor, task));
            if (task instanceof MeasuredFutureTask<?> future) {
                future.handling = handling;
            }
            return handling;
        }

        /**
         * A handler of the pool may be about to take a task out of the queue. The place is kept for the handler.
         * Otherwise a submitter that waits would get it, and a handler that polls and tries again would poll forever.
         */
        static boolean makesRoom(@Nullable Instruments pool) {
            Handling handling = innermost(Handling.class);
            if (handling == null || handling.instruments != pool) {
                return false;
            }
            handling.room++;
            return true;
        }

        /** Whether a handler of the pool has a place of its own in the queue. Uses it. */
        static boolean usesRoom(@Nullable Instruments pool) {
            Handling handling = innermost(Handling.class);
            if (handling == null || handling.instruments != pool || handling.room == 0) {
                return false;
            }
            handling.room--;
            return true;
        }

        void handlerEnded() {
            end();
            if (task instanceof MeasuredFutureTask<?> future) {
                Handling next = innermost(Handling.class);
                future.handling = next != null && next.task == task ? next : null;
            }
        }

        /** Runs the future. A run by the submitter counts as a caller-run, because the handler made it. */
        void run(Runnable body) {
            if (Thread.currentThread() != submitter) {
                begunElsewhere = true;
                body.run();
            } else if (settled) {
                body.run();
            } else {
                settle(task);
                instruments.saturation.runBySubmitter(body);
            }
        }
    }

    /** A task that a saturation policy submits once more. */
    static final class Retry extends Submission {
        private final Runnable task;
        private boolean refused;

        private Retry(ThreadPoolExecutor executor, Runnable task) {
            super(executor);
            this.task = task;
        }

        static Retry begin(ThreadPoolExecutor executor, Runnable task) {
            return Submission.begin(new Retry(executor, task));
        }

        /** Returns the innermost retry of this thread, if it is for that executor. */
        static @Nullable Retry current(ThreadPoolExecutor executor) {
            Retry retry = innermost(Retry.class);
            return retry != null && ((Submission) retry).executor == executor ? retry : null;
        }

        /** Marks the innermost retry as refused, if it is of this very task. */
        static boolean isRefused(ThreadPoolExecutor executor, Runnable task) {
            Retry retry = current(executor);
            if (retry == null || !retry.isOf(task)) {
                return false;
            }
            retry.refuse();
            return true;
        }

        boolean isOf(Runnable submitted) {
            return task == submitted;
        }

        void refuse() {
            refused = true;
        }

        boolean isRefused() {
            return refused;
        }
    }

    /** A task that the executor refused, and whose handler has returned or thrown. */
    static final class TurnedAway extends Submission {

        TurnedAway(ThreadPoolExecutor executor) {
            super(executor);
        }

        /** Puts this mark on the stack. Needs no memory: the thread has its stack's entry since the mark was made. */
        void leave() {
            Submission top = CURRENT.get();
            if (top != this) {
                ((Submission) this).outer = top;
                Submission.begin(this);
            }
        }

        /** Whether the executor refused the task of the call that has just ended. Removes the mark. */
        static boolean take(ThreadPoolExecutor executor) {
            Submission mark = CURRENT.get();
            boolean isRefused = mark instanceof TurnedAway && mark.executor == executor;
            if (isRefused) {
                mark.end();
            }
            return isRefused;
        }
    }
}
