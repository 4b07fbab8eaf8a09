package io.lifeguard.pool.diagnosis.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

class LookoutTest {

    /** Returns how many pauses are made when compilers have waited for so many milliseconds at each question. */
    private static int pauses(IntToLongFunction waitedMillis) {
        AtomicInteger questions = new AtomicInteger();
        AtomicInteger pauses = new AtomicInteger();
        Lookout.letCompilersWork(
                () -> TimeUnit.MILLISECONDS.toNanos(waitedMillis.applyAsLong(questions.getAndIncrement())),
                pauses::incrementAndGet);
        return pauses.get();
    }

    @Test
    void letCompilersWork_theyHaveCpu_makesNoPause() {
        assertThat(pauses(question -> 19)).isZero();
    }

    @Test
    void letCompilersWork_theyWaitForAWhile_pausesUntilThen() {
        assertThat(pauses(question -> 50L * Math.min(2, question + 1))).isEqualTo(2);
    }

    @Test
    void letCompilersWork_theyAlwaysWait_pausesForAThirdOfASecond() {
        assertThat(pauses(question -> 50L * (question + 1))).isEqualTo(3);
    }
}
