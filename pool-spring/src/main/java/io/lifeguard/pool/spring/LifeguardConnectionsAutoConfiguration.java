package io.lifeguard.pool.spring;

import io.lifeguard.pool.spring.connection.HikariPools;
import io.lifeguard.pool.spring.connection.HttpClientPools;
import io.lifeguard.pool.spring.connection.R2dbcPools;
import io.lifeguard.pool.spring.connection.ReactorNettyPools;
import io.lifeguard.pool.spring.monitor.UnseenExecutors;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Names the connection pools that threads wait for. */
@AutoConfiguration(after = LifeguardAutoConfiguration.class)
// not if Lifeguard is off or excluded
@ConditionalOnBean(value = UnseenExecutors.class, search = SearchStrategy.CURRENT)
public final class LifeguardConnectionsAutoConfiguration {

    /** Made by the container. */
    public LifeguardConnectionsAutoConfiguration() {}

    /** Data sources of HikariCP. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "com.zaxxer.hikari.HikariDataSource")
    @Import(HikariPools.class)
    static class Hikari {}

    /** Connection managers of Apache HttpClient 5. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager")
    @Import(HttpClientPools.class)
    static class HttpClient {}

    /** Connection pools of R2DBC. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "io.r2dbc.pool.ConnectionPool")
    @Import(R2dbcPools.class)
    static class R2dbc {}

    /** Connection pools of Reactor Netty, behind {@code WebClient}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = {"reactor.netty.resources.ConnectionProvider", "io.micrometer.core.instrument.Metrics"})
    @Import(ReactorNettyPools.class)
    static class ReactorNetty {}
}
