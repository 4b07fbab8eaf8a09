package io.lifeguard.examples.orders.shop;

import io.lifeguard.examples.orders.warehouse.Warehouse;
import javax.sql.DataSource;
import org.springframework.boot.task.SimpleAsyncTaskExecutorCustomizer;
import org.springframework.boot.task.ThreadPoolTaskExecutorCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * What tasks use has to end after the pool that runs them. Spring ends beans in the order opposite to that in which they were made, and knows only of
 * dependencies that are declared: so the pool's customizer, which is made before the pool, depends on all that its tasks use. Without
 * this the tasks that still wait in the queue at a stop find the database closed.
 */
@Configuration(proxyBeanMethods = false)
class PoolsOutlivedByDatabase {

    @Bean
    ThreadPoolTaskExecutorCustomizer outlivedByDatabase(DataSource database, Warehouse warehouse) {
        return pool -> {};
    }

    @Bean
    SimpleAsyncTaskExecutorCustomizer virtualThreadsOutlivedByDatabase(DataSource database, Warehouse warehouse) {
        return threads -> {};
    }
}
