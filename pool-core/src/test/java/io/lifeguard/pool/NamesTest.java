package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.lifeguard.pool.testing.Fixture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A name may be any text that is not blank, and cannot forge a line where it is printed. */
class NamesTest {

    @AutoClose
    private final Fixture fixture = new Fixture();

    @Test
    void name_lineSeparatorsAndDirectionMarks_isPrintedOnOneLine() {
        String odd = "a\nb\u2028c\u2029d\u0085e\u202Ef%s%n";
        InstrumentedThreadPoolExecutor pool =
                fixture.closing(InstrumentedThreadPoolExecutor.named(odd).build());
        assertThat(pool.name()).isEqualTo(odd);
        assertThat(pool.snapshot().toTable().lines())
                .first()
                .isEqualTo("pool a\\u000ab\\u2028c\\u2029d\\u0085e\\u202ef%s%n");
        assertThat(pool.snapshot().toString()).startsWith("a\\u000ab\\u2028c\\u2029d\\u0085e\\u202ef%s%n [");
    }

    @Test
    void name_null_throwsWithTheArgumentsName() {
        assertThatNullPointerException()
                .isThrownBy(() -> Tasks.named(null, () -> {}))
                .withMessage("name must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> InstrumentedThreadPoolExecutor.named(null))
                .withMessage("name must not be null");
    }

    @Test
    void name_longerThanATagShouldBe_isRefused() {
        String longest = "n".repeat(200);
        assertThat(fixture.closing(InstrumentedThreadPoolExecutor.named(longest).build())
                        .name())
                .isEqualTo(longest);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> InstrumentedThreadPoolExecutor.named(longest + "n"))
                .withMessage("name must have at most 200 characters (was 201)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> InstrumentedExecutors.newCachedThreadPool("n".repeat(100_000)));
    }

    /**
     * That this compiles is half of the test: the call must mean the JDK's method, as it does with {@code Executors}.
     */
    @Test
    void factory_nullWhereTheJdkTakesAThreadFactory_isTheJdksMethod() {
        assertThatNullPointerException().isThrownBy(() -> InstrumentedExecutors.newCachedThreadPool(null));
        assertThatNullPointerException().isThrownBy(() -> InstrumentedExecutors.newSingleThreadExecutor(null));
        assertThatNullPointerException().isThrownBy(() -> InstrumentedExecutors.newSingleThreadScheduledExecutor(null));
        assertThatNullPointerException().isThrownBy(() -> InstrumentedExecutors.newFixedThreadPool(1, null));
        assertThatNullPointerException().isThrownBy(() -> InstrumentedExecutors.newScheduledThreadPool(1, null));
        assertThatNullPointerException().isThrownBy(() -> InstrumentedExecutors.newThreadPerTaskExecutor(null));
    }

    @Test
    void factory_nullAsName_throwsWithTheArgumentsName() {
        assertThatNullPointerException()
                .isThrownBy(() -> InstrumentedExecutors.newFixedThreadPool(null, 1))
                .withMessage("name must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> InstrumentedExecutors.newCachedThreadPool(null, Executors.defaultThreadFactory()))
                .withMessage("name must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> InstrumentedExecutors.newWorkStealingPool(null))
                .withMessage("name must not be null");
    }

    @Test
    void factory_severalThreadFactories_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> InstrumentedExecutors.newCachedThreadPool("n", Thread::new, Thread::new))
                .withMessage("there must be at most one thread factory (were 2)");
    }
}
