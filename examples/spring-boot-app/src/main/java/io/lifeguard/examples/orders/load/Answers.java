package io.lifeguard.examples.orders.load;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** What customers were answered. Thread-safe. */
public final class Answers {

    private static final int EXAMPLES = 5;

    private final Map<String, Long> nanosByNumber = new ConcurrentHashMap<>();
    private final AtomicInteger answeredTwice = new AtomicInteger();
    private final AtomicInteger turnedAway = new AtomicInteger();
    private final AtomicInteger broken = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final ConcurrentLinkedQueue<String> examples = new ConcurrentLinkedQueue<>();
    private volatile Duration elapsed = Duration.ZERO; // written once, when all have ended

    Answers() {}

    void answered(String number, long nanos) {
        if (nanosByNumber.put(number, nanos) != null) {
            answeredTwice.incrementAndGet();
        }
    }

    void countTurnedAway() {
        turnedAway.incrementAndGet();
    }

    void countBroken(String how) {
        broken.incrementAndGet();
        remember(how);
    }

    void countRefused(String how) {
        refused.incrementAndGet();
        remember(how);
    }

    private void remember(String how) {
        if (examples.size() < EXAMPLES) {
            examples.add(how);
        }
    }

    Answers after(Duration time) {
        elapsed = time;
        return this;
    }

    /** Orders that were answered. */
    public int answered() {
        return nanosByNumber.size();
    }

    /** Orders that were answered more than once. */
    public int answeredTwice() {
        return answeredTwice.get();
    }

    /** How often an instance did not take the connection, so that another one was asked. */
    public int turnedAway() {
        return turnedAway.get();
    }

    /** How often a connection ended before the answer, so that it was asked again with the same number. */
    public int broken() {
        return broken.get();
    }

    /** Orders that were answered by an error, or by nobody. */
    public int refused() {
        return refused.get();
    }

    /** Some of what went wrong, in words. */
    public List<String> examples() {
        return List.copyOf(examples);
    }

    @Override
    public String toString() {
        long[] nanos =
                nanosByNumber.values().stream().mapToLong(Long::longValue).toArray();
        Arrays.sort(nanos);
        return String.format(
                Locale.ROOT,
                "%,d orders answered in %.1f s (%,.0f/s), half of them within %.1f ms, 99 of 100 within %.1f ms;"
                        + " answered twice %d, turned away %d, broken off %d, refused %d",
                nanos.length,
                elapsed.toNanos() / 1e9,
                nanos.length / (elapsed.toNanos() / 1e9),
                millis(nanos, 0.5),
                millis(nanos, 0.99),
                answeredTwice.get(),
                turnedAway.get(),
                broken.get(),
                refused.get());
    }

    private static double millis(long[] sorted, double share) {
        return sorted.length == 0 ? 0 : sorted[(int) (share * (sorted.length - 1))] / 1e6;
    }
}
