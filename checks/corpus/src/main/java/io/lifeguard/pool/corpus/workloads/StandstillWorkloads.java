package io.lifeguard.pool.corpus.workloads;

import static io.lifeguard.pool.corpus.workloads.Workload.healthy;
import static io.lifeguard.pool.corpus.workloads.Workload.sick;

import io.lifeguard.pool.corpus.work.Service;
import io.lifeguard.workbench.Waiting;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Workloads in which nothing moves any more, and workloads that wait for a long time and are healthy. */
final class StandstillWorkloads {

    private static final String STANDS_STILL = "stands-still";

    private StandstillWorkloads() {}

    static List<Workload> all() {
        return List.of(
                sick("permits-lost-one-by-one", STANDS_STILL)
                        .incurable()
                        .about("one call in three keeps its permit; in the end all workers wait for permits")
                        .may("queue-growing", "stuck-task", "downstream-saturated")
                        .quick()
                        .names("StandstillWorkloads.withPermit")
                        .plays(scene -> {
                            Service service = Service.unlimited();
                            Semaphore permits = new Semaphore(6);
                            AtomicInteger calls = new AtomicInteger();
                            scene.arrivals(60, scene.unboundedPool("orders", 6), () -> {
                                boolean isLast = calls.incrementAndGet() % 3 == 0;
                                withPermit(permits, isLast, () -> service.call(5));
                                if (isLast && permits.availablePermits() == 0) {
                                    scene.isSickFromNow();
                                }
                            });
                        }),
                sick("peer-that-answers-nobody", STANDS_STILL)
                        .incurable()
                        .about("a service stops answering, and calls have no time-out")
                        .may("queue-growing", "stuck-task", "blocked-on-io")
                        .names("Service.call")
                        .plays(scene -> {
                            Service service = Service.unlimited();
                            ThreadPoolExecutor pool = scene.unboundedPool("calls", 8);
                            long end = System.nanoTime() + 300_000_000L;
                            scene.arrivals(200, pool, () -> {
                                boolean isDead = System.nanoTime() > end;
                                if (isDead && pool.getActiveCount() == 1) {
                                    scene.isSickFromNow();
                                }
                                service.call(isDead ? 1e9 : 5);
                            });
                        }),
                healthy("consumers-that-wait-for-messages", STANDS_STILL)
                        .about("four tasks that never end take messages, of which one comes in seconds")
                        .may("oversized", "stuck-task")
                        .quick()
                        .plays(scene -> {
                            BlockingQueue<String> messages = new LinkedBlockingQueue<>();
                            ThreadPoolExecutor pool = scene.unboundedPool("consumers", 4);
                            for (int i = 0; i < 4; i++) {
                                pool.execute(() -> {
                                    while (!scene.isOver()) {
                                        take(messages);
                                    }
                                });
                            }
                            scene.arrivals(0.3, () -> messages.add("message"));
                        }),
                healthy("long-polls", STANDS_STILL)
                        .about("clients wait up to two seconds for news, each in a task of its own")
                        .may("oversized")
                        .plays(scene -> {
                            BlockingQueue<String> news = new LinkedBlockingQueue<>();
                            scene.clients(1_000, () -> 6, scene.unboundedPool("polls", 12), () -> poll(news));
                            scene.arrivals(2, () -> news.add("news"));
                        }));
    }

    private static void withPermit(Semaphore permits, boolean isLost, Runnable call) {
        permits.acquireUninterruptibly();
        call.run();
        if (!isLost) {
            permits.release();
        }
    }

    private static void take(BlockingQueue<String> messages) {
        try {
            messages.take();
            Waiting.millis(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void poll(BlockingQueue<String> news) {
        try {
            news.poll(2, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
