package io.lifeguard.pool.diagnosis.external;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.diagnosis.evidence.stack.Waits;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.EventExecutorGroup;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A real group of Netty's executors, on which blocking handlers run. */
class EventExecutorReaderTest {

    @Test
    void read_busyAndIdleThreads_tellsThemApart() {
        EventExecutorGroup group = new DefaultEventExecutorGroup(3);
        CountDownLatch end = new CountDownLatch(1);
        try {
            PoolReader<Executor> reader = PoolReaders.of(group);
            for (int i = 0; i < 6; i++) {
                group.next().execute(() -> awaitEnd(end));
            }
            await().untilAsserted(() -> assertThat(reader.read(group))
                    .isEqualTo(new PoolGauges(3, 3, 3, PoolGauges.UNKNOWN, 3, 3, Integer.MAX_VALUE)));
            assertThat(reader.workers(group)).hasSize(3);

            end.countDown();

            await().untilAsserted(() -> assertThat(reader.read(group))
                    .isEqualTo(new PoolGauges(3, 0, 0, PoolGauges.UNKNOWN, 3, 3, Integer.MAX_VALUE)));
            assertThat(reader.workers(group)).allMatch(thread -> Waits.forTask(List.of(thread.getStackTrace())));
        } finally {
            end.countDown();
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        }
        assertThat(PoolReaders.of(group).isTerminated(group)).isTrue();
    }

    /** They are watched as event loops, and serve events. */
    @Test
    void of_groupOfEventLoops_isRefused() {
        EventExecutorGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        try {
            assertThatThrownBy(() -> PoolReaders.of(loops))
                    .hasMessageContaining("a DefaultEventExecutorGroup of Netty");
        } finally {
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    private static void awaitEnd(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
