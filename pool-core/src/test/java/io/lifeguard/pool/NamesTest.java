package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.lifeguard.pool.testing.Fixture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Names may be anything that is not blank, and forge nothing where they are printed. */
class NamesTest {

    @AutoClose
    private final Fixture fixture = new Fixture();

    @Test
    void name_lineSeparatorsAndDirections_staysOnOneLine() {
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
    void name_null_isRefusedByName() {
        assertThatNullPointerException()
                .isThrownBy(() -> Tasks.named(null, () -> {}))
                .withMessage("name must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> InstrumentedThreadPoolExecutor.named(null))
                .withMessage("name must not be null");
    }
}
