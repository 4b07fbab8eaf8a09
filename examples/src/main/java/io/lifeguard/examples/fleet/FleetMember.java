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

/** One instance of an application with thread pools, some of them sick, that Prometheus can read. Runs until it is stopped. Stateless. */
public final class FleetMember implements Command {

    private static final double STUCK_SECONDS = 60;
    private static final double OVERSIZED_WINDOWS = 60;

    /** Creates the command. */
    public FleetMember() {}

    @Override
    public String name() {
        return "fleet-member";
    }

    @Override
    public String summary() {
        return "one instance of a fleet, with sick pools and a page for Prometheus; runs until it is stopped";
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
        } catch (IllegalArgumentException wrong) {
            terminal.err().printf("%s: %s%nTry: %s --help%n", name(), wrong.getMessage(), name());
            return USAGE;
        } catch (IOException failure) {
            terminal.err().printf("%s: %s%n", name(), failure.getMessage());
            return FAILED;
        } catch (InterruptedException stopped) {
            return INTERRUPTED;
        }
    }

    private int serve(FleetOptions options, Terminal terminal) throws IOException, InterruptedException {
        hurry(options.haste());
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try (InstrumentedPoolMetrics metrics =
                        InstrumentedPoolMetrics.builder().histograms().build();
                MetricsPage page = MetricsPage.start(options.port(), registry);
                Ward ward = Ward.open()) {
            metrics.bindTo(registry);
            options.sicknesses().forEach(sickness -> sickness.breakOut(ward));
            terminal.print(String.format("%s: %s%n", name(), page.address()));
            new CountDownLatch(1).await(); // until an interrupt
            return OK;
        } finally {
            registry.close();
        }
    }

    /** Sickness shows after minutes in life, and after seconds in a demonstration. */
    private static void hurry(int haste) {
        PoolMonitor.global().window(Duration.ofSeconds(1).dividedBy(haste));
        PoolMonitor.global().threshold("stuck-task.seconds", STUCK_SECONDS / haste);
        PoolMonitor.global().threshold("oversized.windows", OVERSIZED_WINDOWS / haste);
    }
}
