package io.lifeguard.pool.corpus.workloads;

import io.lifeguard.workbench.Waiting;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/** Load that is healthy for half a second, and then runs into a standstill. Stateless. */
final class Onset {

    private static final int PER_SECOND = 60;
    private static final int HEALTHY = 30; // tasks

    private Onset() {}

    /** A step of a task that may wait. */
    @FunctionalInterface
    interface Step {

        /**
         * Does the step.
         *
         * @throws Exception when the task fails, or is interrupted
         */
        void run() throws Exception;
    }

    /** Submits 60 tasks a second. The first thirty take 5 ms, and each later one does this step. */
    static void arrivals(Scene scene, Executor pool, Step step) {
        AtomicInteger tasks = new AtomicInteger();
        scene.arrivals(PER_SECOND, pool, () -> {
            int number = tasks.incrementAndGet() - HEALTHY;
            if (number <= 0) {
                Waiting.millis(5);
                return;
            }
            if (number == 1) {
                scene.isSickFromNow();
            }
            run(step);
        });
    }

    /** Does a step once, in a thread of its own, after half a second. */
    static void once(Scene scene, String thread, Step step) {
        scene.thread(thread, () -> {
            Waiting.millis(500);
            run(step);
        });
    }

    static void run(Step step) {
        try {
            step.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
