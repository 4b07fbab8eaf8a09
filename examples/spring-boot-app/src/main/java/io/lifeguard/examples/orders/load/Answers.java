package io.lifeguard.examples.orders.load;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the answers that customers got. Thread-safe. */
public final class Answers {

    private static final int EXAMPLES = 5;

    private final Map<String, Long> nanosByNumber = new ConcurrentHashMap<>();
    private final AtomicInteger answeredTwice = new AtomicInteger();
    private final AtomicInteger turnedAway = new AtomicInteger();
    private final AtomicInteger broken = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final ConcurrentLinkedQueue<String> examples = new ConcurrentLinkedQueue<>();
    private volatile Duration elapsed = Duration.ZERO; // written once, when all customers have ended

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

    /** Returns the number of orders that were answered. */
    public int answered() {
        return nanosByNumber.size();
    }

    /** Returns the number of orders that were answered more than once. */
    public int answeredTwice() {
        return answeredTwice.get();
    }

    /**
     * Returns how often an instance refused the connection, or closed it without a byte. The customer then sent the
     * order to another instance with the same number.
     */
    public int turnedAway() {
        return turnedAway.get();
    }

    /**
     * Returns how often a connection ended before the answer. The customer then sent the order again with the same
     * number.
     */
    public int broken() {
        return broken.get();
    }

    /** Returns the number of orders that got an error or no answer. */
    public int refused() {
        return refused.get();
    }

    /** Returns the texts of some errors. */
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
