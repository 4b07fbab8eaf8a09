package io.lifeguard.pool.corpus.workloads;

import static io.lifeguard.pool.corpus.workloads.Workload.healthy;
import static io.lifeguard.pool.corpus.workloads.Workload.sick;

import io.lifeguard.pool.Tasks;
import io.lifeguard.pool.corpus.work.Service;
import io.lifeguard.workbench.Hashing;
import io.lifeguard.workbench.Waiting;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.CallerRunsPolicy;
import java.util.regex.Pattern;

/** Workloads with a task that never ends, or with a blocked event loop. */
final class StuckWorkloads {

    private static final String STUCK = "stuck-task";
    private static final String LOOP = "event-loop-blocked";

    private static final Pattern EVIL = Pattern.compile("(a|aa)+\\1b");

    private StuckWorkloads() {}

    static List<Workload> all() {
        return List.of(
                sick("regular-expression-without-end", STUCK)
                        .incurable()
                        .about("one input out of thousands makes a regular expression backtrack for years")
                        .quick()
                        .plays(scene -> {
                            ThreadPoolExecutor pool = scene.unboundedPool("matching", 4);
                            scene.arrivals(300, pool, Tasks.named("match", () -> match("a".repeat(10))));
                            once(scene, 500, () -> pool.execute(Tasks.named("match", () -> match("a".repeat(60)))));
                        }),
                sick("peer-that-never-answers", STUCK)
                        .incurable()
                        .about("one call out of many waits in a read without a time-out")
                        .names("Service.call")
                        .plays(scene -> {
                            Service service = Service.unlimited();
                            ThreadPoolExecutor pool = scene.unboundedPool("calls", 8);
                            scene.arrivals(200, pool, Tasks.named("call", () -> service.call(5)));
                            once(scene, 500, () -> pool.execute(Tasks.named("call", () -> service.call(1e9))));
                        }),
                healthy("long-tasks-that-are-meant-to-be-long", STUCK)
                        .about("exports of a second and more, all of them, beside short requests")
                        .may("oversized")
                        .quick()
                        .plays(scene -> {
                            Service service = Service.unlimited();
                            ThreadPoolExecutor pool = scene.unboundedPool("exports", 4);
                            scene.clients(1_000, () -> 3, pool, Tasks.named("export", () -> {
                                for (int i = 0; i < 100; i++) {
                                    Hashing.micros(500);
                                    service.call(11);
                                }
                            }));
                            scene.arrivals(20, pool, Tasks.named("request", () -> service.call(5)));
                        }),
                healthy("suspended-machine", STUCK)
                        .about("everything stands still for more than a second, as at a breakpoint, and goes on")
                        .suspended()
                        .plays(scene -> {
                            Service service = Service.unlimited();
                            scene.arrivals(200, scene.unboundedPool("calls", 8), () -> service.call(15));
                        }),
                sick("event-loop-that-runs-tasks", LOOP)
                        .about("a Netty event loop submits to a full pool with caller-runs")
                        .may("dispatcher-runs-tasks", "blocked-on-io")
                        .quick()
                        .names("Service.call")
                        .plays(scene -> {
                            Service service = Service.unlimited();
                            ThreadPoolExecutor pool = scene.pool("backend", 4, 4, new CallerRunsPolicy());
                            EventLoopGroup loop = eventLoop(scene);
                            events(scene, 400, loop, () -> pool.execute(() -> service.call(20)));
                        }),
                sick("event-loop-that-waits-for-room", LOOP)
                        .about("a Netty event loop submits to a full pool whose handler waits for a place in the queue")
                        .may("blocked-on-io")
                        .names("PlainPools.put")
                        .plays(scene -> {
                            Service service = Service.unlimited();
                            ThreadPoolExecutor pool = scene.pool("backend", 4, 8, PlainPools::put);
                            EventLoopGroup loop = eventLoop(scene);
                            events(scene, 400, loop, () -> pool.execute(() -> service.call(20)));
                        }),
                sick("event-loop-that-waits-for-a-result", LOOP)
                        .incurable()
                        .about("a Netty event loop waits for the future of a task that it gave away")
                        .names("StuckWorkloads.")
                        .plays(scene -> {
                            Service service = Service.unlimited();
                            ThreadPoolExecutor pool = scene.unboundedPool("backend", 4);
                            EventLoopGroup loop = eventLoop(scene);
                            scene.arrivals(
                                    60,
                                    () -> loop.execute(() -> {
                                        try {
                                            pool.submit(() -> service.call(12)).get();
                                        } catch (InterruptedException e) {
                                            Thread.currentThread().interrupt();
                                        } catch (ExecutionException e) {
                                            throw new IllegalStateException(e);
                                        }
                                    }));
                        }),
                healthy("event-loop-that-hands-over", LOOP)
                        .about("a Netty event loop gives work away and is called back")
                        .quick()
                        .plays(scene -> {
                            Service service = Service.unlimited();
                            ThreadPoolExecutor pool = scene.unboundedPool("backend", 10);
                            EventLoopGroup loop = eventLoop(scene);
                            scene.arrivals(
                                    300,
                                    () -> loop.execute(() -> pool.execute(() -> {
                                        service.call(12);
                                        loop.execute(() -> Hashing.micros(20));
                                    })));
                        }));
    }

    private static void match(String text) {
        if (EVIL.matcher(text).matches()) {
            throw new IllegalStateException("there is no b in it");
        }
    }

    private static EventLoopGroup eventLoop(Scene scene) {
        return scene.keep(new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory()));
    }

    /** Events that arrive at this mean rate for an event loop. With relief it handles none of those before. */
    private static void events(Scene scene, double perSecond, EventLoopGroup loop, Runnable handler) {
        scene.arrivals(perSecond, () -> {
            boolean isBacklog = !scene.isRelieved();
            loop.execute(() -> {
                if (!isBacklog || !scene.isRelieved()) {
                    handler.run();
                }
            });
        });
    }

    private static void once(Scene scene, double afterMillis, Runnable what) {
        scene.thread("once", () -> {
            Waiting.millis(afterMillis);
            scene.isSickFromNow();
            what.run();
        });
    }
}
