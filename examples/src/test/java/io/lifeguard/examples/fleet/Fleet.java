package io.lifeguard.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.examples.Examples;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/**
 * Three instances of the example application, each sick in its own way, and a Prometheus that reads them. Confined to
 * the thread that made it.
 */
final class Fleet implements AutoCloseable {

    private static final List<List<Sickness>> SICKNESSES = List.of(
            List.of(Sickness.CALLER_RUNS),
            List.of(Sickness.STUCK, Sickness.OVERSIZED),
            List.of(Sickness.OVERFED, Sickness.FULL));
    private static final Pattern ADDRESS = Pattern.compile("fleet-member: (http://(\\S+)/metrics)");
    private static final Pattern SATURATION =
            Pattern.compile("(?m)^lifeguard_saturation\\{name=\"" + Ward.HEALTHY + "\"[^}]*} (\\S+)$");
    private static final int FIRST_PORT = 9401;

    private final List<Server> servers = new ArrayList<>();
    private final List<URI> pages = new ArrayList<>();
    private final List<String> instances = new ArrayList<>();
    private Prometheus prometheus;

    private Fleet() {}

    static Fleet start(Tool prometheus, Path directory) throws Exception {
        Fleet fleet = new Fleet();
        try {
            for (List<Sickness> sicknesses : SICKNESSES) {
                int number = fleet.servers.size();
                Path log = directory.resolve("member-" + number + ".log");
                fleet.servers.add(Server.start(log, command(sicknesses, "1." + number)));
            }
            for (Server member : fleet.servers) {
                Matcher said = ADDRESS.matcher(member.awaitOutput("/metrics"));
                assertThat(said.find()).isTrue();
                fleet.pages.add(URI.create(said.group(1)));
                fleet.instances.add(said.group(2));
            }
            fleet.awaitWarmth();
            fleet.prometheus = Prometheus.start(prometheus, fleet.config(directory), directory);
            return fleet;
        } catch (Exception | Error failure) {
            fleet.close();
            throw failure;
        }
    }

    /** A virtual machine that has just started on a busy machine is saturated, and rightly says so. */
    private void awaitWarmth() {
        Awaitility.await("no healthy pool is saturated")
                .atMost(Server.PATIENCE, TimeUnit.SECONDS)
                .pollInterval(1, TimeUnit.SECONDS)
                .untilAsserted(() -> {
                    for (URI page : pages) {
                        Matcher saturation = SATURATION.matcher(
                                MetricsText.read(page, "text/plain").body());
                        assertThat(saturation.find()).isTrue();
                        assertThat(Double.parseDouble(saturation.group(1))).isLessThan(0.8);
                    }
                });
    }

    Prometheus prometheus() {
        return prometheus;
    }

    List<URI> pages() {
        return pages;
    }

    /** The instance that has the sickness, as Prometheus names it. */
    String instance(Sickness sickness) {
        for (int i = 0; i < SICKNESSES.size(); i++) {
            if (SICKNESSES.get(i).contains(sickness)) {
                return instances.get(i);
            }
        }
        throw new AssertionError("nobody has " + sickness);
    }

    /** The configuration as it is shipped, with the members' addresses and in a hurry. */
    private Path config(Path directory) throws IOException {
        String config = Hurry.config(Files.readString(Dashboards.DIRECTORY.resolve("prometheus.yml")));
        for (int i = 0; i < instances.size(); i++) {
            String shipped = "127.0.0.1:" + (FIRST_PORT + i);
            assertThat(config).contains(shipped);
            config = config.replace(shipped, instances.get(i));
        }
        for (String name : Dashboards.RULES) {
            String rules = Hurry.rules(Files.readString(Dashboards.DIRECTORY.resolve(name)));
            Files.writeString(directory.resolve(name), rules);
        }
        return Files.writeString(directory.resolve("prometheus.yml"), config);
    }

    private static List<String> command(List<Sickness> sicknesses, String release) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                Examples.class.getName(),
                "fleet-member",
                "--port=0",
                "--haste=4",
                "--release=" + release,
                "--sickness="
                        + String.join(",", sicknesses.stream().map(Sickness::id).toList()));
    }

    @Override
    public void close() throws InterruptedException {
        if (prometheus != null) {
            prometheus.close();
        }
        for (Server server : servers) {
            server.close();
        }
    }
}
