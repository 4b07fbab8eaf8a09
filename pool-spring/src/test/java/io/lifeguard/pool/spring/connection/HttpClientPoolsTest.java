package io.lifeguard.pool.spring.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.diagnosis.seen.Lender;
import io.lifeguard.pool.diagnosis.seen.Neighbours;
import io.lifeguard.pool.spring.LifeguardAutoConfiguration;
import io.lifeguard.pool.spring.LifeguardConnectionsAutoConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.io.ConnectionEndpoint;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.util.Timeout;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A connection manager that is a bean is known, with the limit that threads wait for. */
class HttpClientPoolsTest {

    private static final HttpRoute SHOP = new HttpRoute(new HttpHost("shop.example", 80));
    private static final HttpRoute BANK = new HttpRoute(new HttpHost("bank.example", 80));

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    LifeguardAutoConfiguration.class, LifeguardConnectionsAutoConfiguration.class));

    private static ConnectionEndpoint lease(PoolingHttpClientConnectionManager manager, HttpRoute route)
            throws Exception {
        return manager.lease("id", route, null).get(Timeout.ofSeconds(10));
    }

    @Test
    void manager_oneRouteIsFull_showsItsLimit() {
        runner.withUserConfiguration(One.class).run(context -> {
            PoolingHttpClientConnectionManager manager = context.getBean(PoolingHttpClientConnectionManager.class);
            Lender lender = Neighbours.lender("prices").orElseThrow();
            List<ConnectionEndpoint> leased = new ArrayList<>();
            leased.add(lease(manager, SHOP));
            assertThat(lender.waiting()).isZero();
            assertThat(lender.inUse()).isEqualTo(1);
            assertThat(lender.capacity()).as("of all routes").isEqualTo(3);
            leased.add(lease(manager, SHOP));

            Thread waiting = new Thread(() -> {
                try {
                    leased.add(lease(manager, SHOP));
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            waiting.start();
            await().until(() -> lender.waiting() == 1);
            assertThat(lender.library()).isEqualTo("HttpClient 5");
            assertThat(lender.capacity()).isEqualTo(2);
            assertThat(lender.inUse()).isEqualTo(2);
            assertThat(lender.setting()).isEqualTo("setMaxPerRoute or setDefaultMaxPerRoute of the bean prices");

            leased.add(lease(manager, BANK));
            assertThat(lender.capacity()).isEqualTo(3);
            assertThat(lender.inUse()).isEqualTo(3);
            assertThat(lender.setting()).isEqualTo("setMaxTotal of the bean prices");
            manager.release(leased.remove(0), null, null);
            waiting.join(TimeUnit.SECONDS.toMillis(10));
            assertThat(leased).hasSize(3);
        });
        assertThat(Neighbours.lenders()).isEmpty();
    }

    @Test
    void manager_libraryIsAbsent_isNotKnown() {
        runner.withClassLoader(new FilteredClassLoader("org.apache.hc"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(HttpClientPools.class));
    }

    @Configuration(proxyBeanMethods = false)
    static class One {
        @Bean
        PoolingHttpClientConnectionManager prices() {
            PoolingHttpClientConnectionManager manager = new PoolingHttpClientConnectionManager();
            manager.setDefaultMaxPerRoute(2);
            manager.setMaxTotal(3);
            return manager;
        }
    }
}
