package io.lifeguard.pool.spring.connection;

import io.lifeguard.pool.diagnosis.seen.Lender;
import io.lifeguard.pool.diagnosis.seen.Neighbours;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Tags;
import java.util.Comparator;
import java.util.Optional;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;

/**
 * Tells the monitor of the connection pools of Reactor Netty, which {@code WebClient} uses, by their meters. Reactor
 * Netty has them in Micrometer's global registry for each pool that is built with {@code metrics(true)}. There is no
 * other public way to a pool's numbers. The pool for which most calls wait is shown. Thread-safe.
 */
@ConditionalOnClass(name = {"reactor.netty.resources.ConnectionProvider", "io.micrometer.core.instrument.Metrics"})
public final class ReactorNettyPools implements InitializingBean, DisposableBean {

    private static final String PREFIX = "reactor.netty.connection.provider.";
    private static final String WAITING = PREFIX + "pending.connections";
    private static final String IN_USE = PREFIX + "active.connections";
    private static final String CAPACITY = PREFIX + "max.connections";

    final Lender lender = new LenderNumbers(
            "Reactor Netty",
            false,
            ReactorNettyPools::name,
            () -> number(CAPACITY),
            () -> number(IN_USE),
            () -> longest().map(pool -> (int) pool.value()).orElse(0),
            () -> "maxConnections of the ConnectionProvider " + name());

    /** Made by the container. */
    public ReactorNettyPools() {}

    @Override
    public void afterPropertiesSet() {
        Neighbours.add(lender);
    }

    @Override
    public void destroy() {
        Neighbours.remove(lender);
    }

    private static String name() {
        return longest().map(pool -> pool.getId().getTag("name")).orElse("WebClient");
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
