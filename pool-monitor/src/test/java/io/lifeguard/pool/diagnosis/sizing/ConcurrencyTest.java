package io.lifeguard.pool.diagnosis.sizing;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class ConcurrencyTest {

    /** 30 windows in which 5 to 50 workers are busy, for nearly nothing but waiting. */
    private static PoolWindow varied(IntToDoubleFunction waitAtConcurrency, double noise) {
        Random random = new Random(3);
        Windows[] all = new Windows[30];
        for (int i = 0; i < all.length; i++) {
            int busy = 5 + (i * 7) % 46;
            double wait = waitAtConcurrency.applyAsDouble(busy) * (1 + noise * random.nextGaussian());
            all[i] = Windows.of("orders")
                    .size(50)
                    .busy(busy)
                    .tasks(Math.round(busy / wait))
                    .service(wait)
                    .cpu(0.00001);
        }
        return Windows.history(all);
    }

    @Test
    void in_callsDoNotDisturbEachOther_doesNotGrow() {
        Concurrency learnt = Concurrency.in(varied(busy -> 0.1, 0.05));
        assertThat(learnt.isKnown()).isTrue();
        assertThat(learnt.elasticity()).isCloseTo(1, Offset.offset(0.1));
        assertThat(learnt.growth()).isZero();
    }

    @Test
    void in_outsideIsFull_waitingGrowsAsConcurrencyDoes() {
        Concurrency learnt = Concurrency.in(varied(busy -> 0.01 * busy, 0.05));
        assertThat(learnt.growth()).isCloseTo(1, Offset.offset(0.1));
    }

    @Test
    void in_outsideHasTwentySlots_isInBetween() {
        Concurrency learnt = Concurrency.in(varied(busy -> 0.01 * Math.max(1, busy / 20.0), 0.05));
        assertThat(learnt.growth()).isBetween(0.2, 0.8);
    }

    @Test
    void in_outsideGotSlowerByItself_concurrencyIsNotTheCause() {
        Concurrency learnt = Concurrency.in(varied(busy -> 0.001 * busy * busy, 0.05));
        assertThat(learnt.elasticity()).isLessThan(-0.5);
        assertThat(learnt.growth()).isZero();
    }

    /**
     * A service that answers one after the other; load rose in six windows, and all workers have been busy for forty.
     */
    @Test
    void in_roseLongAgo_isStillKnown() {
        Windows[] all = new Windows[46];
        for (int i = 0; i < all.length; i++) {
            int busy = Math.min(12, 2 + 2 * i);
            all[i] = Windows.of("orders").size(12).busy(busy).tasks(250 + i % 3).cpu(0.00001);
        }
        assertThat(Concurrency.in(Windows.history(all)).growth()).isCloseTo(1, Offset.offset(0.1));
    }

    /** A database that slows as concurrency grows, on a machine whose CPUs other processes have. */
    @Test
    void in_othersHaveTheCpus_isKnownOfTasksThatHardlyCompute() {
        assertThat(besideOthers(0.001).growth()).isCloseTo(1, Offset.offset(0.1));
        assertThat(besideOthers(0.02).isKnown())
                .as("the CPUs may be what holds them up")
                .isFalse();
    }

    private static Concurrency besideOthers(double cpu) {
        Windows[] all = new Windows[24];
        for (int i = 0; i < all.length; i++) {
            int busy = i % 12 < 6 ? 8 : 32;
            all[i] = Windows.of("orders")
                    .size(32)
                    .busy(busy)
                    .tasks(190 + i % 3)
                    .service(busy / 190.0)
                    .cpu(cpu)
                    .process(2, 190 * cpu, 0.02, 1);
        }
        return Concurrency.in(Windows.history(all));
    }

    @Test
    void in_concurrencyNeverVaried_isNotKnown() {
        Concurrency learnt =
                Concurrency.in(Windows.of("orders").busy(4).cpu(0.0001).times(30));
        assertThat(learnt.isKnown()).isFalse();
        assertThat(learnt.growth()).isZero();
    }

    @Test
    void in_noiseOnly_isNotKnownOrDoesNotGrow() {
        assertThat(Concurrency.in(varied(busy -> 0.1, 0.8)).growth()).isLessThan(0.3);
    }

    @Test
    void in_oneWindow_isUnknown() {
        assertThat(Concurrency.in(Windows.of("orders").build())).isEqualTo(Concurrency.UNKNOWN);
    }
}
