package io.lifeguard.pool.spring.connection;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.lifeguard.pool.diagnosis.window.Lender;
import io.lifeguard.pool.diagnosis.window.Neighbours;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.DestructionAwareBeanPostProcessor;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Tells the monitor of each {@link HikariDataSource} that is a bean, until the bean is destroyed. Findings then name
 * the pool, its connections in use and the property that sets their number, without JMX. Thread-safe.
 */
public final class HikariPools implements DestructionAwareBeanPostProcessor, BeanFactoryAware {

    private final Map<HikariDataSource, Lender> lenders = new ConcurrentHashMap<>(); // equal only if identical

    // Written once by the container, before the first bean.
    private @Nullable BeanFactory beans;

    /** Made by the container. */
    public HikariPools() {}

    @Override
    public void setBeanFactory(BeanFactory factory) {
        beans = factory;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof HikariDataSource source) {
            Lender lender = new HikariPool(source, beanName, setting(beanName));
            if (lenders.putIfAbsent(source, lender) == null) {
                Neighbours.add(lender);
            }
        }
        return bean;
    }

    @Override
    public void postProcessBeforeDestruction(Object bean, String beanName) {
        Lender lender = bean instanceof HikariDataSource source ? lenders.remove(source) : null;
        if (lender != null) {
            Neighbours.remove(lender);
        }
    }

    @Override
    public boolean requiresDestruction(Object bean) {
        return bean instanceof HikariDataSource;
    }

    /** The bean's method says which properties it is bound to. Boot's own is one of these. */
    private String setting(String beanName) {
        ConfigurationProperties bound = beans instanceof ListableBeanFactory all && all.containsBean(beanName)
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
