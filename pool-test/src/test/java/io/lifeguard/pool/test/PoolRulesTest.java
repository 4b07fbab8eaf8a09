package io.lifeguard.pool.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedScheduledThreadPoolExecutor;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link PoolRules} on classes that are only read, never run. */
class PoolRulesTest {

    private static JavaClasses classes(Class<?>... types) {
        return new ClassFileImporter().importClasses(types);
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                CallsFactory.class,
                RefersToFactory.class,
                CallsConstructor.class,
                CallsScheduledConstructor.class,
                RawSubclass.class
            })
    void noRawExecutors_classThatCreatesOne_failsAndNamesTheClass(Class<?> type) {
        assertThatThrownBy(() -> PoolRules.NO_RAW_EXECUTORS.check(classes(type, KeepsTheRule.class)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("use InstrumentedExecutors")
                .hasMessageContaining(type.getSimpleName())
                .hasMessageNotContaining("KeepsTheRule");
    }

    @Test
    void noRawExecutors_classesThatCreateNone_passes() {
        JavaClasses keeping = classes(KeepsTheRule.class, OwnSubclass.class);
        assertThat(keeping).hasSize(2);
        assertThatCode(() -> PoolRules.NO_RAW_EXECUTORS.check(keeping)).doesNotThrowAnyException();
    }

    static class CallsFactory {
        ExecutorService pool = Executors.newCachedThreadPool();
    }

    static class RefersToFactory {
        Supplier<ExecutorService> pool = Executors::newCachedThreadPool;
    }

    static class CallsConstructor {
        ExecutorService pool = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new SynchronousQueue<>());
    }

    static class CallsScheduledConstructor {
        ExecutorService pool = new ScheduledThreadPoolExecutor(1);
    }

    static class RawSubclass extends ScheduledThreadPoolExecutor {
        RawSubclass() {
            super(1);
        }
    }

    static class OwnSubclass extends InstrumentedThreadPoolExecutor {
        OwnSubclass() {
            super(1, 1, 0, TimeUnit.SECONDS, new SynchronousQueue<>());
        }
    }

    /** Uses what is no creation of a pool: declared types, helpers of the JDK, instrumented pools. */
    static class KeepsTheRule {
        ExecutorService orders = InstrumentedExecutors.newCachedThreadPool("orders");
        ThreadPoolExecutor bills = new OwnSubclass();
        ScheduledThreadPoolExecutor timer = new InstrumentedScheduledThreadPoolExecutor(1);
        ThreadFactory threads = Executors.defaultThreadFactory();
        Callable<Object> callable = Executors.callable(() -> {}, "done");
    }
}
