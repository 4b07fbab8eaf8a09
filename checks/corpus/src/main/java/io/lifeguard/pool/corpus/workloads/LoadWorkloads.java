package io.lifeguard.pool.corpus.workloads;

import static io.lifeguard.pool.corpus.workloads.Scene.CORES;
import static io.lifeguard.pool.corpus.workloads.Workload.healthy;
import static io.lifeguard.pool.corpus.workloads.Workload.sick;

import io.lifeguard.pool.corpus.work.Service;
import io.lifeguard.workbench.Hashing;
import io.lifeguard.workbench.Waiting;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;

/** Workloads with growing queues, pools that are too big for their load, and maximum sizes that are never reached. */
final class LoadWorkloads {

    private static final String GROWING = "queue-growing";
    private static final String OVERSIZED = "oversized";
    private static final String UNREACHABLE = "max-size-unreachable";

    private LoadWorkloads() {}

    static List<Workload> all() {
        return List.of(
                sick("more-hashing-than-cpu", GROWING)
                        .about("a quarter more work arrives than all CPUs can do, on a pool of the right size")
                        .quick()
                        .plays(scene -> scene.arrivals(
                                1_250 * CORES, scene.unboundedPool("hashing", CORES), () -> Hashing.micros(1_000))),
                sick("service-that-got-slow", GROWING)
                        .about("all is well until the service behind takes three times as long")
                        .may("blocked-on-io")
                        .plays(scene -> {
                            Service service = Service.unlimited();
                            AtomicBoolean slow = new AtomicBoolean();
                            scene.arrivals(
                                    500, scene.unboundedPool("calls", 8), () -> service.call(slow.get() ? 30 : 10));
                            scene.thread("deploy", () -> {
                                Waiting.millis(1_200);
                                slow.set(true);
                                scene.isSickFromNow();
                            });
                        }),
                healthy("bursts-that-drain", GROWING)
                        .about("hundreds of tasks at once, gone before the next burst comes")
                        .quick()
                        .plays(scene -> {
                            Service service = Service.unlimited();
                            scene.bursts(
                                    900,
                                    () -> ThreadLocalRandom.current().nextInt(500, 1_000),
                                    scene.unboundedPool("mails", 8),
                                    () -> service.call(3));
                        }),
                healthy("one-big-burst-at-the-start", GROWING)
                        .about("a backlog of the night is worked off by a pool of the right size")
                        .plays(scene -> {
                            ThreadPoolExecutor pool = scene.unboundedPool("backlog", CORES);
                            for (int i = 0; i < 1_500 * CORES; i++) {
                                pool.execute(() -> Hashing.micros(1_000));
                            }
                            scene.arrivals(300, pool, () -> Hashing.micros(1_000));
                        }),
                sick("sixty-four-for-three", OVERSIZED)
                        .incurable()
                        .about("64 workers for calls that keep three of them busy")
                        .quick()
                        .plays(scene -> {
                            Service service = Service.unlimited();
                            scene.arrivals(150, warm(scene.unboundedPool("calls", 64)), () -> service.call(10));
                        }),
                sick("a-hundred-for-bursts-of-five", OVERSIZED)
                        .incurable()
                        .about("100 workers; five computing tasks at once at most")
                        .plays(scene -> scene.bursts(
                                20, () -> 5, warm(scene.unboundedPool("bursts", 100)), () -> Hashing.micros(500))),
                healthy("lull-after-work", OVERSIZED)
                        .about("all workers were busy a moment ago; now there is little to do")
                        .plays(scene -> {
                            Service service = Service.unlimited();
                            ThreadPoolExecutor pool = scene.unboundedPool("shop", 16);
                            double dusk = System.nanoTime() + 3.2e9; // the lull is shorter than a long time
                            scene.clients(100, () -> System.nanoTime() < dusk ? 15 : 1, pool, () -> service.call(10));
                        }),
                healthy("idle-night", OVERSIZED)
                        .about("a pool that has nothing to do at all")
                        .quick()
                        .plays(scene -> {
                            Service service = Service.unlimited();
                            ThreadPoolExecutor pool = scene.unboundedPool("nightly", 8);
                            for (int i = 0; i < 8; i++) {
                                pool.execute(() -> service.call(20));
                            }
                        }),
                healthy("start-up", OVERSIZED)
                        .about("classes load, code is interpreted, first few requests and then many")
                        .plays(scene -> {
                            Service service = Service.unlimited();
                            long begin = System.nanoTime();
                            scene.clients(
                                    200,
                                    () -> (int) Math.min(14, 1 + (System.nanoTime() - begin) / 200_000_000),
                                    scene.unboundedPool("shop", 16),
                                    () -> {
                                        service.call(8);
                                        Hashing.micros(100);
                                    });
                        }),
                sick("maximum-behind-an-unbounded-queue", UNREACHABLE)
                        .incurable()
                        .about("core 2, maximum 16, and a queue that is never full")
                        .may("blocked-on-io", GROWING)
                        .quick()
                        .plays(scene -> {
                            Service service = Service.unlimited();
                            scene.clients(
                                    1_000,
                                    () -> 12,
                                    elastic(scene, 2, 16, new LinkedBlockingQueue<>()),
                                    () -> service.call(10));
                        }),
                sick("growing-against-a-full-cpu", UNREACHABLE)
                        .incurable()
                        .about("core as many as CPUs, maximum 32; a computing load makes it grow to where all"
                                + " wait for the CPU")
                        .may("cpu-saturated")
                        .plays(scene -> scene.feed(
                                elastic(scene, CORES, 32, new LinkedBlockingQueue<>(8)), () -> Hashing.micros(1_000))),
                healthy("growing-for-a-service", UNREACHABLE)
                        .about("core 2, maximum 32, direct hand-over: grows when calls come, as it is meant to")
                        .plays(scene -> {
                            Service service = Service.unlimited();
                            scene.clients(
                                    400,
                                    () -> ThreadLocalRandom.current().nextInt(4, 16),
                                    elastic(scene, 2, 32, new SynchronousQueue<>()),
                                    () -> service.call(10));
                        }));
    }

    private static ThreadPoolExecutor warm(ThreadPoolExecutor pool) {
        pool.prestartAllCoreThreads();
        return pool;
    }

    private static ThreadPoolExecutor elastic(Scene scene, int core, int maximum, BlockingQueue<Runnable> queue) {
        return scene.keep(scene.maker().elastic(core, maximum, queue));
    }
}
