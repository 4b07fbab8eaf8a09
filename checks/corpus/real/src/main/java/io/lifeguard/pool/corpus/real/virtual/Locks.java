package io.lifeguard.pool.corpus.real.virtual;

import ch.qos.logback.classic.Logger;
import io.lifeguard.pool.corpus.real.systems.Loggers;
import io.lifeguard.workbench.Waiting;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Programs whose virtual threads wait for locks. Stateless. */
final class Locks {

    private static final String IN_LINE = "virtual-threads-in-line";

    private Locks() {}

    static List<VirtualProgram> all() {
        return List.of(
                VirtualProgram.sick(
                                "jetty-lock-over-call",
                                "100 requests of Jetty 12.1 each hold one ReentrantLock while they call a service",
                                Label.of(IN_LINE, "lock", "Stock.reserve")
                                        .heldInsideBy("held by thread .* at .*VirtualStage.call"),
                                Label.of(IN_LINE, "lock", "Stock.reserve")
                                        .heldBy("held by thread .* at .*VirtualStage.call"),
                                stage -> Servers.jetty(stage, 100, 0, stage.keep(new Stock())::reserve))
                        .quick(),
                VirtualProgram.sick(
                        "logback-slow-file",
                        "100 tasks log with Logback to a file whose disk takes 5 ms per line",
                        Label.of(IN_LINE, "lock", "Orders.order").heldInsideBy("held by thread"),
                        Label.of(IN_LINE, "lock", "Orders.order").heldBy("held by thread"),
                        Locks::logback),
                VirtualProgram.sick(
                        "boot-compute-if-absent",
                        "100 requests of Spring Boot 4.1 need a rate that computeIfAbsent loads for two seconds",
                        Label.of("carriers-starved", "monitor", "VirtualStage.call"), // under the monitor
                        Label.of(IN_LINE, "monitor|computeIfAbsent", "RateController.rate")
                                .heldBy("held by thread"),
                        BootShop::start),
                VirtualProgram.sick(
                        "tomcat-transfers-in-circle",
                        "two transfers in Tomcat lock the same two accounts in opposite order, and others queue behind",
                        Label.of("deadlock", "ReentrantLock", "Transfers.transfer")
                                .heldBy("2 threads wait for each other"),
                        Locks::transfers));
    }

    private static void logback(VirtualStage stage) {
        Orders orders = new Orders(Loggers.toSlowDisk(5));
        stage.feed(stage.executor("orders"), 100, orders::order);
    }

    private static void transfers(VirtualStage stage) throws Exception {
        Transfers transfers = stage.keep(new Transfers());
        Servers.tomcat(stage, 12, 20, transfers::transfer);
    }

    /** A user's service. */
    private static final class Stock {
        private final Lock lock = new ReentrantLock();

        byte[] reserve() {
            lock.lock();
            try {
                return VirtualStage.call(20);
            } finally {
                lock.unlock();
            }
        }
    }

    /** A user's service. */
    private static final class Orders {
        private final Logger log;

        Orders(Logger log) {
            this.log = log;
        }

        void order() {
            Waiting.millis(10);
            log.info("ordered");
        }
    }

    /** A user's service. Every other transfer goes back. */
    private static final class Transfers {
        private final Lock one = new ReentrantLock();
        private final Lock other = new ReentrantLock();
        private final java.util.concurrent.atomic.AtomicInteger count = new java.util.concurrent.atomic.AtomicInteger();

        byte[] transfer() {
            boolean isBack = count.incrementAndGet() % 2 == 0;
            return transfer(isBack ? other : one, isBack ? one : other);
        }

        private static byte[] transfer(Lock from, Lock to) {
            from.lock();
            try {
                Waiting.millis(5);
                to.lock();
                try {
                    return new byte[] {1};
                } finally {
                    to.unlock();
                }
            } finally {
                from.unlock();
            }
        }
    }
}
