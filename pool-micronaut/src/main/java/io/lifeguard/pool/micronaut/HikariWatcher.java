package io.lifeguard.pool.micronaut;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.lifeguard.pool.diagnosis.seen.Lender;
import io.lifeguard.pool.diagnosis.seen.Neighbours;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.core.order.Ordered;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToIntFunction;
import javax.sql.DataSource;

/** Tells the monitor of each data source of HikariCP that is a bean, until the context ends. Thread-safe. */
@Singleton
@Requires(classes = HikariDataSource.class, beans = ApplicationMonitor.class)
public final class HikariWatcher implements BeanCreatedEventListener<DataSource>, Ordered {

    // Added to by threads that make beans. A lender that is missed at the end is held until the JVM ends.
    private final List<Lender> lenders = new CopyOnWriteArrayList<>();

    /** Made by the container. */
    HikariWatcher() {}

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public DataSource onCreated(BeanCreatedEvent<DataSource> event) {
        if (event.getBean() instanceof HikariDataSource source) {
            Lender lender = new HikariLender(event.getBeanIdentifier().getName(), source);
            lenders.add(lender);
            Neighbours.add(lender);
        }
        return event.getBean();
    }

    @PreDestroy
    void forget() {
        lenders.forEach(Neighbours::remove);
    }

    /** The connections of one data source. */
    private record HikariLender(String bean, HikariDataSource source) implements Lender {

        @Override
        public String library() {
            return "HikariCP";
        }

        @Override
        public String name() {
            return "data source " + bean;
        }

        @Override
        public int capacity() {
            return source.getMaximumPoolSize();
        }

        @Override
        public int inUse() {
            return number(HikariPoolMXBean::getActiveConnections);
        }

        @Override
        public int waiting() {
            return number(HikariPoolMXBean::getThreadsAwaitingConnection);
        }

        @Override
        public String setting() {
            return "datasources." + bean + ".maximum-pool-size";
        }

        /** The pool behind a data source may be made with the first connection. */
        private int number(ToIntFunction<HikariPoolMXBean> of) {
            HikariPoolMXBean pool = source.getHikariPoolMXBean();
            return pool == null ? 0 : of.applyAsInt(pool);
        }
    }
}
