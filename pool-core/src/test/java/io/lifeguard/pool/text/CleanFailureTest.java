package io.lifeguard.pool.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.stream.IntStream;
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

    /** As of try-with-resources, whose resource could not be closed either. */
    @Test
    void clean_suppressedFailures_areKeptAndClean() {
        RuntimeException harmless = new IllegalStateException("x");
        harmless.addSuppressed(new IOException("not closed"));
        RuntimeException forger = new IllegalStateException("x");
        forger.addSuppressed(new IOException("not closed"));
        forger.addSuppressed(new IOException("not closed\nERROR all is lost"));

        assertThat(CleanFailure.of(harmless)).isSameAs(harmless);
        Throwable clean = CleanFailure.of(forger);
        assertThat(clean).hasMessage("java.lang.IllegalStateException: x");
        assertThat(clean.getSuppressed())
                .extracting(Throwable::getMessage)
                .containsExactly("not closed", "java.io.IOException: not closed\\u000aERROR all is lost");
    }

    @Test
    void clean_veryManySuppressedOrInACircle_areBounded() {
        RuntimeException many = new IllegalStateException("many");
        IntStream.range(0, 10_000).forEach(i -> many.addSuppressed(new IOException("not closed " + i)));
        RuntimeException one = new IllegalStateException("one");
        RuntimeException other = new IllegalStateException("other");
        one.addSuppressed(other);
        other.addSuppressed(one);

        assertThat(CleanFailure.of(many).getSuppressed()).hasSizeBetween(10, 50);
        assertThat(CleanFailure.of(one).getSuppressed()).hasSize(1);
    }

    /** Logback prints class and message, not what the failure calls itself. */
    @Test
    void clean_messageThatForgesBesideAHarmlessText_isNotLogged() {
        RuntimeException forger = new IllegalStateException("x\n2026-01-01 ERROR all is lost") {
            @Override
            public String toString() {
                return "harmless";
            }
        };

        assertThat(CleanFailure.of(forger)).isNotSameAs(forger).hasMessage("harmless");
    }

    @Test
    void clean_framesThatForgeLines_areClean() {
        RuntimeException forger = new IllegalStateException("x");
        forger.setStackTrace(new StackTraceElement[] {
            new StackTraceElement("a.A", "b", "A.java", 1), new StackTraceElement("a.A", "b\nERROR", "A\r.java", 2)
        });

        assertThat(CleanFailure.of(forger).getStackTrace())
                .extracting(StackTraceElement::toString)
                .containsExactly("a.A.b(A.java:1)", "a.A.b\\u000aERROR(A\\u000d.java:2)");
    }

    @Test
    void clean_failureWithoutFrames_isLoggedWithoutThem() {
        RuntimeException evil = new IllegalStateException("x\n") {
            @Override
            public StackTraceElement[] getStackTrace() {
                throw new AssertionError("on purpose");
            }
        };

        assertThat(CleanFailure.of(evil).getStackTrace()).isEmpty();
    }
}
