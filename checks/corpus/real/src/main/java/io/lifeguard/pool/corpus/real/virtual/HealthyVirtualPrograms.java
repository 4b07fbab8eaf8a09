package io.lifeguard.pool.corpus.real.virtual;

import io.lifeguard.pool.corpus.work.Randomness;
import io.lifeguard.workbench.Hashing;
import io.lifeguard.workbench.Waiting;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;

/** Programs on virtual threads in which nothing is wrong. Stateless. */
final class HealthyVirtualPrograms {

    /** Of a JVM with 2,000 threads or more a watcher takes one dump with virtual threads, and says so. */
    private static final int CONSUMERS = 1_500;

    private HealthyVirtualPrograms() {}

    static List<VirtualProgram> all() {
        return List.of(
                VirtualProgram.healthy(
                                "tomcat-pool-half-used",
                                "40 clients of Tomcat use half of the eight objects of commons-pool2",
                                stage -> ConnectionPools.tomcatCommonsPool(stage, 40, 450))
                        .quick(),
                VirtualProgram.healthy(
                        "jetty-calls",
                        "50 clients of Jetty 12.1, each of whose requests calls a service of 20 ms",
                        stage -> Servers.jetty(stage, 50, 500, () -> VirtualStage.call(20))),
                VirtualProgram.healthy(
                        "bulkhead-half-full",
                        "20 clients of the JDK's HTTP server, behind a bulkhead for ten that is half full",
                        stage -> ConnectionPools.bulkhead(stage, 20, 200, 50)),
                VirtualProgram.healthy(
                        "boot-prices",
                        "30 clients of Spring Boot 4.1, each of whose requests calls a service of 20 ms",
                        stage -> BootShop.start(stage, 30, 500, "/price")),
                VirtualProgram.healthy(
                        "waiting-consumers",
                        CONSUMERS + " threads wait for messages, and a message comes now and then",
                        HealthyVirtualPrograms::consumers),
                VirtualProgram.healthy(
                        "permits-and-bursts",
                        "tasks use most of ten permits, and a burst of 40 short computations comes each second",
                        HealthyVirtualPrograms::permits));
    }

    private static void consumers(VirtualStage stage) {
        BlockingQueue<Integer> messages = stage.keep(new LinkedBlockingQueue<>());
        Executor executor = stage.executor("consumers");
        for (int i = 0; i < CONSUMERS; i++) {
            executor.execute(() -> {
                try {
                    while (!Thread.currentThread().isInterrupted()) {
                        Waiting.millis(messages.take());
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        stage.loop("producer", () -> {
            messages.put(10);
            Waiting.millis(Randomness.exponential(20));
        });
    }

    private static void permits(VirtualStage stage) {
        Executor executor = stage.executor("permits");
        Semaphore permits = new Semaphore(10);
        stage.loop("arrivals", () -> {
            executor.execute(() -> {
                permits.acquireUninterruptibly();
                try {
                    Waiting.millis(Randomness.exponential(50));
                } finally {
                    permits.release();
                }
            });
            Waiting.millis(Randomness.exponential(6.25)); // 160 a second; ten permits allow 200
        });
        Executor bursts = stage.executor("bursts");
        stage.loop("bursts", () -> {
            for (int i = 0; i < 40; i++) {
                bursts.execute(() -> Hashing.micros(1_000));
            }
            Waiting.millis(1_000);
        });
    }
}
