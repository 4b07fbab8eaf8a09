package io.lifeguard.pool.jmx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.Distribution;
import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.outside.ExternalPool;
import io.lifeguard.pool.diagnosis.outside.ExternalThreadPool;
import io.lifeguard.pool.diagnosis.testing.Times;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.management.Attribute;
import org.junit.jupiter.api.Test;

/** What JMX shows of figures that are not known. */
class PoolBeanTest {

    /** A pool that has run for 292 years of its workers' time. */
    private static class OldPool implements InstrumentedPool {

        @Override
        public String name() {
            return "old";
        }

        @Override
        public PoolSnapshot snapshot() {
            Distribution none = Times.exponential(0, 0);
            Distribution saturated = Times.exponential(12_000_000, 12_000_000 * 1800.0);
            return PoolSnapshot.builder(name())
                    .times(new PoolSnapshot.Times(none, saturated, none, none, none, Duration.ZERO))
                    .build();
        }
    }

    /** Threads whose names differ in more than a number cannot be told from others. */
    @Test
    void blind_threadsThatCannotBeTold_saysWhy() throws Exception {
        Iterator<String> names =
                List.of("PoolBeanTest anna", "PoolBeanTest bob").iterator();
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                2, 2, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> new Thread(task, names.next()));
        try {
            executor.prestartAllCoreThreads();
            ExternalPool<?> pool = new ExternalThreadPool(executor, "blind", "");
            PoolBean bean = new PoolBean(pool, name -> List.of());
            await().until(() -> {
                pool.workers();
                return !bean.getAttribute("Blind").equals("");
            });

            assertThat((String) bean.getAttribute("Blind")).contains("names that differ in a number only");
            assertThat(new PoolBean(new OldPool(), name -> List.of()).getAttribute("Blind"))
                    .isEqualTo("");
        } finally {
            executor.shutdownNow();
        }
    }

    /** The last figures of a pool are those of its registration, where nobody has read any. */
    @Test
    void size_poolWasCollectedBeforeAnybodyRead_isThatOfTheRegistration() throws Exception {
        PoolBean bean = beanOfCollectedPool();

        assertThat(bean.getAttribute("Name")).isEqualTo("old");
        assertThat(bean.getAttribute("Size")).isEqualTo(0);
    }

    private static PoolBean beanOfCollectedPool() {
        InstrumentedPool pool = new OldPool();
        WeakReference<InstrumentedPool> collected = new WeakReference<>(pool);
        PoolBean bean = new PoolBean(pool, name -> List.of());
        pool = null;
        await().until(() -> {
            System.gc();
            return collected.get() == null;
        });
        return bean;
    }

    /** A console that asks for all attributes at once gets the others, as it does from the JDK's own beans. */
    @Test
    void attributes_poolThatThrows_areThoseThatCanBeRead() {
        InstrumentedPool broken = new OldPool() {
            @Override
            public PoolSnapshot snapshot() {
                throw new IllegalStateException("broken");
            }
        };
        PoolBean bean = new PoolBean(broken, name -> List.of());

        assertThat(bean.getAttributes(new String[] {"Name", "Size", "Sise", "Blind"})
                        .asList())
                .extracting(Attribute::getName)
                .containsExactly("Name", "Blind");
        assertThatThrownBy(() -> bean.getAttribute("Size")).hasMessage("broken");
        assertThat(broken).as("held weakly by the bean").isNotNull();
    }

    @Test
    void mean_ofASumThatIsTooGreat_isNoNumber() throws Exception {
        OldPool pool = new OldPool();
        PoolBean bean = new PoolBean(pool, name -> List.of());

        assertThat((double) bean.getAttribute("ServiceTimeMean")).isNaN();
        assertThat((double) bean.getAttribute("QueueWaitMean")).isZero();
        assertThat((double) bean.getAttribute("ServiceTimeP99")).isPositive();
        assertThat(pool).as("held weakly by the bean").isNotNull();
    }
}
