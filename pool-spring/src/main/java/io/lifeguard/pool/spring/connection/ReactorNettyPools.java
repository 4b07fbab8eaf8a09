package io.lifeguard.pool.spring.connection;

import io.lifeguard.pool.diagnosis.window.Lender;
import io.lifeguard.pool.diagnosis.window.Neighbours;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Tags;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;

/**
 * Tells the monitor of the connection pools of Reactor Netty, which {@code WebClient} uses, by their meters. Reactor
 * Netty has them in Micrometer's global registry for each pool that is built with {@code metrics(true)}. There is no
 * other public way to a pool's numbers. The pool for which most calls wait is shown. Thread-safe.
 */
public final class ReactorNettyPools implements Lender, InitializingBean, DisposableBean {

    private static final String PREFIX = "reactor.netty.connection.provider.";
    private static final String WAITING = PREFIX + "pending.connections";
    private static final String IN_USE = PREFIX + "active.connections";
    private static final String CAPACITY = PREFIX + "max.connections";

    /** Made by the container. */
    public ReactorNettyPools() {}

    @Override
    public void afterPropertiesSet() {
        Neighbours.add(this);
    }

    @Override
    public void destroy() {
        Neighbours.remove(this);
    }

    @Override
    public String library() {
        return "Reactor Netty";
    }

    @Override
    public boolean isOnStacks() {
        return false;
    }

    @Override
    public String name() {
        return longest().map(ReactorNettyPools::nameOf).orElse("WebClient");
    }

    private static String nameOf(Gauge pool) {
        @Nullable String name = pool.getId().getTag("name");
        return name == null ? "WebClient" : name;
    }

    @Override
    public int capacity() {
        return Math.max(1, number(CAPACITY));
    }

    @Override
    public int inUse() {
        return number(IN_USE);
    }

    @Override
    public int waiting() {
        return longest().map(pool -> (int) pool.value()).orElse(0);
    }

    @Override
    public String setting() {
        return "maxConnections of the ConnectionProvider " + name();
    }

    /** The queue of the pool for which most calls wait. A name has a pool for each remote address. */
    private static Optional<Gauge> longest() {
        return Metrics.globalRegistry.find(WAITING).gauges().stream()
                .filter(pool -> pool.value() > 0) // not a number where no registry keeps it
                .max(Comparator.comparingDouble(Gauge::value));
    }

    private static int number(String meter) {
        return longest()
                .map(pool -> Metrics.globalRegistry
                        .find(meter)
                        .tags(Tags.of(pool.getId().getTags()))
                        .gauge())
                .map(gauge -> (int) gauge.value())
                .orElse(0);
    }
}
