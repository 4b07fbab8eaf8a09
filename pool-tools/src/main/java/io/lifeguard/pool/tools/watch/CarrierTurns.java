package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.lifeguard.pool.tools.dumps.DumpedThread;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * How long carriers keep the virtual threads that they carry, by the dumps of another JVM. Not thread-safe.
 *
 * <p>All carriers are taken at every look, and some have the same thread at the next look. The share that has tells how
 * long a turn is, because it is {@code exp(-interval / turn)} where turns end at random. Before Java 24 the JVM does
 * not tell whether virtual threads wait for a carrier. Then two things show it in dumps. All carriers keep their
 * threads for seconds and use no CPU. Or more threads take turns than there are carriers, and more carriers have the
 * same thread at the next look than by accident.
 *
 * <p>A thread keeps its carrier while the carrier waits for a CPU. So it is also told how long carriers waited for one.
 */
final class CarrierTurns {

    /** A call that takes so long behind a monitor is no usual one. */
    private static final Duration STANDSTILL = Duration.ofSeconds(5);

    /** Of a window: a thread that waits uses less, one that computes uses as much as it gets. */
    private static final double MOST_CPU = 0.02;

    /** At random a carrier has the same one of n threads at one of n next looks. So many times as often tells turns. */
    private static final double ABOVE_ACCIDENT = 2.5;

    /** A turn is then 0.6 times the interval between looks. Shorter ones are common where threads do not compute. */
    private static final double LEAST_KEPT = 0.2;

    /** Times the interval between looks: of 16 pairs all differ in 5 % of the cases, if turns last so long. */
    private static final double LONGEST_UNSEEN = 0.57;

    private static final int FEWEST_THREADS = 5;

    /** Of 16 pairs half are the same by accident in 0.7 % of the cases, with five threads that take short turns. */
    private static final int FEWEST_PAIRS = 16;

    private Map<String, Turn> turns = Map.of(); // by the carrier's name
    private boolean hasBegun;
    private long began; // the first look of all
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

    // by the last judgement of turns
    private int others; // threads that take turns with those that the carriers have
    private double turn; // of one thread, in nanoseconds; 0 where turns are short or a carrier was free
    private long longestUnseen; // a turn that hardly ever stays unseen; 0 where turns were seen or a carrier was free
    private boolean isNoAccident; // that carriers had the same thread at the next look

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
        began = hasBegun ? began : now;
        hasBegun = true;
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
        judge(carriers);
        return isNoAccident ? Math.round(turn * others / carriers) : 0;
    }

    /**
     * {@return how long a thread waits until others that queue before it have had their turns, in nanoseconds} 0 where
     * turns are short or a carrier was free. No longer than carriers were looked at: the queue may be younger.
     */
    long waitBehind(int queued, int carriers) {
        judge(carriers);
        return Math.min(Math.round(turn * queued / carriers), last - began);
    }

    /**
     * {@return how long a thread may wait behind others at most, in nanoseconds, although no turn was seen} 0 where
     * turns were seen or a carrier was free.
     */
    long mostBehind(int queued, int carriers) {
        return longestUnseen * queued / Math.max(1, carriers);
    }

    private void judge(int carriers) {
        if (wasFree || pairs >= FEWEST_PAIRS) {
            int threads = numbers.size();
            turn = !wasFree && kept > 0 && kept < pairs
                    ? (double) between / pairs / -Math.log((double) kept / pairs)
                    : 0;
            longestUnseen = wasFree || kept > 0 ? 0 : Math.round(LONGEST_UNSEEN * between / pairs);
            isNoAccident = threads >= FEWEST_THREADS && kept >= Math.max(LEAST_KEPT, ABOVE_ACCIDENT / threads) * pairs;
            others = Math.max(0, threads - carriers);
            numbers.clear();
            between = 0;
            pairs = 0;
            kept = 0;
            wasFree = false;
        }
    }

    /**
     * {@return for which share of a window the carriers were ready to run and had no CPU, 0 to 1; empty where the
     * system does not tell}
     *
     * @param times of the threads in this window, by native id
     */
    static OptionalDouble cpuWait(List<DumpedThread> carriers, Map<Long, ThreadTimes> times, Duration window) {
        return carriers.stream()
                .flatMap(carrier -> carrier.nativeId().stream().boxed())
                .flatMap(id -> Optional.ofNullable(times.get(id)).stream())
                .mapToDouble(
                        used -> Math.min(1, (double) used.runQueueDelay().toNanos() / Math.max(1, window.toNanos())))
                .average();
    }

    /** {@return whether a carrier has kept its thread for seconds, and used no CPU in this window} */
    boolean stands(DumpedThread carrier, Map<Long, ThreadTimes> times) {
        Turn turn = turns.get(carrier.name());
        return turn != null && last - turn.since >= STANDSTILL.toNanos() && wantsNoCpu(carrier, times);
    }

    /** {@return whether a carrier used no CPU in this window, and waited for none} */
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
