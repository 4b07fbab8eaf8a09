package io.lifeguard.pool.spring;

import io.lifeguard.pool.spring.connection.HikariPools;
import io.lifeguard.pool.spring.monitor.UnseenExecutors;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Import;

/** Names the connection pools that threads wait for. */
@AutoConfiguration(after = LifeguardAutoConfiguration.class)
@ConditionalOnClass(name = "com.zaxxer.hikari.HikariDataSource")
// not if Lifeguard is off or excluded
@ConditionalOnBean(value = UnseenExecutors.class, search = SearchStrategy.CURRENT)
@Import(HikariPools.class)
public final class LifeguardConnectionsAutoConfiguration {

    /** Made by the container. */
    public LifeguardConnectionsAutoConfiguration() {}
}
