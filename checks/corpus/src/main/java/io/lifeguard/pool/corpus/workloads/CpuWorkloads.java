package io.lifeguard.pool.corpus.workloads;

import static io.lifeguard.pool.corpus.workloads.Scene.CORES;
import static io.lifeguard.pool.corpus.workloads.Workload.healthy;
import static io.lifeguard.pool.corpus.workloads.Workload.sick;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.lifeguard.pool.corpus.work.Compressing;
import io.lifeguard.pool.corpus.work.Service;
import io.lifeguard.pool.corpus.work.TextFile;
import io.lifeguard.workbench.Hashing;
import java.util.List;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.ReentrantLock;

/** Workloads whose threads wait for the CPU, spend it on switching, or are stopped by a quota. */
final class CpuWorkloads {

    private static final String SATURATED = "cpu-saturated";
    private static final String SYSTEM = "high-system-cpu";
    private static final String THROTTLED = "cpu-throttled";

    private CpuWorkloads() {}

    static List<Workload> all() {
        return List.of(
                sick("hash-on-too-many-threads", SATURATED)
                        .about("12 threads per CPU hash")
                        .quick()
                        .plays(scene -> scene.feed(scene.pool("hashing", 12 * CORES), () -> Hashing.micros(1_000))),
                sick("compress-and-call-on-too-many", SATURATED)
                        .about("10 threads per CPU compress and ask a service, where 2 would do")
                        .plays(scene -> {
                            Service service = Service.unlimited();
                            scene.feed(scene.pool("archive", 10 * CORES), () -> {
                                Compressing.deflate(32 * 1024);
                                service.call(1);
                            });
                        }),
                healthy("hash-at-the-right-size", SATURATED)
                        .about("one thread per CPU, and all CPUs full")
                        .quick()
                        .plays(scene -> scene.feed(scene.pool("hashing", CORES), () -> Hashing.micros(1_000))),
                healthy("compute-and-call-at-the-right-size", SATURATED)
                        .about("computes a fifth of the time, on six threads per CPU: the CPU is nearly full")
                        .plays(scene -> {
                            Service service = Service.unlimited();
                            scene.feed(scene.pool("mixed", 6 * CORES), () -> {
                                Hashing.micros(500);
                                service.call(2);
                            });
                        }),
                healthy("hash-beside-foreign-load", SATURATED)
                        .about("one thread per CPU while another process wants all CPUs as well")
                        .foreignLoad(CORES)
                        .plays(scene -> scene.feed(scene.pool("hashing", CORES), () -> Hashing.micros(1_000))),
                sick("fair-lock-convoy", SYSTEM)
                        .about("8 threads per CPU take turns at a fair lock for microseconds")
                        .may("lock-contention", "oversized", SATURATED)
                        .quick()
                        .plays(scene -> {
                            ReentrantLock fair = new ReentrantLock(true);
                            scene.feed(scene.pool("convoy", 8 * CORES), () -> {
                                for (int i = 0; i < 50; i++) {
                                    fair.lock();
                                    try {
                                        Hashing.micros(0.1);
                                    } finally {
                                        fair.unlock();
                                    }
                                }
                            });
                        }),
                sick("hand-over-one-by-one", SYSTEM)
                        .about("each task hands small parts to another task of the pool, one at a time")
                        .may("lock-contention", "oversized", SATURATED)
                        .plays(scene -> {
                            SynchronousQueue<String> parts = new SynchronousQueue<>();
                            scene.feed(scene.pool("relay", 8 * CORES), () -> handOver(parts));
                        }),
                healthy("read-files-from-the-page-cache", SYSTEM)
                        .about("system time is nine tenths, but it is the reading itself")
                        .quick()
                        .plays(scene -> {
                            TextFile file = TextFile.create();
                            scene.feed(scene.pool("files", CORES), () -> file.read(16));
                        }),
                sick("half-a-cpu", THROTTLED)
                        .about("a container of half a CPU, and a pool that could use two")
                        .may(SATURATED)
                        .quota(0.5)
                        .quick()
                        .plays(scene -> scene.feed(scene.pool("container", 2), () -> Hashing.micros(500))),
                sick("bursts-above-the-quota", THROTTLED)
                        .about("uses six tenths of its quota on average, but all at once")
                        .may(SATURATED, "oversized")
                        .quota(1)
                        .plays(scene -> scene.bursts(
                                150, () -> 100, scene.unboundedPool("bursts", 4), () -> Hashing.micros(1_500))),
                healthy("within-the-quota", THROTTLED)
                        .about("a container of one and a half CPUs, half used")
                        .quota(1.5)
                        .plays(scene ->
                                scene.arrivals(700, scene.unboundedPool("container", 2), () -> Hashing.micros(800))));
    }

    /** Hands parts over. Whichever side comes first waits for the other. */
    private static void handOver(SynchronousQueue<String> parts) {
        try {
            for (int i = 0; i < 50; i++) {
                if (!parts.offer("part")) {
                    if (i % 2 == 0) {
                        parts.poll(2, MILLISECONDS);
                    } else {
                        parts.offer("part", 2, MILLISECONDS);
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
