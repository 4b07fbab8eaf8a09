package io.lifeguard.pool.benchmarks.scenarios;

import java.util.function.Supplier;

/** The tasks that a scenario submits. */
final class Tasks {
    private static final int SAMPLE = 10_000;

    private Tasks() {}

    /** A source of tasks of this length. A JVM uses only one source, so that it can be inlined. */
    static Supplier<Runnable> of(double micros, Setup setup) {
        int steps = setup.steps(micros);
        Supplier<Runnable> fresh = steps == 0 ? EmptyTask::new : () -> new SpinTask(steps);
        if (setup.freshTasks()) {
            return fresh;
        }
        Runnable shared = fresh.get();
        return () -> shared;
    }

    /** Bytes of the user's own object per submission. */
    static double bytesEach(Supplier<Runnable> tasks) {
        Runnable[] kept = new Runnable[SAMPLE];
        long before = ProcessGauge.allocatedByThisThread();
        for (int i = 0; i < SAMPLE; i++) {
            kept[i] = tasks.get();
        }
        long bytes = ProcessGauge.allocatedByThisThread() - before;
        return kept[SAMPLE - 1] == null ? 0 : Math.floor((double) bytes / SAMPLE);
    }

    private static final class EmptyTask implements Runnable {
        @Override
        public void run() {}
    }

    private static final class SpinTask implements Runnable {
        private final int steps;

        SpinTask(int steps) {
            this.steps = steps;
        }

        @Override
        public void run() {
            Spin.spin(steps);
        }
    }
}
