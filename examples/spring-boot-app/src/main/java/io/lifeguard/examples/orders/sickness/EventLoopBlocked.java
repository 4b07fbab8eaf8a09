package io.lifeguard.examples.orders.sickness;

import io.lifeguard.examples.orders.warehouse.Warehouse;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/** A Netty event loop submits to a pool that makes its callers run tasks when it is full. */
@Component
@Profile("clinic")
final class EventLoopBlocked extends Sickness {

    private static final double CALL_MILLIS = 20;

    private final ExecutorService pool;
    private final Warehouse warehouse;
    private volatile @Nullable EventLoopGroup loop; // written by start and cure, which exclude each other

    EventLoopBlocked(@Qualifier("gateway") ExecutorService pool, Warehouse warehouse) {
        super("event-loop-blocked", "gateway", "a Netty event loop runs the tasks of a full pool");
        this.pool = pool;
        this.warehouse = warehouse;
    }

    @Override
    void outbreak(Traffic traffic) {
        EventLoopGroup started = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        loop = started;
        traffic.arrivals(400, started, () -> {
            if (!traffic.isOver()) {
                pool.execute(() -> warehouse.call(CALL_MILLIS));
            }
        });
    }

    @Override
    void cure() {
        EventLoopGroup ended = loop;
        if (ended != null) {
            ended.shutdownGracefully().syncUninterruptibly();
        }
    }
}
