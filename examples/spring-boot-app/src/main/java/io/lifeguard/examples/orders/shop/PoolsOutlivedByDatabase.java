package io.lifeguard.examples.orders.shop;

import io.lifeguard.examples.orders.warehouse.Warehouse;
import javax.sql.DataSource;
import org.springframework.boot.task.SimpleAsyncTaskExecutorCustomizer;
import org.springframework.boot.task.ThreadPoolTaskExecutorCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Keeps the database open until the pool has ended. Spring destroys beans in the reverse order of their creation, and
 * knows only declared dependencies. So the customizer of the pool, which is created before the pool, depends on
 * everything that the tasks use. Without this, tasks that are still queued at shutdown would find the database closed.
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
