package io.lifeguard.pool.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Failures of users' code harm no log, whatever they say. */
class CleanFailureTest {

    @Test
    void clean_failureWithTextThatForgesLines_isLoggedWithoutIt() {
        Exception cause = new IllegalArgumentException("y\u001b[31m");
        RuntimeException forger = new IllegalStateException("x\n2026-01-01 ERROR all is lost", cause);

        Throwable clean = CleanFailure.of(forger);

        assertThat(clean.getMessage())
                .isEqualTo("java.lang.IllegalStateException: x\\u000a2026-01-01 ERROR all is lost");
        assertThat(clean.getStackTrace()).isEqualTo(forger.getStackTrace());
        assertThat(clean.getCause()).hasMessage("java.lang.IllegalArgumentException: y\\u001b[31m");
    }

    @Test
    void clean_harmlessFailure_isItself() {
        Exception harmless = new IllegalStateException("x", new IllegalArgumentException("y"));

        assertThat(CleanFailure.of(harmless)).isSameAs(harmless);
    }

    @Test
    void clean_failureWithoutEndOrText_isNoEndlessWork() {
        RuntimeException evil = new RuntimeException() {
            @Override
            public String getMessage() {
                throw new AssertionError("on purpose");
            }

            @Override
            public synchronized Throwable getCause() {
                return this;
            }
        };

        assertThat(CleanFailure.of(evil).getMessage()).endsWith("which cannot say what it is");
    }
}
