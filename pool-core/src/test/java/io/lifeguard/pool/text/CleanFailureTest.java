package io.lifeguard.pool.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A failure of user code cannot harm a log, whatever text it has. */
class CleanFailureTest {

    @Test
    void of_failureWithTextThatForgesLines_isLoggedWithoutIt() {
        Exception cause = new IllegalArgumentException("y\u001b[31m");
        RuntimeException forger = new IllegalStateException("x\n2026-01-01 ERROR all is lost", cause);

        Throwable clean = CleanFailure.of(forger);

        assertThat(clean.getMessage())
                .isEqualTo("java.lang.IllegalStateException: x\\u000a2026-01-01 ERROR all is lost");
        assertThat(clean.getStackTrace()).isEqualTo(forger.getStackTrace());
        assertThat(clean.getCause()).hasMessage("java.lang.IllegalArgumentException: y\\u001b[31m");
    }

    @Test
    void of_harmlessFailure_isItself() {
        Exception harmless = new IllegalStateException("x", new IllegalArgumentException("y"));

        assertThat(CleanFailure.of(harmless)).isSameAs(harmless);
    }

    @Test
    void of_failureThatIsItsOwnCauseAndHasNoText_ends() {
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

    /** Try-with-resources suppresses the failure to close a resource. */
    @Test
    void of_suppressedFailures_areKeptAndClean() {
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
    void of_veryManySuppressedOrInACircle_areBounded() {
        RuntimeException many = new IllegalStateException("many");
        IntStream.range(0, 10_000).forEach(i -> many.addSuppressed(new IOException("not closed " + i)));
        RuntimeException one = new IllegalStateException("one");
        RuntimeException other = new IllegalStateException("other");
        one.addSuppressed(other);
        other.addSuppressed(one);

        assertThat(CleanFailure.of(many).getSuppressed()).hasSizeBetween(10, 50);
        assertThat(CleanFailure.of(one).getSuppressed()).hasSize(1);
    }

    /** Logback prints class and message, and not {@code toString()}. */
    @Test
    void of_messageThatForgesBesideAHarmlessText_isNotLogged() {
        RuntimeException forger = new IllegalStateException("x\n2026-01-01 ERROR all is lost") {
            @Override
            public String toString() {
                return "harmless";
            }
        };

        assertThat(CleanFailure.of(forger)).isNotSameAs(forger).hasMessage("harmless");
    }

    @Test
    void of_framesThatForgeLines_areClean() {
        RuntimeException forger = new IllegalStateException("x");
        forger.setStackTrace(new StackTraceElement[] {
            new StackTraceElement("a.A", "b", "A.java", 1), new StackTraceElement("a.A", "b\nERROR", "A\r.java", 2)
        });

        assertThat(CleanFailure.of(forger).getStackTrace())
                .extracting(StackTraceElement::toString)
                .containsExactly("a.A.b(A.java:1)", "a.A.b\\u000aERROR(A\\u000d.java:2)");
    }

    @Test
    void of_failureWithoutFrames_isLoggedWithoutThem() {
        RuntimeException evil = new IllegalStateException("x\n") {
            @Override
            public StackTraceElement[] getStackTrace() {
                throw new AssertionError("on purpose");
            }
        };

        assertThat(CleanFailure.of(evil).getStackTrace()).isEmpty();
    }
}
