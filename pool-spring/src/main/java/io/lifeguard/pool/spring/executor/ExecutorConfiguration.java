package io.lifeguard.pool.spring.executor;

import io.lifeguard.pool.spring.monitor.UnseenExecutors;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Instruments Boot's executors, defines the declared pools, and watches the executors of the application. */
@Configuration(proxyBeanMethods = false)
@Import({
    AsyncMethods.class,
    BootExecutors.class,
    DeclaredPoolLifecycle.class,
    DeclaredPools.class,
    ExecutorReplacer.class,
    PoolWatcher.class,
    UnmeteredExecutors.class,
    UnseenExecutors.class
})
public class ExecutorConfiguration {

    /** Made by the container. */
    public ExecutorConfiguration() {}
}
