package io.lifeguard.pool.corpus.workloads;

import static io.lifeguard.pool.corpus.workloads.Workload.healthy;
import static io.lifeguard.pool.corpus.workloads.Workload.sick;

import io.lifeguard.pool.corpus.work.Database;
import io.lifeguard.pool.corpus.work.HttpService;
import io.lifeguard.pool.corpus.work.Service;
import io.lifeguard.workbench.Hashing;
import io.lifeguard.workbench.Waiting;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/**
 * Workloads whose workers wait for something outside the process. More workers would help in some, and not in others.
 */
final class WaitingWorkloads {

    private static final String BLOCKED = "blocked-on-io";
    private static final String DOWNSTREAM = "downstream-saturated";

    private WaitingWorkloads() {}

    static List<Workload> all() {
        return List.of(
                sick("http-behind-four-slots", BLOCKED)
                        .about("a blocking HTTP call of 20 ms, four workers, and no end of work")
                        .quick()
                        .names("HttpService.get")
                        .plays(scene -> {
                            HttpService service = HttpService.start(64);
                            scene.feed(scene.pool("requests", 4), () -> service.get(20));
                        }),
                sick("distant-database", BLOCKED, "queue-growing")
                        .about("a database 15 ms away with connections enough; more requests than six workers can"
                                + " carry")
                        .names("Database.")
                        .plays(scene -> {
                            Database database = Database.open(16);
                            scene.arrivals(500, scene.unboundedPool("queries", 6), () -> database.find(15));
                        }),
                sick("http-client-that-waits-for-a-future", BLOCKED)
                        .about("the JDK's HTTP client waits for a future, but not for one of this pool")
                        .names("HttpService.send")
                        .plays(scene -> {
                            HttpService service = HttpService.start(64);
                            service.send(1); // its classes are loaded, and its threads run
                            scene.feed(scene.pool("calls", 6), () -> {
                                service.send(25);
                                Hashing.micros(200);
                            });
                        }),
                healthy("slow-service-and-workers-enough", BLOCKED)
                        .about("calls take 50 ms, and half of the workers are free")
                        .quick()
                        .plays(scene -> {
                            Service service = Service.unlimited();
                            scene.arrivals(150, scene.unboundedPool("patient", 16), () -> service.call(50));
                        }),
                healthy("sleepy-database-at-its-rate", BLOCKED)
                        .about("queries of 12 ms arrive evenly, three quarters of the workers busy, the queue nearly"
                                + " always empty")
                        .plays(scene -> {
                            Database database = Database.open(12);
                            scene.clients(400, () -> 9, scene.pool("queries", 12), () -> {
                                database.find(12);
                                Hashing.micros(100);
                            });
                        }),
                sick("two-connections", DOWNSTREAM)
                        .about("16 workers share two connections, and ever more want one")
                        .quick()
                        .names("HikariPool")
                        .plays(scene -> {
                            Database database = Database.open(2);
                            scene.clients(
                                    200,
                                    rising(scene, 16, 3),
                                    scene.unboundedPool("queries", 16),
                                    () -> database.find(6));
                        }),
                sick("service-on-one-thread", DOWNSTREAM)
                        .about("the service behind answers one request after the other, 4 ms each, and load rises")
                        .plays(scene -> {
                            Service service = Service.limitedTo(1);
                            scene.clients(
                                    200, rising(scene, 12, 2), scene.unboundedPool("calls", 12), () -> service.call(4));
                        }),
                sick("service-that-thrashes", DOWNSTREAM)
                        .about("every request inside makes the others half as long again, and load rises")
                        .plays(scene -> {
                            Service service = Service.slowingDown(0.5);
                            scene.clients(
                                    200, rising(scene, 16, 2), scene.unboundedPool("calls", 16), () -> service.call(4));
                        }),
                sick("fifty-workers-on-four-permits", DOWNSTREAM)
                        .about("50 workers take turns at four permits, each for 20 ms, under a steady load")
                        .recommends(4, 6)
                        .names("WaitingWorkloads.")
                        .plays(scene -> {
                            Semaphore permits = new Semaphore(4);
                            scene.feed(scene.pool("orders", 50), () -> {
                                permits.acquireUninterruptibly();
                                try {
                                    Waiting.millis(20);
                                } finally {
                                    permits.release();
                                }
                            });
                        }),
                healthy("load-that-varies-before-a-good-service", DOWNSTREAM)
                        .about("concurrency goes up and down, and the service takes the same time always")
                        .plays(scene -> {
                            Service service = Service.unlimited();
                            scene.clients(300, between(2, 12), scene.unboundedPool("calls", 16), () -> service.call(8));
                        }));
    }

    private static IntSupplier between(int least, int most) {
        return () -> ThreadLocalRandom.current().nextInt(least, most + 1);
    }

    /**
     * Adds clients slowly, until there are twice as many as workers. The workload is sick as soon as there are more
     * clients than workers. The rise is slow because a rule needs several windows to see what more concurrency brings.
     */
    private static IntSupplier rising(Scene scene, int workers, int step) {
        AtomicInteger now = new AtomicInteger(1);
        return () -> {
            int before = now.get();
            int clients = now.updateAndGet(clientsNow -> Math.min(2 * workers, clientsNow + step));
            if (before <= workers && clients > workers) {
                scene.isSickFromNow();
            }
            return clients;
        };
    }
}
