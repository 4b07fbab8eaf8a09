package io.lifeguard.examples.fleet;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.Tasks;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.stream.Collectors;

/**
 * The problems that a fleet member can have, each in its own pool. Each needs only a few percent of a processor, so
 * that several members and Prometheus fit on a small machine. Immutable.
 */
enum Sickness {
    /** The pool is full from time to time. Then the dispatcher runs a task itself, and the workers run out of work. */
    CALLER_RUNS("caller-runs", "orders", "the dispatcher runs tasks itself and submits nothing meanwhile") {
        @Override
        void start(Ward ward) {
            InstrumentedThreadPoolExecutor pool = ward.admit(InstrumentedThreadPoolExecutor.named(pool())
                    .size(16)
                    .queueCapacity(4)
                    .whenSaturated(new ThreadPoolExecutor.CallerRunsPolicy())
                    .build());
            ward.feed(pool, Double.POSITIVE_INFINITY, new Errand(Duration.ofMillis(100)));
        }
    },

    /** One task waits forever for an answer. */
    STUCK("stuck", "imports", "one task never ends") {
        @Override
        void start(Ward ward) {
            InstrumentedThreadPoolExecutor pool = waitingPool(ward, 4, 1_000);
            CountDownLatch answer = new CountDownLatch(1);
            CountDownLatch noAnswer = new CountDownLatch(1);
            // Tasks of the same kind end first, so that their usual service time is known.
            for (int i = 0; i < 20; i++) {
                pool.execute(Tasks.named("Import", new Errand(Duration.ofMillis(10))));
            }
            pool.execute(Tasks.named("Import", () -> {
                answer.countDown();
                awaitInterrupt(noAnswer);
            }));
            ward.feed(pool, 60, Tasks.named("Import", new Errand(Duration.ofMillis(20))));
        }
    },

    /** More tasks are submitted than completed. The queue is long enough to hold them for a while. */
    OVERFED("overfed", "mail", "more tasks are submitted than completed, so the queue grows") {
        @Override
        void start(Ward ward) {
            InstrumentedThreadPoolExecutor pool = waitingPool(ward, 4, 100_000);
            ward.feed(pool, 300, new Errand(Duration.ofMillis(40)));
        }
    },

    /** The pool has many times as many workers as it needs. */
    OVERSIZED("oversized", "reports", "forty workers do the work of two") {
        @Override
        void start(Ward ward) {
            InstrumentedThreadPoolExecutor pool = waitingPool(ward, 40, 1_000);
            pool.prestartAllCoreThreads();
            ward.feed(pool, 80, new Errand(Duration.ofMillis(25)));
        }
    },

    /** The queue is full all the time, so submitters wait. */
    FULL("full", "payments", "the pool is too small, so submitters wait all the time") {
        @Override
        void start(Ward ward) {
            InstrumentedThreadPoolExecutor pool = waitingPool(ward, 2, 8);
            for (int i = 0; i < 3; i++) {
                ward.feed(pool, 200, new Errand(Duration.ofMillis(20)));
            }
        }
    };

    private final String id;
    private final String pool;
    private final String summary;

    Sickness(String id, String pool, String summary) {
        this.id = id;
        this.pool = pool;
        this.summary = summary;
    }

    /** Returns the name on the command line. */
    String id() {
        return id;
    }

    /** Returns the name of the sick pool. */
    String pool() {
        return pool;
    }

    /** Returns the problem in a few words. */
    String summary() {
        return summary;
    }

    /** Creates the sick pool and starts its load. */
    abstract void start(Ward ward);

    /** Creates a pool of that size, whose submitters wait when the queue is full. */
    InstrumentedThreadPoolExecutor waitingPool(Ward ward, int size, int queueCapacity) {
        return ward.admit(InstrumentedThreadPoolExecutor.named(pool)
                .size(size)
                .queueCapacity(queueCapacity)
                .build());
    }

    static Optional<Sickness> of(String id) {
        return Arrays.stream(values())
                .filter(sickness -> sickness.id.equals(id))
                .findFirst();
    }

    static String ids() {
        return Arrays.stream(values()).map(Sickness::id).collect(Collectors.joining(", "));
    }

    private static void awaitInterrupt(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
