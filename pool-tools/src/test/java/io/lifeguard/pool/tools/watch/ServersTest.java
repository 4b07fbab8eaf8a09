package io.lifeguard.pool.tools.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.tools.dumps.Selectors;
import io.lifeguard.pool.tools.dumps.ThreadDumps;
import io.lifeguard.pool.tools.watch.PoolFinder.FoundPool;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The pools of real servers and clients in dumps of a process that runs all of them: Tomcat 11, Jetty 12, Undertow 2.4,
 * Vert.x 5 on Netty, Kafka's client 4.1, and the executor of JBoss that Quarkus uses. In each server, three requests
 * sleep.
 */
class ServersTest {

    @ParameterizedTest
    @ValueSource(strings = {"servers-jdk17.txt", "servers-jdk25.txt"})
    void find_serversAndClients_groupsTheirThreads(String dump) throws IOException {
        Map<String, String> pools = pools(dump).stream()
                .collect(Collectors.toMap(
                        pool -> pool.name().replaceFirst("\\d{5,}$", "N"),
                        pool -> pool.kind() + " " + pool.workers().size()));

        assertThat(pools)
                .containsOnly(
                        Map.entry("Catalina-utility", "EXECUTOR 2"),
                        Map.entry("http-nio-auto-1-exec", "TOMCAT 10"),
                        Map.entry("qtpN", "JETTY 6"),
                        Map.entry("Scheduler-N", "EXECUTOR 1"), // Jetty's
                        Map.entry("XNIO-1 I/O", "EVENT_LOOPS 2"),
                        Map.entry("XNIO-1 Accept", "EVENT_LOOPS 1"),
                        Map.entry("XNIO-1 task", "JBOSS 3"),
                        Map.entry("executor", "JBOSS 4"), // Quarkus' name
                        Map.entry("vert.x-worker", "EXECUTOR 4"),
                        Map.entry("vert.x-acceptor", "EVENT_LOOPS 1"),
                        Map.entry("vert.x-eventloop", "EVENT_LOOPS 1"),
                        Map.entry("kafka-producer-network-thread | producer", "KAFKA 1"),
                        Map.entry("kafka-admin-client-thread | adminclient", "KAFKA 1"),
                        Map.entry("consumer_background_thread", "KAFKA 1"));
    }

    /** Workers that wait for a task, and the acceptors of event loops, are idle, in every server. */
    @ParameterizedTest
    @ValueSource(strings = {"servers-jdk17.txt", "servers-jdk25.txt"})
    void doing_workersWithoutARequest_areIdle(String dump) throws IOException {
        for (FoundPool pool : pools(dump)) {
            long sleeping = pool.workers().stream()
                    .filter(worker -> Selectors.doing(worker) == Doing.SLEEPING)
                    .count();
            long idle = pool.workers().stream()
                    .filter(worker -> Selectors.doing(worker) == Doing.IDLE)
                    .count();
            int requests = switch (pool.kind()) {
                case TOMCAT, JETTY, JBOSS -> 3;
                case EXECUTOR -> pool.name().equals("vert.x-worker") ? 4 : 0;
                default -> 0;
            };
            boolean isPolling = pool.name().equals("consumer_background_thread"); // it was between two polls
            assertThat(sleeping).as(pool.name()).isEqualTo(requests);
            assertThat(idle).as(pool.name()).isEqualTo(pool.workers().size() - requests - (isPolling ? 1 : 0));
        }
    }

    private static List<FoundPool> pools(String dump) throws IOException {
        try (InputStream in = ServersTest.class.getResourceAsStream("/dumps/" + dump)) {
            assertThat(in).as(dump).isNotNull();
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return PoolFinder.find(ThreadDumps.parse(dump, text).dumps().get(0));
        }
    }
}
