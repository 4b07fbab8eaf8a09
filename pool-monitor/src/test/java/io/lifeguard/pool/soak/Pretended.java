package io.lifeguard.pool.soak;

/**
 * What goes wrong on purpose, in types of its own so that nothing real is mistaken for it. Without stack traces: there
 * are many.
 */
final class Pretended {

    private Pretended() {}

    /** A task fails. */
    static final class TaskFailure extends RuntimeException {
        private static final long serialVersionUID = 1;

        TaskFailure() {
            super("pretended failure of a task", null, false, false);
        }
    }

    /** A thread factory fails. */
    static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1;

        Failure() {
            super("pretended failure of a thread factory", null, false, false);
        }
    }

    /** There is no memory for a thread. */
    static final class OutOfMemory extends OutOfMemoryError {
        private static final long serialVersionUID = 1;

        OutOfMemory() {
            super("pretended: unable to create native thread");
        }

        @Override
        public Throwable fillInStackTrace() {
            return this;
        }
    }

    /** A thread that cannot be started. */
    static final class StillbornThread extends Thread {
        StillbornThread(Runnable body, String name) {
            super(body, name);
        }

        @Override
        public synchronized void start() {
            throw new OutOfMemory();
        }
    }
}
