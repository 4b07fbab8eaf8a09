package io.lifeguard.pool.spring.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.lifeguard.pool.diagnosis.seen.Lender;
import io.lifeguard.pool.diagnosis.seen.Neighbours;
import io.lifeguard.pool.spring.LifeguardAutoConfiguration;
import io.lifeguard.pool.spring.LifeguardConnectionsAutoConfiguration;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/** The connection pool behind a {@code WebClient} is known by its meters, if it has any. */
class ReactorNettyPoolsTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    LifeguardAutoConfiguration.class, LifeguardConnectionsAutoConfiguration.class));

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final CountDownLatch answer = new CountDownLatch(1);
    private final Disposable.Composite calls = Disposables.composite();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer server;

    @BeforeEach
    void open() throws IOException {
        Metrics.addRegistry(registry); // as Spring Boot's actuator does
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try {
                answer.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
    }

    private void end(ConnectionProvider pool) {
        calls.dispose();
        pool.disposeLater().block(Duration.ofSeconds(10));
    }

    @AfterEach
    void close() {
        calls.dispose();
        answer.countDown();
        server.stop(0);
        threads.shutdown();
        Metrics.removeRegistry(registry);
    }

    private Disposable call(ConnectionProvider pool, int count) {
        HttpClient client = HttpClient.create(pool)
                .baseUrl("http://127.0.0.1:" + server.getAddress().getPort());
        return Flux.range(0, count)
                .flatMap(call -> client.get().uri("/").response())
                .subscribe();
    }

    @Test
    void pool_builtWithMetrics_isKnownWhileCallsWait() {
        ConnectionProvider pool = ConnectionProvider.builder("prices")
                .maxConnections(2)
                .metrics(true)
                .build();
        runner.run(context -> {
            Lender lender = context.getBean(ReactorNettyPools.class).lender;
            assertThat(Neighbours.lenders()).contains(lender);
            assertThat(lender.library()).isEqualTo("Reactor Netty");
            assertThat(lender.isOnStacks()).isFalse();
            assertThat(lender.waiting()).isZero();

            calls.add(call(pool, 5));
            await().untilAsserted(() -> {
                assertThat(lender.waiting()).isEqualTo(3);
                assertThat(lender.inUse()).isEqualTo(2); // from when they are connected
            });
            assertThat(lender.name()).isEqualTo("prices");
            assertThat(lender.capacity()).isEqualTo(2);
            assertThat(lender.setting()).isEqualTo("maxConnections of the ConnectionProvider prices");

            answer.countDown();
            await().untilAsserted(() -> assertThat(lender.waiting()).isZero());
        });
        end(pool);
        assertThat(Neighbours.lenders()).noneMatch(lender -> lender.library().equals("Reactor Netty"));
    }

    @Test
    void pool_builtWithoutMetrics_isNotKnown() {
        ConnectionProvider pool =
                ConnectionProvider.builder("rates").maxConnections(1).build();
        runner.run(context -> {
            calls.add(call(pool, 3));
            assertThat(context.getBean(ReactorNettyPools.class).lender.waiting())
                    .isZero();
        });
        end(pool);
    }

    @Test
    void pool_librariesAreAbsent_isNotKnown() {
        for (String absent : new String[] {"reactor.netty", "io.micrometer"}) {
            runner.withClassLoader(new FilteredClassLoader(absent))
                    .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ReactorNettyPools.class));
        }
    }
}
