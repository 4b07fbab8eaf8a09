package io.lifeguard.pool.corpus.workloads;

import static io.lifeguard.pool.corpus.workloads.Workload.sick;

import io.lifeguard.workbench.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Phaser;
import java.util.concurrent.ThreadPoolExecutor;

/** Workloads that stand still in a wait for results, for other threads, or for parties that do not come. */
final class ResultStandstills {

    private static final String STANDS_STILL = "stands-still";
    private static final String OWN_TASKS = "starved-by-own-tasks";
    private static final String OTHER_POOL = "waits-on-another-pool";

    private ResultStandstills() {}

    static List<Workload> all() {
        return List.of(
                sick("parts-in-the-own-queue", OWN_TASKS)
                        .incurable()
                        .about("each task invokes three parts in the pool that runs it")
                        .may(STANDS_STILL, "queue-growing", "stuck-task")
                        .names("ResultStandstills.report")
                        .plays(scene -> {
                            ThreadPoolExecutor pool = scene.unboundedPool("reports", 4);
                            Onset.arrivals(scene, pool, () -> report(pool));
                        }),
                sick("pools-that-wait-for-each-other", OTHER_POOL)
                        .incurable()
                        .about("orders ask stock, which asks orders")
                        .may(STANDS_STILL, "queue-growing", "stuck-task", OWN_TASKS)
                        .names("ResultStandstills.ask")
                        .plays(scene -> {
                            ThreadPoolExecutor orders = scene.unboundedPool("orders", 4);
                            ThreadPoolExecutor stock = scene.unboundedPool("stock", 4);
                            Onset.arrivals(scene, orders, () -> ask(stock, () -> ask(orders, () -> Waiting.millis(1))));
                        }),
                standstill("future-that-nobody-completes", "the thread that completes a future has failed")
                        .names("ResultStandstills.answer")
                        .plays(scene -> {
                            CompletableFuture<String> lost = new CompletableFuture<>();
                            Onset.arrivals(scene, scene.unboundedPool("answers", 5), () -> answer(lost));
                        }),
                standstill("latch-of-a-part-that-failed", "a part failed before it counted down")
                        .names("ResultStandstills.awaitParts")
                        .plays(scene -> {
                            CountDownLatch parts = new CountDownLatch(1);
                            Onset.arrivals(scene, scene.unboundedPool("joins", 5), () -> awaitParts(parts));
                        }),
                standstill("barrier-larger-than-the-pool", "eight tasks are to meet, and there are five workers")
                        .names("ResultStandstills.meet")
                        .plays(scene -> {
                            CyclicBarrier barrier = new CyclicBarrier(8);
                            Onset.arrivals(scene, scene.unboundedPool("steps", 5), () -> meet(barrier));
                        }),
                standstill("phaser-that-lacks-a-party", "a party registered with a phaser and never arrives")
                        .names("ResultStandstills.advance")
                        .plays(scene -> {
                            Phaser phaser = new Phaser(6);
                            Onset.arrivals(scene, scene.unboundedPool("phases", 5), () -> advance(phaser));
                        }),
                standstill("exchanger-without-partner", "one worker offers a buffer, and nobody exchanges it")
                        .names("ResultStandstills.exchange")
                        .plays(scene -> {
                            Exchanger<String> buffers = new Exchanger<>();
                            Onset.arrivals(scene, scene.unboundedPool("buffers", 1), () -> exchange(buffers));
                        }),
                standstill("thread-that-waits-for-the-pool", "tasks join a thread that waits for a task of their pool")
                        .names("ResultStandstills.join")
                        .plays(scene -> {
                            ThreadPoolExecutor pool = scene.unboundedPool("syncs", 4);
                            Onset.arrivals(scene, pool, () -> join(scene, pool));
                        }));
    }

    private static Workload.Builder standstill(String name, String about) {
        return sick(name, STANDS_STILL).incurable().about(about).may("queue-growing", "stuck-task", OWN_TASKS);
    }

    private static void report(ThreadPoolExecutor pool) throws InterruptedException {
        List<Callable<Object>> parts = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            parts.add(() -> parts);
        }
        Waiting.millis(100); // until others run, too, so that no worker is left for the parts
        pool.invokeAll(parts);
    }

    private static void ask(ThreadPoolExecutor other, Onset.Step question)
            throws ExecutionException, InterruptedException {
        Waiting.millis(100);
        other.submit(() -> Onset.run(question)).get();
    }

    private static void answer(CompletableFuture<String> answer) {
        answer.join();
    }

    private static void awaitParts(CountDownLatch parts) throws InterruptedException {
        parts.await();
    }

    private static void meet(CyclicBarrier barrier) throws Exception {
        barrier.await();
    }

    private static void advance(Phaser phaser) {
        phaser.arriveAndAwaitAdvance();
    }

    private static void exchange(Exchanger<String> buffers) throws InterruptedException {
        buffers.exchange("full");
    }

    private static void join(Scene scene, ThreadPoolExecutor pool) throws InterruptedException {
        Waiting.millis(100);
        Thread helper =
                new Thread(() -> Onset.run(() -> pool.submit(scene::isOver).get()), "helper");
        helper.setDaemon(true);
        helper.start();
        helper.join();
    }
}
