package io.lifeguard.pool.queue;

/** Tasks that do nothing, for tests of queues. */
final class Tasks {
    private Tasks() {}

    /** Equal to every other of the same number. */
    record Numbered(int number) implements Runnable {
        @Override
        public void run() {}
    }

    /** Equal to itself only. */
    static final class Single implements Runnable {
        private final String name;

        Single(String name) {
            this.name = name;
        }

        @Override
        public void run() {}

        @Override
        public String toString() {
            return name;
        }
    }

    static Runnable single(String name) {
        return new Single(name);
    }
}
