package io.lifeguard.examples.orders.teams;

import io.lifeguard.examples.orders.sickness.Traffic;
import io.lifeguard.examples.orders.warehouse.Catalogue;
import io.lifeguard.examples.orders.warehouse.SlowQuery;
import io.lifeguard.examples.orders.warehouse.Warehouse;
import io.lifeguard.workbench.Waiting;
import jakarta.annotation.PreDestroy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Profile;
import org.springframework.core.task.TaskRejectedException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Makes one executor of a team sick, or all well again, on an HTTP request. Thread-safe. */
@RestController
@RequestMapping("/teams")
@Profile("teams")
class TeamController {

    private static final double QUERY_MILLIS = 20;
    private static final double BUNDLE_MILLIS = 20;
    private static final int CALLERS = 24;
    private static final long REPORT_NANOS = 3_000_000_000L;

    private final ThreadPoolTaskExecutor shipping;
    private final ThreadPoolTaskScheduler reporting;
    private final ScheduledExecutorService heartbeats;
    private final ExecutorService pricing;
    private final ThreadPoolTaskExecutor searching;
    private final Catalogue catalogue;
    private final Mails mails;
    private final Billing billing;
    private final Warehouse warehouse;
    private final JdbcClient database;
    private final Map<String, Traffic> sick = new ConcurrentHashMap<>();

    TeamController(
            @Qualifier("shipping") ThreadPoolTaskExecutor shipping,
            @Qualifier("reporting") ThreadPoolTaskScheduler reporting,
            @Qualifier("heartbeats") ScheduledExecutorService heartbeats,
            @Qualifier("pricing") ExecutorService pricing,
            @Qualifier("searching") ThreadPoolTaskExecutor searching,
            Catalogue catalogue,
            Mails mails,
            Billing billing,
            Warehouse warehouse,
            JdbcClient database) {
        this.shipping = shipping;
        this.reporting = reporting;
        this.heartbeats = heartbeats;
        this.pricing = pricing;
        this.searching = searching;
        this.catalogue = catalogue;
        this.mails = mails;
        this.billing = billing;
        this.warehouse = warehouse;
        this.database = database;
    }

    /** A slow query on the request's thread. The customers who ask too often are outside of this process. */
    @GetMapping("/invoice")
    String invoice() {
        SlowQuery.prepare(database);
        SlowQuery.run(database, QUERY_MILLIS);
        return "paid";
    }

    @PostMapping("/{team}")
    @SuppressWarnings("FutureReturnValueIgnored") // as many teams do with a periodic task, which may die unseen
    void begin(@PathVariable String team) {
        Traffic traffic = new Traffic(team);
        sick.put(team, traffic);
        switch (team) {
            case "shipping" -> traffic.feed(shipping, this::ship);
            case "mailing" -> traffic.thread(() -> repeat(traffic, mails::send));
            case "applicationTaskExecutor" -> {
                for (int i = 0; i < CALLERS; i++) {
                    traffic.thread(() -> repeat(traffic, () -> mails.index().join()));
                }
            }
            case "reporting" -> {
                Future<?> ticks = reporting.scheduleAtFixedRate(() -> {}, Duration.ofMillis(100));
                Future<?> reports = reporting.scheduleWithFixedDelay(this::report, Duration.ofSeconds(1));
                traffic.whenOver(() -> {
                    ticks.cancel(false);
                    reports.cancel(false);
                });
            }
            case "taskScheduler" -> {
                billing.slow(true);
                traffic.whenOver(() -> billing.slow(false));
            }
            case "heartbeats" -> {
                AtomicInteger beats = new AtomicInteger();
                heartbeats.scheduleAtFixedRate(() -> beat(beats), 0, 500, TimeUnit.MILLISECONDS);
                traffic.whenOver(() -> heartbeats.scheduleAtFixedRate(() -> {}, 1, 60, TimeUnit.SECONDS));
            }
            case "pricing" -> {
                traffic.arrivals(500, pricing, this::priceOfBundle);
                traffic.whenOver(this::dropPrices);
            }
            case "searching" -> traffic.feed(searching, this::search);
            default -> throw new IllegalArgumentException("no team " + team);
        }
    }

    @DeleteMapping("/{team}")
    void end(@PathVariable String team) {
        Traffic traffic = sick.remove(team);
        if (traffic != null) {
            traffic.end();
        }
    }

    @PreDestroy
    void endAll() {
        sick.keySet().forEach(this::end);
    }

    /** All workers share one printer. */
    private void ship() {
        synchronized (this) {
            warehouse.call(2);
        }
    }

    /** Eight ask over four connections. */
    private void search() {
        catalogue.find();
    }

    private void report() {
        Waiting.nanos(REPORT_NANOS);
    }

    private static void beat(AtomicInteger beats) {
        if (beats.incrementAndGet() > 4) {
            throw new IllegalStateException("no pulse");
        }
    }

    /** Waits for a task of the same pool, which has no thread for it when all do so. More arrive than can be priced. */
    private void priceOfBundle() {
        warehouse.call(BUNDLE_MILLIS);
        try {
            pricing.submit(() -> warehouse.call(1)).get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (CancellationException ignored) {
            // all is over
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Cancels what is queued, as a restart would do. Otherwise the workers would wait for it forever. */
    private void dropPrices() {
        List<Runnable> queued = new ArrayList<>();
        while (((ThreadPoolExecutor) pricing).getQueue().drainTo(queued) > 0) {
            queued.stream().filter(Future.class::isInstance).forEach(price -> ((Future<?>) price).cancel(false));
            queued.clear();
        }
    }

    private static void repeat(Traffic traffic, Runnable call) {
        while (!traffic.isOver()) {
            if (!attempt(call)) {
                Waiting.nanos(1_000_000);
            }
        }
    }

    private static boolean attempt(Runnable call) {
        try {
            call.run();
            return true;
        } catch (TaskRejectedException e) { // the pool is full
            return false;
        }
    }
}
