package io.lifeguard.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.awaitility.core.ConditionTimeoutException;

/** The application with its clinic open and with short windows, and what is to be seen of a sickness. Thread-safe. */
final class Clinic implements AutoCloseable {

    /** The catalogue: which pool falls sick with what. */
    static final Map<String, String> SICKNESSES = Map.ofEntries(
            Map.entry("dispatcher-runs-tasks", "thumbnails"),
            Map.entry("cpu-saturated", "checksums"),
            Map.entry("blocked-on-io", "prices"),
            Map.entry("downstream-saturated", "reports"),
            Map.entry("lock-contention", "catalogue"),
            Map.entry("starved-by-own-tasks", "imports"),
            Map.entry("stuck-task", "calls"),
            Map.entry("event-loop-blocked", "gateway"),
            Map.entry("queue-growing", "mails"),
            Map.entry("high-system-cpu", "ledger"),
            Map.entry("cpu-throttled", "archive"),
            Map.entry("oversized", "search"),
            Map.entry("max-size-unreachable", "exports"),
            Map.entry("failures-unseen", "newsletters"),
            Map.entry("pool-leaked", "PoolLeaked:\\d+"));

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final Duration WINDOW = Duration.ofMillis(250);

    /** Windows of a quarter of a second; and lasting conditions, shortened to a sixtieth. */
    private static final List<String> SHORTENED = List.of(
            "--spring.profiles.active=clinic",
            "--lifeguard.window=" + WINDOW.toMillis() + "ms",
            "--lifeguard.thresholds.stuck-task.seconds=1",
            "--lifeguard.thresholds.stuck-task.firstSeconds=10",
            "--lifeguard.thresholds.failures-unseen.patience=1",
            "--lifeguard.thresholds.max-size-unreachable.wait=0.2",
            "--lifeguard.thresholds.oversized.seconds=1.5");

    private final RunningApplication application;
    private final ControlGroup group;

    private Clinic(RunningApplication application, ControlGroup group) {
        this.application = application;
        this.group = group;
    }

    static Clinic open(String name) {
        ControlGroup group = ControlGroup.make();
        return new Clinic(RunningApplication.start(name, group.enter(), SHORTENED.toArray(String[]::new)), group);
    }

    boolean canBeThrottled() {
        return group.isThere();
    }

    RunningApplication application() {
        return application;
    }

    /** Makes it sick, and waits until that is seen everywhere. */
    void infect(String id) {
        int before = application.log().length();
        long start = System.nanoTime();
        assertThat(application.post("/sickness/" + id, "").statusCode()).isEqualTo(200);
        try {
            await(id)
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(application.log().substring(before))
                            .containsPattern(logLine(id, "(?!resolved)")));
        } catch (ConditionTimeoutException missed) {
            System.out.println(id + " was not found; the monitor saw\n"
                    + application.get("/sickness/" + id + "/chart").body().replace("\",\"", "\n"));
            throw missed;
        }
        System.out.printf("%s found after %d windows%n", id, (System.nanoTime() - start) / WINDOW.toNanos());
        await(id).atMost(PATIENCE).untilAsserted(() -> {
            assertThat(findings()).containsPattern(finding(id));
            assertThat(application.get("/actuator/prometheus").body()).containsPattern(metric(id, "1\\.0"));
            assertThat(application.get("/actuator/health").body()).containsPattern(health(id));
        });
    }

    /** Cures it, and waits until it is well. */
    void cure(String id) {
        boolean wasFound = finding(id).matcher(findings()).find();
        int before = application.log().length();
        assertThat(application.delete("/sickness/" + id).statusCode()).isEqualTo(200);
        await(id + " over").atMost(PATIENCE).untilAsserted(() -> {
            if (wasFound) {
                assertThat(application.log().substring(before))
                        .containsPattern(logLine(id, "(resolved|the pool has ended)"));
            }
            assertThat(findings()).doesNotContainPattern(finding(id));
            assertThat(application.get("/actuator/prometheus").body()).doesNotContainPattern(metric(id, "1\\.0"));
            assertThat(application.get("/actuator/health").body()).doesNotContainPattern(health(id));
        });
    }

    /** The endpoint's last part: the findings of all pools. */
    private String findings() {
        String overview = application.get("/actuator/threadpools").body();
        return overview.substring(overview.lastIndexOf("\"findings\":"));
    }

    private static Pattern logLine(String id, String beginning) {
        return Pattern.compile("pool '" + SICKNESSES.get(id) + "': " + beginning + ".*\\[" + id + "]");
    }

    private static Pattern finding(String id) {
        return Pattern.compile("\"id\":\"" + id + "\"[^{}]*\"pool\":\"" + SICKNESSES.get(id) + "\"");
    }

    private static Pattern metric(String id, String value) {
        return Pattern.compile(
                "lifeguard_findings\\{[^}]*id=\"" + id + "\"[^}]*name=\"" + SICKNESSES.get(id) + "\"[^}]*} " + value);
    }

    private static Pattern health(String id) {
        return Pattern.compile("\"" + SICKNESSES.get(id) + "\":\"[^\"]*" + id);
    }

    @Override
    public void close() {
        application.close();
        group.remove();
    }
}
