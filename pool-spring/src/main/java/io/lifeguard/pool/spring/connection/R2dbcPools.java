package io.lifeguard.pool.spring.connection;

import io.lifeguard.pool.diagnosis.seen.Lender;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.PoolMetrics;
import java.util.function.ToIntFunction;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;

/** Tells the monitor of each R2DBC {@link ConnectionPool} that is a bean, by the pool's own metrics. Thread-safe. */
@ConditionalOnClass(name = "io.r2dbc.pool.ConnectionPool")
public final class R2dbcPools extends LenderBeans<ConnectionPool> {

    private static final String BOOT = "org.springframework.boot.";

    /** Made by the container. */
    public R2dbcPools() {
        super(ConnectionPool.class);
    }

    @Override
    Lender lender(ConnectionPool pool, String beanName) {
        String setting = isBoots(beanName)
                ? "spring.r2dbc.pool.max-size"
                : "maxSize of the ConnectionPoolConfiguration of the bean " + beanName;
        return new LenderNumbers(
                "R2DBC",
                false,
                () -> beanName,
                () -> read(pool, PoolMetrics::getMaxAllocatedSize),
                () -> read(pool, PoolMetrics::acquiredSize),
                () -> read(pool, PoolMetrics::pendingAcquireSize),
                () -> setting);
    }

    /** Whether a configuration of Spring Boot has the bean's method. */
    private boolean isBoots(String beanName) {
        if (!(beans() instanceof ConfigurableListableBeanFactory all) || !all.containsBeanDefinition(beanName)) {
            return false;
        }
        String configuration = all.getBeanDefinition(beanName).getFactoryBeanName();
        return configuration != null && configuration.startsWith(BOOT);
    }

    private static int read(ConnectionPool pool, ToIntFunction<PoolMetrics> number) {
        return pool.getMetrics().map(number::applyAsInt).orElse(0);
    }
}
