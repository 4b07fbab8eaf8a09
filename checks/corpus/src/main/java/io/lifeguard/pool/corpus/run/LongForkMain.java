package io.lifeguard.pool.corpus.run;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.corpus.looks.MonitorLookout;
import io.lifeguard.pool.corpus.work.Service;
import io.lifeguard.pool.corpus.workloads.Scene;
import io.lifeguard.pool.corpus.workloads.Workload;
import io.lifeguard.pool.corpus.workloads.Workloads;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.workbench.ChildJvm;
import io.lifeguard.workbench.Hashing;
import io.lifeguard.workbench.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The main class of a fork that plays a workload for a minute or longer. It prints the looks, and ends at once.
 * Stateless.
 */
final class LongForkMain {

    private static final String RELIEF = "@relief\t";
    private static final int IDLE_POOLS = 6;
    private static final Duration WARM = Duration.ofSeconds(15);

    private LongForkMain() {}

    /** Arguments: name of the workload, milliseconds sick, milliseconds relieved, whether the JVM is cold. */
    public static void main(String[] arguments) {
        Locale.setDefault(Locale.ROOT);
        ChildJvm.workAndHalt(() -> play(
                Workloads.named(arguments[0]).orElseThrow(),
                Duration.ofMillis(Long.parseLong(arguments[1])),
                Duration.ofMillis(Long.parseLong(arguments[2])),
                Boolean.parseBoolean(arguments[3])));
    }

    private static void play(Workload workload, Duration length, Duration relief, boolean isCold) throws Exception {
        if (Hashing.micros(1) == 0) {
            System.out.println("calibrated before the monitor starts");
        }
        PoolMonitor.Builder builder = PoolMonitor.builder();
        TimeScale.thresholds().forEach(builder::threshold);
        List<InstrumentedThreadPoolExecutor> idle =
                new ArrayList<>(); // kept until the end, as a service keeps its pools
        try (PoolMonitor monitor = builder.build()) {
            if (!isCold) {
                idle.addAll(idlePools());
                warmUp();
            }
            MonitorLookout lookout = new MonitorLookout(monitor);
            Scene scene = new Scene(length, relief);
            workload.action().play(scene);
            long sickSince = scene.sickSince(System.nanoTime());
            scene.awaitEnd();
            sickSince = scene.sickSince(sickSince);
            lookout.end(sickSince);
            System.out.println(RELIEF + (scene.reliefNanoTime() - sickSince) / 1_000_000);
            System.out.println(ForkMain.DONE);
        }
        idle.forEach(InstrumentedThreadPoolExecutor::shutdownNow);
    }

    /** Milliseconds from the beginning of the sickness to the relief, as the fork has printed them. */
    static long reliefMillis(List<String> log) {
        return log.stream()
                .filter(line -> line.startsWith(RELIEF))
                .mapToLong(line -> Long.parseLong(line.substring(RELIEF.length())))
                .findFirst()
                .orElseThrow();
    }

    private static List<InstrumentedThreadPoolExecutor> idlePools() {
        List<InstrumentedThreadPoolExecutor> pools = new ArrayList<>();
        for (int i = 1; i <= IDLE_POOLS; i++) {
            InstrumentedThreadPoolExecutor pool =
                    InstrumentedThreadPoolExecutor.named("idle-" + i).size(4).build();
            pool.execute(() -> Hashing.micros(100));
            pools.add(pool);
        }
        return pools;
    }

    /** Lets the JVM and the monitor work for as long as a service needs to get warm. */
    private static void warmUp() throws Exception {
        InstrumentedThreadPoolExecutor pool =
                InstrumentedThreadPoolExecutor.named(WarmUp.POOL).size(6).build();
        try (Service service = Service.unlimited()) {
            for (long end = System.nanoTime() + WARM.toNanos(); System.nanoTime() < end; ) {
                pool.execute(() -> {
                    Hashing.micros(100);
                    service.call(5);
                });
                Waiting.millis(5);
            }
            pool.shutdown();
            if (!pool.awaitTermination(10, java.util.concurrent.TimeUnit.SECONDS)) {
                throw new IllegalStateException("the warm-up does not end");
            }
        }
    }
}
