package io.lifeguard.pool.tools.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.tools.jvm.CannotLookException;
import io.lifeguard.pool.tools.watch.JvmList.Jvm;
import io.lifeguard.pool.tools.watch.JvmList.Summary;
import io.lifeguard.pool.tools.watch.JvmLooks.Looked;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Looks at JVMs of which some hang. A look at one that hangs ends when it is interrupted. */
class JvmLooksTest {

    private static final Duration LONG = Duration.ofMinutes(5); // longer than a test may take
    private static final Summary SEEN = new Summary(1, 2, Optional.empty(), Optional.empty(), Optional.empty());

    private final CountDownLatch never = new CountDownLatch(1);
    private final AtomicInteger ended = new AtomicInteger(); // looks that were interrupted

    private static List<Jvm> jvms(int count) {
        return LongStream.rangeClosed(1, count)
                .mapToObj(pid -> new Jvm(pid, "shop " + pid))
                .toList();
    }

    /** Those with an odd number hang. */
    private Summary look(long pid) throws CannotLookException, InterruptedException {
        if (pid == 4) {
            throw new CannotLookException("it is stopped");
        }
        if (pid % 2 == 1) {
            try {
                never.await();
            } finally {
                ended.incrementAndGet();
            }
        }
        return SEEN;
    }

    /** As many hang as are looked at at once, before the others get their turn. */
    @Test
    void at_someHang_answersForTheOthersAndNamesThose() throws InterruptedException {
        List<Looked> looked = JvmLooks.at(jvms(10), this::look, Duration.ofMillis(250), LONG);

        assertThat(looked)
                .filteredOn(one -> one.summary().isPresent())
                .extracting(one -> one.jvm().pid())
                .containsExactlyInAnyOrder(2L, 6L, 8L, 10L);
        assertThat(looked)
                .filteredOn(one -> one.jvm().pid() == 4)
                .singleElement()
                .satisfies(one -> assertThat(one.why()).isEqualTo("it is stopped"));
        assertThat(looked)
                .filteredOn(one -> one.jvm().pid() % 2 == 1)
                .hasSize(5)
                .allSatisfy(one ->
                        assertThat(one.why()).startsWith("process " + one.jvm().pid() + " did not answer"));
        await().until(() -> ended.get() == 5);
    }

    @Test
    void at_allHang_endsWhenTheTimeIsOver() throws InterruptedException {
        Duration over = Duration.ofMillis(200);
        AtomicInteger begun = new AtomicInteger();

        List<Looked> looked = JvmLooks.at(
                jvms(6),
                pid -> {
                    begun.incrementAndGet();
                    never.await();
                    return SEEN;
                },
                Duration.ofMillis(1),
                over);

        assertThat(looked)
                .hasSize(6)
                .allSatisfy(one -> assertThat(one.summary()).isEmpty());
        int late = (int) looked.stream()
                .filter(one -> one.why().startsWith("the time for a list is over"))
                .count();
        assertThat(late).isGreaterThanOrEqualTo(2); // a busy machine begins fewer than four in that time
        await().until(() -> begun.get() >= 6 - late);
    }

    /** As on one thread. A look that has failed is no JVM that does not answer. */
    @Test
    void at_lookThrowsAnError_throwsIt() {
        Error full = new OutOfMemoryError("thrown by the test");

        assertThatThrownBy(() -> JvmLooks.at(
                        jvms(2),
                        pid -> {
                            throw full;
                        },
                        LONG,
                        LONG))
                .isSameAs(full);
    }

    @Test
    void at_lookThrowsAnException_saysIt() throws InterruptedException {
        List<Looked> looked = JvmLooks.at(
                jvms(1),
                pid -> {
                    throw new IllegalStateException("a defect");
                },
                LONG,
                LONG);

        assertThat(looked).extracting(Looked::why).containsExactly("java.lang.IllegalStateException: a defect");
    }

    @Test
    void at_interrupted_endsTheLooks() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> JvmLooks.at(jvms(1), this::look, LONG, LONG)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
}
