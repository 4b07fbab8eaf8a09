package io.lifeguard.pool.spring;

import io.lifeguard.pool.spring.connection.HikariPools;
import io.lifeguard.pool.spring.connection.HttpClientPools;
import io.lifeguard.pool.spring.connection.R2dbcPools;
import io.lifeguard.pool.spring.connection.ReactorNettyPools;
import io.lifeguard.pool.spring.monitor.UnseenExecutors;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Import;

/** Names the connection pools that threads wait for. Each class has the condition that its library is there. */
@AutoConfiguration(after = LifeguardAutoConfiguration.class)
// not if Lifeguard is off or excluded
@ConditionalOnBean(value = UnseenExecutors.class, search = SearchStrategy.CURRENT)
@Import({HikariPools.class, HttpClientPools.class, R2dbcPools.class, ReactorNettyPools.class})
public final class LifeguardConnectionsAutoConfiguration {

    /** Made by the container. */
    public LifeguardConnectionsAutoConfiguration() {}
}
