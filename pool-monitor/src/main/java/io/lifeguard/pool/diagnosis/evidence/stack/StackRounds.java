package io.lifeguard.pool.diagnosis.evidence.stack;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Chooses the moments in a window at which workers are looked at. Stateless.
 *
 * <p>At equal intervals, a program that itself works at intervals would always be seen doing the same. So the window
 * has equal parts with one moment in each, anywhere within that part.
 */
public final class StackRounds {

    /** How many rounds a window has. In each of them all workers are counted by their state. */
    public static final int USUAL = 20;

    private StackRounds() {}

    /** {@return the moments in order, counted from the beginning of the window; all before its end} */
    public static List<Duration> moments(Duration window, int rounds, RandomGenerator random) {
        long part = window.toNanos() / rounds;
        List<Duration> moments = new ArrayList<>(rounds);
        for (int round = 0; round < rounds; round++) {
            moments.add(Duration.ofNanos(round * part + random.nextLong(Math.max(1, part))));
        }
        return moments;
    }
}
