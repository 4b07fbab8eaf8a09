package io.lifeguard.examples.fleet;

import io.lifeguard.examples.Arguments;
import io.lifeguard.examples.Command;
import io.lifeguard.examples.Terminal;
import io.opentelemetry.sdk.common.CompletableResultCode;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Plays the findings of the instances of a service, each with an OpenTelemetry SDK of its own, which exports their
 * records to a store or a collector by OTLP over HTTP. Stateless.
 */
public final class FleetTelemetry implements Command {

    private static final String USAGE_TEXT = """
            Usage: java -jar examples.jar fleet-telemetry ENDPOINT [options]

            ENDPOINT takes log records by OTLP over HTTP, for instance
            http://127.0.0.1:4318/v1/logs.

              --instances N   how many instances are played, 30 to 1000 (default: 300)
              --seconds N     how long the changes take, 3 to 3600 (default: 60)
              --outage N      for how many seconds the endpoint may be away without a loss,
                              0 to 3600; with 0 the SDK keeps its own settings (default: 300)
            """;

    /** What the arguments say. */
    private record Options(URI endpoint, int instances, Duration length, Duration outage) {}

    @Override
    public String name() {
        return "fleet-telemetry";
    }

    @Override
    public String summary() {
        return "sends the finding events of 300 played instances by OTLP: fleet-telemetry ENDPOINT";
    }

    @Override
    public int run(List<String> arguments, Terminal terminal) {
        if (arguments.contains("--help")) {
            terminal.print(USAGE_TEXT);
            return OK;
        }
        try {
            return play(parse(arguments), terminal) ? OK : FAILED;
        } catch (IllegalArgumentException e) {
            terminal.err().printf("%s: %s%nTry: %s --help%n", name(), e.getMessage(), name());
            return USAGE;
        } catch (InterruptedException e) {
            return INTERRUPTED;
        }
    }

    private static Options parse(List<String> arguments) {
        @Nullable URI endpoint = null;
        int instances = 300;
        int seconds = 60;
        int outage = 300;
        Arguments left = new Arguments(arguments);
        while (!left.isEmpty()) {
            String option = left.option();
            switch (option) {
                case "--instances" -> instances = left.number(option, 30, 1_000);
                case "--seconds" -> seconds = left.number(option, 3, 3_600);
                case "--outage" -> outage = left.number(option, 0, 3_600);
                default -> {
                    if (option.startsWith("--") || endpoint != null) {
                        throw Arguments.unknown(option);
                    }
                    endpoint = endpoint(option);
                }
            }
        }
        if (endpoint == null) {
            throw new IllegalArgumentException("the endpoint is missing");
        }
        return new Options(endpoint, instances, Duration.ofSeconds(seconds), Duration.ofSeconds(outage));
    }

    private static URI endpoint(String text) {
        try {
            URI endpoint = new URI(text);
            if (endpoint.getHost() != null && List.of("http", "https").contains(endpoint.getScheme())) {
                return endpoint;
            }
        } catch (URISyntaxException ignored) {
            // the message below covers this case
        }
        throw new IllegalArgumentException(
                "the endpoint must be a http or https address (was \"" + Arguments.printable(text) + "\")");
    }

    private static boolean play(Options options, Terminal terminal) throws InterruptedException {
        PlayedFindings fleet = new PlayedFindings(options.instances());
        List<PlayedTelemetry> instances = new ArrayList<>();
        for (int i = 0; i < options.instances(); i++) {
            instances.add(new PlayedTelemetry(options.endpoint(), i, options.instances(), options.outage()));
        }
        long begin = System.nanoTime();
        long steps = (long) PlayedFindings.PHASES * options.instances();
        for (int phase = 0; phase < PlayedFindings.PHASES; phase++) {
            for (int i = 0; i < options.instances(); i++) {
                long step = (long) phase * options.instances() + i;
                awaitNanos(begin + options.length().toNanos() * step / steps);
                fleet.play(phase, i, instances.get(i).listener());
            }
        }
        terminal.print(String.format("All changes have happened, after %d s.%n", seconds(begin)));
        List<CompletableResultCode> ends =
                instances.stream().map(PlayedTelemetry::shutdown).toList();
        CompletableResultCode all = CompletableResultCode.ofAll(ends);
        all.join(2 * Math.max(30, options.outage().toSeconds()), TimeUnit.SECONDS);
        long failed = ends.stream().filter(end -> !end.isSuccess()).count();
        terminal.print(String.format(
                "%d of %d instances ended after %d s, with their last records sent.%n",
                options.instances() - failed, options.instances(), seconds(begin)));
        return failed == 0;
    }

    private static void awaitNanos(long moment) throws InterruptedException {
        for (long left = moment - System.nanoTime(); left > 0; left = moment - System.nanoTime()) {
            TimeUnit.NANOSECONDS.sleep(left);
        }
    }

    private static long seconds(long begin) {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
    }
}
