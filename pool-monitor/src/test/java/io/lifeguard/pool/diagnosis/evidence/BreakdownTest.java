package io.lifeguard.pool.diagnosis.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lifeguard.pool.diagnosis.evidence.stack.Seen;
import io.lifeguard.pool.diagnosis.evidence.stack.Stratum;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.Estimate;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Invented censuses and stacks. */
class BreakdownTest {

    private static final Stratum RUNNABLE = new Stratum(false, Thread.State.RUNNABLE, "", 0);
    private static final Stratum BLOCKED = new Stratum(false, Thread.State.BLOCKED, "", 0);
    private static final Stratum PARKED =
            new Stratum(false, Thread.State.WAITING, "java.util.concurrent.locks.SomeCondition", 7);

    /** Where 64 threads queue for two CPUs, the monitor finds none for its looks. The system's times tell it all. */
    @Test
    void ofTimes_nobodyLooked_tellsTheQueueForTheCpus() {
        ThreadTimes times = new ThreadTimes(Duration.ofMillis(1_900), Duration.ofSeconds(55), 0, 0);
        TimeBreakdown unseen = new TimeBreakdown(64, 0, 0, Breakdown.ofTimes(64, 60, times), Map.of());
        assertThat(unseen.workers(Doing.WAITING_FOR_CPU).value()).isCloseTo(55, within(0.01));
        assertThat(unseen.workers(Doing.COMPUTING).value()).isCloseTo(1.9, within(0.01));
        assertThat(unseen.workers(Doing.IDLE).value()).isCloseTo(4, within(0.01));
        assertThat(unseen.unknown()).isCloseTo(3.1, within(0.01));
    }

    @Test
    void of_stackedStrata_eachIsSplitByItsOwnStacks() {
        TimeBreakdown seen = breakdown(
                Map.of(BLOCKED, Estimate.exactly(90), PARKED, Estimate.exactly(10)),
                List.of(
                        seen(BLOCKED, Doing.WAITING_FOR_LOCK, "a"),
                        seen(BLOCKED, Doing.WAITING_FOR_LOCK, "b"),
                        seen(PARKED, Doing.WAITING_IN_LINE, "c")),
                Optional.empty());

        assertThat(seen.places(Doing.WAITING_FOR_LOCK)
                        .map(share -> share.workers().value()))
                .containsExactly(45.0, 45.0);
        assertThat(seen.workers(Doing.WAITING_IN_LINE).value()).isEqualTo(10);
    }

    @Test
    void of_strataWithoutStacks_areJudgedByTheirStateOnlyWhereItLeavesNoDoubt() {
        Stratum semaphore = new Stratum(false, Thread.State.WAITING, "java.util.concurrent.Semaphore$FairSync", 1);
        Stratum future = new Stratum(false, Thread.State.WAITING, "java.util.concurrent.FutureTask", 0);
        Stratum sleep = new Stratum(false, Thread.State.TIMED_WAITING, "", 0);
        TimeBreakdown seen = breakdown(
                Map.of(
                        BLOCKED,
                        Estimate.exactly(1),
                        semaphore,
                        Estimate.exactly(2),
                        future,
                        Estimate.exactly(3),
                        sleep,
                        Estimate.exactly(4),
                        PARKED,
                        Estimate.exactly(5),
                        RUNNABLE,
                        Estimate.exactly(6),
                        Stratum.IDLE,
                        Estimate.exactly(7)),
                List.of(),
                Optional.empty());

        assertThat(seen.workers(Doing.WAITING_FOR_LOCK).value()).isEqualTo(1);
        assertThat(seen.workers(Doing.WAITING_IN_LINE).value()).isEqualTo(2);
        assertThat(seen.workers(Doing.WAITING_FOR_RESULT).value()).isEqualTo(3);
        assertThat(seen.unknown()).isEqualTo(4 + 5 + 6);
        assertThat(seen.workers(Doing.IDLE).value()).isEqualTo(7);
    }

    /** The stacks add the place only. What all workers of the stratum do was known before. */
    @Test
    void of_stacksThatTellNoMoreThanTheState_addNoError() {
        Stratum joining =
                new Stratum(false, Thread.State.WAITING, "java.util.concurrent.CompletableFuture$Signaller", 0);
        TimeBreakdown seen = breakdown(
                Map.of(joining, Estimate.exactly(8)),
                List.of(
                        seen(joining, Doing.WAITING_FOR_RESULT, "place"),
                        seen(joining, Doing.WAITING_FOR_RESULT, "place")),
                Optional.empty());

        assertThat(seen.workers(Doing.WAITING_FOR_RESULT).low()).isEqualTo(8);
        assertThat(seen.places(Doing.WAITING_FOR_RESULT))
                .allMatch(share -> share.place().equals("place"));
    }

    @Test
    void of_runnableWithTimes_isSplitByTheSystem() {
        List<Seen> stacks = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            stacks.add(seen(RUNNABLE, i < 15 ? Doing.COMPUTING : Doing.WAITING_OUTSIDE, "place"));
        }
        TimeBreakdown seen = breakdown(Map.of(RUNNABLE, Estimate.exactly(10)), stacks, times(2, 3));

        assertThat(seen.workers(Doing.COMPUTING).value()).isCloseTo(2, within(1e-6));
        assertThat(seen.workers(Doing.WAITING_FOR_CPU).value()).isCloseTo(3, within(1e-6));
        assertThat(seen.workers(Doing.WAITING_OUTSIDE).value()).isCloseTo(5, within(1e-6));
        assertThat(seen.places(Doing.WAITING_FOR_CPU))
                .allMatch(share -> share.place().equals("place"));
    }

    /** The system saw more CPU time than the census' moments. */
    @Test
    void of_runnableWithMoreTimeThanWorkers_isAllOnOrForACpu() {
        TimeBreakdown seen = breakdown(
                Map.of(RUNNABLE, Estimate.exactly(4)), List.of(seen(RUNNABLE, Doing.COMPUTING, "place")), times(2, 3));

        assertThat(seen.workers(Doing.COMPUTING).value()).isCloseTo(1.6, within(1e-6));
        assertThat(seen.workers(Doing.WAITING_FOR_CPU).value()).isCloseTo(2.4, within(1e-6));
    }

    /** A thread whose sleep is over looks asleep until it gets a CPU. */
    @Test
    void of_moreTimeThanRunnableWorkers_sleepersWaitForACpu() {
        Stratum sleep = new Stratum(false, Thread.State.TIMED_WAITING, "", 0);
        Map<Stratum, Estimate> census =
                Map.of(RUNNABLE, Estimate.exactly(4), sleep, Estimate.exactly(40), BLOCKED, Estimate.exactly(4));
        List<Seen> stacks = List.of(
                seen(RUNNABLE, Doing.COMPUTING, "sort"),
                seen(sleep, Doing.SLEEPING, "nap"),
                seen(BLOCKED, Doing.WAITING_FOR_LOCK, "lock"));

        TimeBreakdown seen = breakdown(census, stacks, times(2, 36));
        assertThat(seen.workers(Doing.COMPUTING).value()).isCloseTo(2 / 9.5, within(1e-6));
        assertThat(seen.workers(Doing.SLEEPING).value()).isCloseTo(40 - 34 * 40 / 44.0, within(1e-6));
        assertThat(seen.workers(Doing.WAITING_FOR_LOCK).value()).isEqualTo(4);
        assertThat(seen.workers(Doing.WAITING_FOR_CPU).value()).isGreaterThan(34);

        TimeBreakdown quiet = breakdown(census, stacks, times(2, 2));
        assertThat(quiet.workers(Doing.SLEEPING).value()).isEqualTo(40);
    }

    /** Neither the system nor stacks tell what these do: a stolen CPU, a collector's pause. */
    @Test
    void of_runnableNeitherOnACpuNorSeenOutside_isUnknown() {
        List<Seen> stacks = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            stacks.add(seen(RUNNABLE, Doing.COMPUTING, "place"));
        }
        TimeBreakdown seen = breakdown(Map.of(RUNNABLE, new Estimate(10, 0.1)), stacks, times(4, 0));

        assertThat(seen.workers(Doing.COMPUTING).value()).isCloseTo(4, within(1e-6));
        assertThat(seen.workers(Doing.WAITING_OUTSIDE).value()).isZero();
        assertThat(seen.unknown()).isCloseTo(6, within(1e-6));
    }

    @Test
    void of_anything_addsUpToTheWorkers() {
        Random random = new Random(12);
        Stratum[] strata = {RUNNABLE, BLOCKED, PARKED, Stratum.IDLE};
        for (int run = 0; run < 500; run++) {
            List<Seen> stacks = new ArrayList<>();
            for (int i = random.nextInt(20); i > 0; i--) {
                Doing doing = Doing.values()[random.nextInt(Doing.values().length)];
                stacks.add(seen(strata[random.nextInt(3)], doing, "place " + random.nextInt(3)));
            }
            Map<Stratum, Estimate> census = new java.util.HashMap<>();
            for (Stratum stratum : strata) {
                census.put(stratum, new Estimate(random.nextInt(4) * 2.5, random.nextDouble()));
            }
            TimeBreakdown seen = breakdown(
                    census,
                    stacks,
                    random.nextBoolean() ? times(random.nextDouble() * 5, random.nextDouble() * 5) : Optional.empty());

            assertThat(seen.shares().stream()
                            .mapToDouble(share -> share.workers().value())
                            .sum())
                    .isCloseTo(seen.workers(), within(1e-9));
        }
    }

    /** Sixty stacks that do the same at sixty places are as certain as at one. */
    @Test
    void workers_manyPlaces_areAsCertainTogether() {
        List<Seen> stacks = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            stacks.add(seen(PARKED, Doing.WAITING_IN_LINE, "place " + i));
        }
        TimeBreakdown seen = breakdown(Map.of(PARKED, Estimate.exactly(100)), stacks, Optional.empty());

        assertThat(seen.workers(Doing.WAITING_IN_LINE).value()).isCloseTo(100, within(1e-6));
        assertThat(seen.workers(Doing.WAITING_IN_LINE).low()).isGreaterThan(95);
    }

    /** 20 workers look for room a thousand times a second each, as publishers before a full ring buffer do. */
    @Test
    void of_sleepersThatAreSwitchedAllTheTime_waitInLineForWhatTheyLookFor() {
        TimeBreakdown polling = sleepers(20_000);

        assertThat(polling.workers(Doing.SLEEPING).value()).isZero();
        assertThat(polling.places(Doing.WAITING_IN_LINE))
                .singleElement()
                .satisfies(share -> assertThat(share.workers().value()).isEqualTo(20));
    }

    @Test
    void of_sleepersThatWakeUpTenTimesASecond_sleep() {
        TimeBreakdown sleeping = sleepers(200);

        assertThat(sleeping.workers(Doing.SLEEPING).value()).isCloseTo(20, within(0.1));
        assertThat(sleeping.places(Doing.WAITING_IN_LINE)).isEmpty();
    }

    private static TimeBreakdown sleepers(long switches) {
        Stratum parked = new Stratum(false, Thread.State.TIMED_WAITING, "", 0);
        List<StackTraceElement> stack = List.of(
                new StackTraceElement("jdk.internal.misc.Unsafe", "park", "Unsafe.java", -2),
                new StackTraceElement("java.util.concurrent.locks.LockSupport", "parkNanos", "LockSupport.java", 252),
                new StackTraceElement("com.example.Ring", "next", "Ring.java", 7));
        Seen publisher = new Seen(
                "worker",
                1,
                parked,
                Doing.SLEEPING,
                "com.example.Ring.next(Ring.java:7)",
                stack,
                "",
                AwaitedTasks.UNKNOWN,
                false);
        return breakdown(
                Map.of(parked, Estimate.exactly(20)),
                List.of(publisher),
                Optional.of(new ThreadTimes(Duration.ofMillis(20), Duration.ZERO, switches, 0)));
    }

    private static TimeBreakdown breakdown(
            Map<Stratum, Estimate> census, List<Seen> seen, Optional<ThreadTimes> times) {
        double workers = census.values().stream().mapToDouble(Estimate::value).sum();
        return new TimeBreakdown(
                workers, 20, seen.size(), Breakdown.of(census, seen, one -> Optional.empty(), times, false), Map.of());
    }

    private static Optional<ThreadTimes> times(double cpu, double delay) {
        return Optional.of(new ThreadTimes(nanos(cpu), nanos(delay), 0, 0));
    }

    private static Duration nanos(double seconds) {
        return Duration.ofNanos((long) (seconds * 1e9));
    }

    private static Seen seen(Stratum stratum, Doing doing, String place) {
        return new Seen("worker", 1, stratum, doing, place, List.of(), "", AwaitedTasks.UNKNOWN, false);
    }
}
