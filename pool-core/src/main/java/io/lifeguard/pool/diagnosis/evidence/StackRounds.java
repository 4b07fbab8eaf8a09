package io.lifeguard.pool.diagnosis.evidence;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * When to look at stacks within a window. At equal intervals a program that itself works at intervals would always be
 * met doing the same, so there is one moment in each of as many equal parts of the window, anywhere within that part.
 */
public final class StackRounds {

    /** Rounds in a window, unless there are reasons for another number. */
    public static final int USUAL = 5;

    private StackRounds() {}

    /** The moments, counted from the beginning of the window, in order; all before its end. */
    public static List<Duration> moments(Duration window, int rounds, RandomGenerator random) {
        long part = window.toNanos() / rounds;
        return IntStream.range(0, rounds)
                .mapToObj(round -> Duration.ofNanos(round * part + random.nextLong(Math.max(1, part))))
                .toList();
    }
}
