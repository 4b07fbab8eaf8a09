package io.lifeguard.pool.corpus.workloads;

import static io.lifeguard.pool.corpus.workloads.Scene.CORES;
import static io.lifeguard.pool.corpus.workloads.Workload.healthy;
import static io.lifeguard.pool.corpus.workloads.Workload.sick;

import io.lifeguard.pool.corpus.work.HttpService;
import io.lifeguard.pool.corpus.work.Randomness;
import io.lifeguard.pool.corpus.work.Service;
import io.lifeguard.workbench.Hashing;
import java.util.List;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.CallerRunsPolicy;

/** Workloads whose dispatcher runs tasks itself. In some that starves the workers, in others it costs nothing. */
final class DispatcherWorkloads {

    private static final String ID = "dispatcher-runs-tasks";

    private DispatcherWorkloads() {}

    static List<Workload> all() {
        return List.of(
                sick("caller-runs-short-queue", ID)
                        .about("16 workers behind a queue of 4 ask a service for tasks of very different lengths; the"
                                + " dispatcher runs what does not fit")
                        .quick()
                        .names("dispatcher")
                        .plays(scene -> {
                            Service service = Service.unlimited();
                            scene.feed(
                                    callerRuns(scene, "orders", 16, 4),
                                    () -> service.call(Randomness.lognormal(5, 1.2)));
                        }),
                sick("caller-runs-a-report", ID)
                        .about("one task in 20 is a report of 60 ms instead of a request of 2 ms, and the dispatcher"
                                + " catches some of them")
                        .names("dispatcher")
                        .plays(scene -> {
                            HttpService service = HttpService.start(64);
                            scene.feed(
                                    callerRuns(scene, "requests", 6, 12),
                                    () -> service.get(Randomness.chance(0.05) ? 60 : 2));
                        }),
                healthy("caller-runs-constant-tasks", ID)
                        .about("a queue as long as the pool and tasks of one length: the dispatcher is back before a"
                                + " worker is idle")
                        // Also true: the CPU is idle and work is waiting.
                        .may("blocked-on-io")
                        .quick()
                        .plays(scene -> {
                            Service service = Service.unlimited();
                            scene.feed(callerRuns(scene, "thumbnails", 16, 16), () -> service.call(5));
                        }),
                healthy("caller-runs-at-full-cpu", ID)
                        .about("all workers compute to the end while the dispatcher runs a task of its own")
                        .plays(scene ->
                                scene.feed(callerRuns(scene, "checksums", CORES, 64), () -> Hashing.micros(500))));
    }

    private static ThreadPoolExecutor callerRuns(Scene scene, String name, int size, int queue) {
        return scene.pool(name, size, queue, new CallerRunsPolicy());
    }
}
