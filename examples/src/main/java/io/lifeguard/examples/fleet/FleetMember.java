package io.lifeguard.examples.fleet;

import io.lifeguard.examples.Command;
import io.lifeguard.examples.Terminal;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.micrometer.InstrumentedPoolMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** One instance of an application with thread pools, some of them sick. Prometheus can read its metrics. Stateless. */
public final class FleetMember implements Command {

    private static final double STUCK_SECONDS = 60;
    private static final double OVERSIZED_SECONDS = 60;

    /** Creates the command. */
    public FleetMember() {}

    @Override
    public String name() {
        return "fleet-member";
    }

    @Override
    public String summary() {
        return "an application with sick pools and metrics for Prometheus; runs until it is stopped";
    }

    @Override
    public int run(List<String> arguments, Terminal terminal) {
        try {
            FleetOptions options = FleetOptions.parse(arguments);
            if (options.help()) {
                terminal.print(FleetOptions.usage());
                return OK;
            }
            return serve(options, terminal);
        } catch (IllegalArgumentException e) {
            terminal.err().printf("%s: %s%nTry: %s --help%n", name(), e.getMessage(), name());
            return USAGE;
        } catch (IOException e) {
            terminal.err().printf("%s: %s%n", name(), e.getMessage());
            return FAILED;
        } catch (InterruptedException e) {
            return INTERRUPTED;
        }
    }

    private int serve(FleetOptions options, Terminal terminal) throws IOException, InterruptedException {
        shortenWindows(options.haste());
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        registry.config().commonTags("version", options.release()); // the dashboard of the fleet compares versions
        try (InstrumentedPoolMetrics metrics =
                        InstrumentedPoolMetrics.builder().histograms().build();
                MetricsPage page = MetricsPage.start(options.port(), registry);
                Ward ward = Ward.open()) {
            metrics.bindTo(registry);
            options.sicknesses().forEach(sickness -> sickness.start(ward));
            terminal.print(String.format("%s: %s%n", name(), page.address()));
            new CountDownLatch(1).await(); // until an interrupt
            return OK;
        } finally {
            registry.close();
        }
    }

    /** Makes findings appear after seconds instead of minutes. */
    private static void shortenWindows(int speedUp) {
        PoolMonitor.global().window(Duration.ofSeconds(1).dividedBy(speedUp));
        PoolMonitor.global().threshold("stuck-task.seconds", STUCK_SECONDS / speedUp);
        PoolMonitor.global().threshold("oversized.seconds", OVERSIZED_SECONDS / speedUp);
    }
}
