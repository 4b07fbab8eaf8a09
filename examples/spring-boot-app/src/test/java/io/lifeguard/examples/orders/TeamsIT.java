package io.lifeguard.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Executors as teams write them fall sick in turn, in an application that knows nothing of Lifeguard. Each is named
 * with cause, place, neighbour and setting. The table that this test prints is what the documentation publishes.
 */
@Tag("sick")
class TeamsIT {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long POLL_MILLIS = 250;
    private static final int POLLS = 60;
    private static final int CUSTOMERS = 24;

    /** Of the polls after a finding was found, as many must have it. */
    private static final double STANDING = 0.95;

    /** Of the teams, as many must be right. Nine tenths of nine teams are rounded up to all. */
    private static final double RIGHT = 0.9;

    /** The request threads of Tomcat or Jetty. */
    private static final String REQUESTS = "requests";

    /**
     * What must be said.
     *
     * @param pool the pool, as a pattern
     * @param id the finding
     * @param place what the finding's JSON must have besides, as patterns
     */
    private record Team(String name, String pool, String id, String... place) {}

    private static final List<Team> TEAMS = List.of(
            new Team("shipping", "shipping", "lock-contention", "TeamController\\.ship\\("),
            new Team("mailing", "mailing", "blocked-on-io", "Mails\\.send", "of the bean mailing"),
            new Team("applicationTaskExecutor", "applicationTaskExecutor", "lock-contention", "Mails\\.addToIndex\\("),
            new Team("reporting", "reporting", "schedule-late", "TeamController\\.report"),
            new Team("taskScheduler", "taskScheduler", "schedule-late", "Billing\\.closeMonth"),
            new Team("heartbeats", "heartbeats", "failures-unseen", "TeamController\\.[a-z$0-9]*", "IllegalState"),
            new Team("pricing", "pricing", "starved-by-own-tasks", "TeamController\\.priceOfBundle\\("),
            new Team(
                    "searching",
                    "searching",
                    "waits-on-another-pool",
                    "4 of 4 connections of catalogue",
                    "maxConnections of the ConnectionProvider catalogue",
                    "(TeamController|Catalogue)\\.(search|find)\\("),
            new Team(
                    REQUESTS,
                    "(http-nio-|jetty)[^\"]*",
                    "downstream-saturated",
                    "HikariPool-1",
                    "spring\\.datasource\\.hikari\\.maximum-pool-size",
                    "TeamController\\.invoice|SlowQuery\\.(prepare|run)"));

    private static RunningApplication application;
    private static URI management;

    @BeforeAll
    static void open() {
        application = RunningApplication.start("teams", "--spring.profiles.active=teams");
        Matcher ports =
                Pattern.compile("(?:Tomcat|Jetty) started on port (\\d+)").matcher(application.log());
        List<String> found = ports.results().map(match -> match.group(1)).toList();
        management = URI.create("http://127.0.0.1:" + found.get(found.size() - 1));
    }

    @AfterAll
    static void close() {
        application.close();
    }

    /** All of them, or those that {@code teams.only} names. */
    private static Stream<Team> teams() {
        List<String> only = Stream.of(System.getProperty("teams.only", "").split(","))
                .filter(name -> !name.isBlank())
                .toList();
        return TEAMS.stream().filter(team -> only.isEmpty() || only.contains(team.name()));
    }

    @Test
    void teams_eachSickInTurn_areNamedAndTheHealthyAreLeftAlone() {
        long quiet = Long.getLong("teams.healthy.seconds", 10);
        long end = System.nanoTime() + Duration.ofSeconds(quiet).toNanos();
        while (System.nanoTime() < end) {
            assertThat(findings()).as("healthy").doesNotContain("\"id\"");
            pause();
        }
        List<String> rows = new ArrayList<>();
        long right = teams().filter(team -> isNamed(team, rows)).count();
        assertThat(right).as(String.join("\n", rows)).isGreaterThanOrEqualTo((long)
                Math.ceil(RIGHT * rows.size() - 1e-9));
    }

    private static boolean isNamed(Team team, List<String> rows) {
        List<Thread> customers = team.name().equals(REQUESTS) ? customers() : List.of();
        if (customers.isEmpty()) {
            assertThat(application.post("/teams/" + team.name(), "").statusCode())
                    .isEqualTo(200);
        }
        long start = System.nanoTime();
        String named = "";
        while (named.isEmpty() && System.nanoTime() - start < PATIENCE.toNanos()) {
            pause();
            named = finding(team);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        int standing = 0;
        for (int i = 0; i < POLLS && !named.isEmpty(); i++) {
            pause();
            standing += finding(team).isEmpty() ? 0 : 1;
        }
        String all = findings();
        String row = String.format(
                "TEAM %s: %s after %.1f s, standing %d of %d polls: %s",
                team.name(),
                named.isEmpty() ? "MISSED " + team.id() : team.id(),
                seconds,
                standing,
                POLLS,
                named.isEmpty() ? all : named);
        rows.add(row);
        System.out.println(row);
        customers.forEach(Thread::interrupt);
        if (customers.isEmpty()) {
            application.delete("/teams/" + team.name());
        }
        await(team.name() + " is well")
                .atMost(Duration.ofMinutes(2))
                .until(() -> !findings().contains("\"id\""));
        return !named.isEmpty() && standing >= STANDING * POLLS;
    }

    /** The JSON of the finding with its place, neighbour and setting; empty if there is none. */
    private static String finding(Team team) {
        Matcher finding = Pattern.compile("\\{\"id\":\"" + team.id() + "\"[^}]*\"pool\":\"" + team.pool() + "\"[^}]*}")
                .matcher(findings());
        while (finding.find()) {
            String json = finding.group();
            if (Stream.of(team.place())
                    .allMatch(part -> Pattern.compile(part).matcher(json).find())) {
                return json;
            }
        }
        return "";
    }

    private static List<Thread> customers() {
        return IntStream.range(0, CUSTOMERS)
                .mapToObj(i -> {
                    Thread thread = new Thread(
                            () -> {
                                while (!Thread.currentThread().isInterrupted()) {
                                    try {
                                        application.get("/teams/invoice");
                                    } catch (IllegalStateException e) {
                                        return; // interrupted
                                    }
                                }
                            },
                            "customer-" + i);
                    thread.start();
                    return thread;
                })
                .toList();
    }

    /** The endpoint's last part: the findings of all pools. */
    private static String findings() {
        try {
            String overview = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(management.resolve("/actuator/threadpools"))
                                    .build(),
                            BodyHandlers.ofString())
                    .body();
            return overview.substring(overview.lastIndexOf("\"findings\":"));
        } catch (Exception e) {
            throw new IllegalStateException("no answer from " + management, e);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(POLL_MILLIS); // between two polls
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
