package io.lifeguard.pool.diagnosis.evidence.carrier;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.diagnosis.seen.CarrierLooks.Mounted;
import io.lifeguard.pool.diagnosis.seen.CarrierLooks.Why;
import io.lifeguard.pool.testing.Fixture;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Which threads of instrumented executors keep carriers, where the JVM does not tell. */
@EnabledForJreRange(min = JRE.JAVA_21)
class KeptCarriersTest {

    private static final int CARRIERS = Runtime.getRuntime().availableProcessors();

    @AutoClose
    private final Fixture fixture = new Fixture(Duration.ofSeconds(60));

    private final AtomicBoolean isOver = new AtomicBoolean();

    private void compute(CountDownLatch begun) {
        begun.countDown();
        while (!isOver.get()) {
            Thread.onSpinWait();
        }
    }

    private static void waitFor(CountDownLatch waiting, CountDownLatch open) {
        waiting.countDown();
        try {
            open.await();
        } catch (InterruptedException e) { // the test is over
            Thread.currentThread().interrupt();
        }
    }

    /** They are runnable, too, but wait for a carrier. They came first, so they are asked first. */
    @Test
    void of_othersAreRunnableAgain_areThoseThatCompute() {
        ExecutorService executor = fixture.closing(InstrumentedExecutors.newVirtualThreadPerTaskExecutor("kept"));
        CountDownLatch waiting = new CountDownLatch(20);
        CountDownLatch open = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(CARRIERS);
        try {
            for (int i = 0; i < 20; i++) {
                executor.execute(() -> waitFor(waiting, open));
            }
            fixture.await("waiting threads", waiting);
            for (int i = 0; i < CARRIERS; i++) {
                executor.execute(() -> compute(begun));
            }
            fixture.await("computing threads", begun);
            open.countDown();

            List<Mounted> kept = KeptCarriers.of(List.of((InstrumentedPool) executor), CARRIERS);

            assertThat(kept).hasSize(CARRIERS).allSatisfy(one -> {
                assertThat(one.why()).isEqualTo(Why.COMPUTES);
                assertThat(one.place()).contains("KeptCarriersTest.compute(");
            });
        } finally {
            isOver.set(true);
        }
    }

    /** It computes, or waits for another class: Java tells no difference. */
    @Test
    void of_threadIsInAnInitialiser_namesTheClass() {
        ExecutorService executor = fixture.closing(InstrumentedExecutors.newVirtualThreadPerTaskExecutor("classes"));
        try {
            executor.execute(Slow::touch);
            fixture.await("the initialiser", Slow.Signals.BEGUN);

            assertThat(KeptCarriers.of(List.of((InstrumentedPool) executor), CARRIERS))
                    .singleElement()
                    .satisfies(one -> {
                        assertThat(one.why()).isEqualTo(Why.CLASS_INITIALISATION);
                        assertThat(one.object()).endsWith("$Slow");
                    });
        } finally {
            Slow.Signals.OVER.set(true);
        }
    }

    /** A class whose initialiser takes as long as the test. */
    private static final class Slow {

        private static final class Signals {
            static final CountDownLatch BEGUN = new CountDownLatch(1);
            static final AtomicBoolean OVER = new AtomicBoolean();
        }

        static {
            Signals.BEGUN.countDown();
            while (!Signals.OVER.get()) {
                Thread.onSpinWait();
            }
        }

        static void touch() {
            // loading the class is all
        }
    }
}
