package io.lifeguard.pool.diagnosis.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Which stacks are past a line. Frames are written from the top. */
class LinesTest {

    private static final StackTraceElement RUN = frame("Worker", "run", 1);
    private static final List<StackTraceElement> WAITER = List.of(
            new StackTraceElement("java.util.concurrent.Semaphore", "acquire", "Semaphore.java", 9),
            frame("Orders", "load", 42),
            RUN);

    @Test
    void isPast_laterLineOfTheSameMethod_isPast() {
        assertThat(Lines.isPast(WAITER, List.of(frame("Socket", "read", 5), frame("Orders", "load", 44), RUN)))
                .isTrue();
    }

    /** As in {@code permits.acquire(); load();} on one line. */
    @Test
    void isPast_anotherCallAtTheWaitersPlace_isPast() {
        assertThat(Lines.isPast(WAITER, List.of(frame("Socket", "read", 5), frame("Orders", "load", 42), RUN)))
                .isTrue();
    }

    @Test
    void isPast_earlierOrSameLineOrElsewhere_isNot() {
        assertThat(Lines.isPast(WAITER, List.of(frame("Parser", "parse", 5), frame("Orders", "load", 40), RUN)))
                .isFalse();
        assertThat(Lines.isPast(WAITER, WAITER)).isFalse();
        assertThat(Lines.isPast(WAITER, List.of(frame("Mail", "send", 50), RUN)))
                .isFalse();
        assertThat(Lines.isPast(WAITER, List.of(RUN))).isFalse();
    }

    private static StackTraceElement frame(String type, String method, int line) {
        return new StackTraceElement("com.example." + type, method, type + ".java", line);
    }
}
