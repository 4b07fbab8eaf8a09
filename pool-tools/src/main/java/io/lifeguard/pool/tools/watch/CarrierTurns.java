package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.lifeguard.pool.tools.dumps.DumpedThread;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How long carriers keep the virtual threads that they carry, by the dumps of another JVM. Not thread-safe.
 *
 * <p>Before Java 24 the JVM does not tell whether virtual threads wait for a carrier. Two things show it in dumps. All
 * carriers keep their threads for seconds and use no CPU. Or all carriers are taken at every look, more threads take
 * turns than there are carriers, and half of the carriers or more have the same thread at the next look. The share that
 * has tells how long a turn is, because it is {@code exp(-interval / turn)} where turns end at random.
 */
final class CarrierTurns {

    /** A call that takes so long behind a monitor is no usual one. */
    private static final Duration STANDSTILL = Duration.ofSeconds(5);

    /** Of a window: a thread that waits uses less, one that computes uses as much as it gets. */
    private static final double MOST_CPU = 0.02;

    /** At random a carrier has the same one of {@value #FEWEST_THREADS} threads at a fifth of the next looks. */
    private static final double KEPT = 0.5;

    private static final int FEWEST_THREADS = 5;

    /** Of 16 pairs half are the same by accident in 0.7 % of the cases, with five threads that take short turns. */
    private static final int FEWEST_PAIRS = 16;

    private Map<String, Turn> turns = Map.of(); // by the carrier's name
    private int looks; // in this window
    private long first; // look of this window
    private long last;
    private long longest; // for which all carriers kept their threads, in this window

    // since the last judgement of turns
    private final Set<Long> numbers = new HashSet<>(); // of virtual threads that were carried
    private long between; // looks, in nanoseconds
    private int pairs; // of looks at one carrier
    private int kept; // pairs that show the same thread
    private boolean wasFree; // a carrier

    private int others; // threads that take turns with those that the carriers have, by the last judgement
    private long wait; // for a turn, by the last judgement

    /** What a carrier has carried since when. */
    private record Turn(long number, long since) {}

    /**
     * Adds a look.
     *
     * @param carriers those that carry something
     * @param areTaken whether no carrier is free
     */
    void see(List<DumpedThread> carriers, boolean areTaken, long now) {
        Map<String, Turn> next = new HashMap<>();
        long latest = Long.MIN_VALUE;
        for (DumpedThread carrier : carriers) {
            long number = carrier.carries().getAsLong();
            Turn before = turns.get(carrier.name());
            Turn turn = before != null && before.number == number ? before : new Turn(number, now);
            next.put(carrier.name(), turn);
            latest = Math.max(latest, turn.since - now);
            numbers.add(number);
            if (before != null) {
                pairs++;
                kept += before.number == number ? 1 : 0;
                between += now - last;
            }
        }
        turns = next;
        first = looks == 0 ? now : first;
        last = now;
        looks++;
        wasFree |= !areTaken;
        longest = areTaken ? Math.max(longest, -latest) : longest;
    }

    int looks() {
        return looks;
    }

    /** {@return for how long all carriers kept their threads in this window, in nanoseconds} */
    long longest() {
        return longest;
    }

    /** {@return how many threads took turns with those that the carriers have, at least} */
    int others() {
        return others;
    }

    /** {@return how long a thread waits for its turn, in nanoseconds; 0 where turns are short or a carrier was free} */
    long wait(int carriers) {
        if (wasFree || pairs >= FEWEST_PAIRS) {
            boolean showTurns = !wasFree && numbers.size() >= FEWEST_THREADS && kept >= KEPT * pairs && kept < pairs;
            others = Math.max(0, numbers.size() - carriers);
            wait = showTurns ? Math.round(turn() * others / carriers) : 0;
            numbers.clear();
            between = 0;
            pairs = 0;
            kept = 0;
            wasFree = false;
        }
        return wait;
    }

    private double turn() {
        return (double) between / pairs / -Math.log((double) kept / pairs);
    }

    /**
     * {@return whether a carrier has kept its thread for seconds, and used no CPU in this window}
     *
     * @param times of the threads in this window, by native id
     */
    boolean stands(DumpedThread carrier, Map<Long, ThreadTimes> times) {
        Turn turn = turns.get(carrier.name());
        return turn != null && last - turn.since >= STANDSTILL.toNanos() && wantsNoCpu(carrier, times);
    }

    /**
     * {@return whether a carrier used no CPU in this window, and waited for none}
     *
     * @param times of the threads in this window, by native id
     */
    boolean wantsNoCpu(DumpedThread carrier, Map<Long, ThreadTimes> times) {
        ThreadTimes used =
                carrier.nativeId().isPresent() ? times.get(carrier.nativeId().getAsLong()) : null;
        return used != null
                && looks > 1
                && used.cpu().plus(used.runQueueDelay()).toNanos() < MOST_CPU * (last - first);
    }

    /** Begins the next window. */
    void advance() {
        looks = 0;
        longest = 0;
    }
}
