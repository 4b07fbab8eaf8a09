package io.lifeguard.pool.spring.connection;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.lifeguard.pool.diagnosis.window.Lender;
import java.util.function.ToIntFunction;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Tells the monitor of each {@link HikariDataSource} that is a bean, without JMX. Findings name the property that sets
 * the number of connections. Thread-safe.
 */
public final class HikariPools extends LenderBeans<HikariDataSource> {

    /** Made by the container. */
    public HikariPools() {
        super(HikariDataSource.class);
    }

    @Override
    Lender lender(HikariDataSource source, String beanName) {
        return new HikariPool(source, beanName, setting(beanName));
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

    /** The pool behind a data source, which is made with the first connection. */
    private record HikariPool(HikariDataSource source, String beanName, String setting) implements Lender {

        @Override
        public String library() {
            return "HikariCP";
        }

        @Override
        public String name() {
            String name = source.getPoolName();
            return name == null ? beanName : name;
        }

        @Override
        public int capacity() {
            return Math.max(1, source.getMaximumPoolSize());
        }

        @Override
        public int inUse() {
            return read(HikariPoolMXBean::getActiveConnections);
        }

        @Override
        public int waiting() {
            return read(HikariPoolMXBean::getThreadsAwaitingConnection);
        }

        private int read(ToIntFunction<HikariPoolMXBean> number) {
            HikariPoolMXBean pool = source.getHikariPoolMXBean();
            return pool == null ? 0 : number.applyAsInt(pool);
        }
    }
}
