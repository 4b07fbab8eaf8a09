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
 * What a pool of a fleet member may suffer from. None of them needs more than a few percent of a processor, so that several members and whoever
 * watches them fit on a small machine. Immutable.
 */
enum Sickness {
    /** The pool is full now and then, and its dispatcher runs a task itself, while the workers run out of work. */
    CALLER_RUNS("caller-runs", "orders", "the dispatcher runs tasks itself and feeds nobody meanwhile") {
        @Override
        void breakOut(Ward ward) {
            InstrumentedThreadPoolExecutor pool = ward.admit(InstrumentedThreadPoolExecutor.named(pool())
                    .size(16)
                    .queueCapacity(4)
                    .whenSaturated(new ThreadPoolExecutor.CallerRunsPolicy())
                    .build());
            ward.feed(pool, Double.POSITIVE_INFINITY, new Errand(Duration.ofMillis(100)));
        }
    },

    /** One task waits for an answer that never comes. */
    STUCK("stuck", "imports", "one task never ends") {
        @Override
        void breakOut(Ward ward) {
            InstrumentedThreadPoolExecutor pool = admit(ward, 4, 1_000);
            CountDownLatch answer = new CountDownLatch(1);
            CountDownLatch noAnswer = new CountDownLatch(1);
            // Tasks of its kind have ended, so that it is known how long they take.
            for (int i = 0; i < 20; i++) {
                pool.execute(Tasks.named("Import", new Errand(Duration.ofMillis(10))));
            }
            pool.execute(Tasks.named("Import", () -> {
                answer.countDown();
                awaitInVain(noAnswer);
            }));
            ward.feed(pool, 60, Tasks.named("Import", new Errand(Duration.ofMillis(20))));
        }
    },

    /** More tasks come than go, and the queue takes them all, for a while. */
    OVERFED("overfed", "mail", "more tasks come than go, and the queue grows") {
        @Override
        void breakOut(Ward ward) {
            InstrumentedThreadPoolExecutor pool = admit(ward, 4, 100_000);
            ward.feed(pool, 300, new Errand(Duration.ofMillis(40)));
        }
    },

    /** Ten times as many workers as there is work. */
    OVERSIZED("oversized", "reports", "forty workers do the work of two") {
        @Override
        void breakOut(Ward ward) {
            InstrumentedThreadPoolExecutor pool = admit(ward, 40, 1_000);
            pool.prestartAllCoreThreads();
            ward.feed(pool, 80, new Errand(Duration.ofMillis(25)));
        }
    },

    /** The queue is full all the time, and whoever submits has to wait. */
    FULL("full", "payments", "the pool is too small, and submitters wait for room all the time") {
        @Override
        void breakOut(Ward ward) {
            InstrumentedThreadPoolExecutor pool = admit(ward, 2, 8);
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

    /** What it is called on the command line. */
    String id() {
        return id;
    }

    /** The name of the pool that has it. */
    String pool() {
        return pool;
    }

    /** What it does, in a few words. */
    String summary() {
        return summary;
    }

    /** Makes a pool that suffers from it. */
    abstract void breakOut(Ward ward);

    /** The pool of that size, whose submitters wait when the queue is full. */
    InstrumentedThreadPoolExecutor admit(Ward ward, int size, int queueCapacity) {
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

    private static void awaitInVain(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException isOver) {
            Thread.currentThread().interrupt();
        }
    }
}
