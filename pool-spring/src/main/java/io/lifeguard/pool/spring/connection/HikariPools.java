package io.lifeguard.pool.spring.connection;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.lifeguard.pool.diagnosis.seen.Lender;
import java.util.function.ToIntFunction;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Tells the monitor of each {@link HikariDataSource} that is a bean, without JMX. Findings name the property that sets
 * the number of connections. Thread-safe.
 */
@ConditionalOnClass(name = "com.zaxxer.hikari.HikariDataSource")
public final class HikariPools extends LenderBeans<HikariDataSource> {

    /** Made by the container. */
    public HikariPools() {
        super(HikariDataSource.class);
    }

    @Override
    Lender lender(HikariDataSource source, String beanName) {
        String setting = setting(beanName);
        return new LenderNumbers(
                "HikariCP",
                true,
                () -> source.getPoolName() == null ? beanName : source.getPoolName(),
                source::getMaximumPoolSize,
                () -> read(source, HikariPoolMXBean::getActiveConnections),
                () -> read(source, HikariPoolMXBean::getThreadsAwaitingConnection),
                () -> setting);
    }

    /** The bean's method says which properties it is bound to. Boot's own is one of these. */
    private String setting(String beanName) {
        ConfigurationProperties bound = beans() instanceof ListableBeanFactory all && all.containsBean(beanName)
                ? all.findAnnotationOnBean(beanName, ConfigurationProperties.class)
                : null;
        return bound == null || bound.prefix().isEmpty()
                ? "setMaximumPoolSize of the bean " + beanName
                : bound.prefix() + ".maximum-pool-size";
    }

    /** The pool behind a data source is made with the first connection. */
    private static int read(HikariDataSource source, ToIntFunction<HikariPoolMXBean> number) {
        HikariPoolMXBean pool = source.getHikariPoolMXBean();
        return pool == null ? 0 : number.applyAsInt(pool);
    }
}
