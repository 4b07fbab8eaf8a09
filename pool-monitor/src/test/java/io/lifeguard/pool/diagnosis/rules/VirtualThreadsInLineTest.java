package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.seen.CarrierLooks;
import io.lifeguard.pool.diagnosis.seen.Neighbours;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.WaitingThreads;
import io.lifeguard.pool.diagnosis.window.WaitingThreads.Kind;
import io.lifeguard.pool.diagnosis.window.WaitingThreads.Stopped;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Virtual threads that wait in line for something limited. */
class VirtualThreadsInLineTest {

    private static final String PLACE = "com.example.Orders.load(Orders.java:42)";

    private final VirtualThreadsInLine rule = new VirtualThreadsInLine();

    private Verdict examine(WaitingThreads... lines) {
        CarrierLooks looks =
                new CarrierLooks(2, 20, 0, OptionalInt.of(0), Duration.ZERO, true, List.of(), OptionalDouble.empty());
        PoolWindow window = Windows.of("virtual threads").build().toBuilder()
                .subject(PoolWindow.Subject.VIRTUAL_THREADS)
                .seen(CarrierLooks.class, looks)
                .waitingThreads(List.of(lines))
                .build();
        return rule.examine(window);
    }

    private static final int LOOKS = 240;

    private static WaitingThreads hikari(int waiting, double others, long waitMillis) {
        return new WaitingThreads(
                "requests",
                Kind.CONNECTION,
                "HikariPool-1",
                OptionalInt.of(4),
                OptionalInt.of(4),
                waiting,
                others,
                LOOKS,
                Duration.ofMillis(waitMillis),
                PLACE,
                List.of("a", "b"),
                "",
                Optional.empty());
    }

    private static WaitingThreads of(Kind kind, int waiting, double others, Duration wait, String holder) {
        OptionalInt capacity = kind == Kind.PERMIT ? OptionalInt.empty() : OptionalInt.of(1);
        return new WaitingThreads(
                "requests",
                kind,
                "x.Y@1",
                capacity,
                OptionalInt.empty(),
                waiting,
                others,
                LOOKS,
                wait,
                PLACE,
                List.of(),
                holder,
                Optional.empty());
    }

    private static WaitingThreads stopped(WaitingThreads line, Stopped since) {
        return new WaitingThreads(
                line.executor(),
                line.kind(),
                line.object(),
                line.capacity(),
                line.inUse(),
                line.waiting(),
                line.elsewhere(),
                line.looks(),
                line.waitTime(),
                line.place(),
                line.stack(),
                line.holder(),
                Optional.of(since));
    }

    /** Permits were lost one by one: no thread holds one, and requests go on coming. */
    @ParameterizedTest
    @EnumSource
    void examine_moreAndMoreComeAndNoneGetsIt_standsStillWithoutALimit(Kind kind) {
        WaitingThreads line = of(kind, 400, 0, Duration.ofDays(1), "");
        Finding finding = examine(stopped(line, new Stopped(Duration.ofSeconds(4), 500)))
                .finding()
                .orElseThrow();

        assertThat(finding.severity()).isEqualTo(Severity.CRITICAL);
        assertThat(finding.summary())
                .startsWith("nothing moves: 400 virtual threads of requests wait for ")
                .endsWith(PLACE + "; none of them has got it for 4 s, while 500 more came");
        assertThat(finding.evidence()).containsEntry("standsStillFor", Duration.ofSeconds(4));
        assertThat(finding.evidence()).doesNotContainKey("limit");
        assertThat(finding.advice()).doesNotContain("would do as much");
    }

    /** By pid, before it is certain. */
    @Test
    void examine_noneGetsItAndNoMoreCome_namesNoLimit() {
        WaitingThreads line = of(Kind.LOCK, 400, 1, Duration.ofSeconds(2), "#7 at x.Y.z(Y.java:1)");
        Finding finding = examine(stopped(line, new Stopped(Duration.ofSeconds(2), 0)))
                .finding()
                .orElseThrow();

        assertThat(finding.advice()).isEqualTo("Look at the holder: it does not give the lock back.");
        assertThat(finding.evidence()).doesNotContainKey("limit");
    }

    /** Consumers that wait for a signal, and tasks that began together. */
    @Test
    void examine_noneComesOrTheTimeIsShort_isNoStandstill() {
        WaitingThreads consumers = of(Kind.PERMIT, 400, 0, Duration.ofDays(1), "");
        assertThat(examine(stopped(consumers, new Stopped(Duration.ofMinutes(1), 0))))
                .isInstanceOf(Verdict.Unknown.class);
        WaitingThreads results = of(Kind.RESULT, 400, 0, Duration.ofDays(1), "");
        assertThat(examine(stopped(results, new Stopped(Duration.ofSeconds(3), 500))))
                .isEqualTo(Verdict.clear());
        assertThat(examine(results)).isEqualTo(Verdict.clear());
    }

    @Test
    void examine_queueForConnections_namesPoolPlaceAndLimit() {
        Finding finding = examine(hikari(490, 4.4, 4_900)).finding().orElseThrow();
        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.summary())
                .isEqualTo("490 virtual threads of requests wait for HikariPool-1 (4 of 4 in use) at " + PLACE
                        + "; the last one waits for 4.9 s");
        assertThat(finding.advice()).contains("9 threads would do as much").contains("named(\"requests\").limit(9)");
        assertThat(finding.evidence())
                .containsEntry("limit", 9)
                .containsEntry("waiting", 490)
                .containsEntry("capacity", 4);
    }

    @Test
    void examine_executorHasAKey_namesItWithTheLimit() {
        Neighbours.put("VirtualThreadsInLineTest", new Neighbours.Setting("lifeguard.virtual-threads.limit", ""));
        WaitingThreads line = new WaitingThreads(
                "VirtualThreadsInLineTest",
                Kind.CONNECTION,
                "HikariPool-1",
                OptionalInt.of(4),
                OptionalInt.of(4),
                490,
                4.4,
                LOOKS,
                Duration.ofMillis(4_900),
                PLACE,
                List.of(),
                "",
                Optional.empty());
        assertThat(examine(line).finding().orElseThrow().advice())
                .endsWith("so that the rest waits as tasks: lifeguard.virtual-threads.limit=9.");
    }

    @Test
    void examine_lockThatIsNeverReleased_namesTheHolderAndNoWait() {
        Finding finding = examine(of(Kind.LOCK, 503, 0, Duration.ofDays(1), "\"main\" #3"))
                .finding()
                .orElseThrow();
        assertThat(finding.evidence()).doesNotContainKey("wait");
        assertThat(finding.summary())
                .contains("wait for lock x.Y@1 at " + PLACE
                        + ", held by thread \"main\" #3; no task has ended meanwhile");
        assertThat(finding.evidence()).containsEntry("holder", "\"main\" #3");
    }

    /** What comes closest: a semaphore that nearly all permits of which are used, and a lock that is held shortly. */
    @Test
    void examine_healthyQueues_areClear() {
        assertThat(examine()).isEqualTo(Verdict.clear());
        assertThat(examine(of(Kind.PERMIT, 19, 10, Duration.ofMillis(40), ""))).isEqualTo(Verdict.clear());
        assertThat(examine(of(Kind.PERMIT, 45, 10, Duration.ofMillis(200), ""))).isEqualTo(Verdict.clear());
        assertThat(examine(of(Kind.LOCK, 30, 500, Duration.ofMillis(9), ""))).isEqualTo(Verdict.clear());
        assertThat(examine(hikari(19, 4, 500))).isEqualTo(Verdict.clear());
    }

    /** Consumers wait like this for work, and like this threads wait for permits that were lost. */
    @Test
    void examine_allWaitForPermitsAndNobodyHoldsOne_isUnknown() {
        Duration forever = Duration.ofDays(1);
        assertThat(examine(of(Kind.PERMIT, 50, 0, forever, ""))).isInstanceOf(Verdict.Unknown.class);
        assertThat(examine(of(Kind.PERMIT, 50, 4, forever, "")).finding()).isPresent();
        assertThat(examine(of(Kind.PERMIT, 50, 0, Duration.ofSeconds(1), "")).finding())
                .isPresent();
    }

    @Test
    void examine_twoQueues_namesTheLonger() {
        Finding finding = examine(hikari(100, 4, 1_000), of(Kind.MONITOR, 300, 2, Duration.ofSeconds(3), ""))
                .finding()
                .orElseThrow();
        assertThat(finding.evidence()).containsEntry("kind", "MONITOR").containsEntry("waiting", 300);
    }

    /** By chance four looks show half of those that get on. Too low a limit would cost throughput. */
    @Test
    void enough_fewLooks_isMoreThanAfterMany() {
        WaitingThreads line = hikari(490, 4.4, 4_900);
        WaitingThreads young = new WaitingThreads(
                line.executor(),
                line.kind(),
                line.object(),
                line.capacity(),
                line.inUse(),
                line.waiting(),
                line.elsewhere(),
                4,
                line.waitTime(),
                line.place(),
                line.stack(),
                line.holder(),
                Optional.empty());
        assertThat(VirtualThreadsInLine.enough(young)).isEqualTo(12);
        assertThat(VirtualThreadsInLine.enough(line)).isEqualTo(9);
    }

    /** A capacity is no sample: ten connections are ten, however few looks there were. */
    @Test
    void enough_capacityIsKnown_hasNoErrorOfSampling() {
        WaitingThreads few = new WaitingThreads(
                "requests",
                Kind.CONNECTION,
                "HikariPool-1",
                OptionalInt.of(10),
                OptionalInt.of(10),
                490,
                3,
                4,
                Duration.ofSeconds(1),
                PLACE,
                List.of(),
                "",
                Optional.empty());
        assertThat(VirtualThreadsInLine.enough(few)).isEqualTo(17); // 10 + 2 sqrt(10)
    }

    /**
     * Exact, for exponential times: threads that need one of some servers, and spend some time elsewhere, are a birth
     * and death process. Then the queue is empty more often than with constant times.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 10, 50})
    void enough_threadsAsAdvised_loseLessThanTwoPercent(int servers) {
        for (double elsewhere : new double[] {0.05, 0.3, 1, 3, 10}) { // times as long as the service
            double others = servers * (1 + elsewhere); // that are served or elsewhere while there is a queue
            double seen = Math.max(1, others - 2 * Math.sqrt(others / 4)); // by chance, at four looks
            assertThat(throughput(VirtualThreadsInLine.enough(queue(others, LOOKS)), servers, elsewhere))
                    .isGreaterThan(0.995 * servers);
            assertThat(throughput(VirtualThreadsInLine.enough(queue(seen, 4)), servers, elsewhere))
                    .isGreaterThan(0.985 * servers);
        }
    }

    /** In services per mean service time; as many as servers are the most. */
    private static double throughput(int threads, int servers, double elsewhere) {
        double[] chances = new double[threads + 1]; // of so many threads in the queue or served, not yet normed
        chances[0] = 1;
        double sum = 1;
        double served = 0;
        for (int n = 1; n <= threads; n++) {
            chances[n] = chances[n - 1] * (threads - n + 1) / elsewhere / Math.min(n, servers);
            sum += chances[n];
            served += chances[n] * Math.min(n, servers);
        }
        return served / sum;
    }

    private static WaitingThreads queue(double others, int looks) {
        return new WaitingThreads(
                "requests",
                Kind.PERMIT,
                "x.Y@1",
                OptionalInt.empty(),
                OptionalInt.empty(),
                490,
                others,
                looks,
                Duration.ofSeconds(1),
                PLACE,
                List.of(),
                "",
                Optional.empty());
    }

    @Test
    void examine_queueInAnotherJvm_claimsNoWaitThatNobodyHasMeasured() {
        WaitingThreads outside = new WaitingThreads(
                "",
                Kind.PERMIT,
                "a semaphore",
                OptionalInt.empty(),
                OptionalInt.empty(),
                490,
                10,
                2,
                Duration.ofMillis(2_500),
                PLACE,
                List.of("a"),
                "",
                Optional.empty());
        Finding finding = examine(outside).finding().orElseThrow();
        assertThat(finding.summary())
                .isEqualTo("490 virtual threads wait for a permit of a semaphore at " + PLACE
                        + "; two looks 2.5 s apart show that");
        assertThat(finding.advice()).contains("named(\"…\").limit(23)");
    }

    @Test
    void examine_windowOfAPool_isUnknown() {
        assertThat(rule.examine(Windows.of("pool").build())).isNotEqualTo(Verdict.clear());
        assertThat(rule.examines()).isEqualTo(PoolWindow.Subject.VIRTUAL_THREADS);
    }

    /** Whoever holds what they wait for may be the one that has no carrier. */
    @Test
    void examine_carriersAreStarved_isUnknown() {
        assertThat(examineWhileTakenAtAll(20)).isInstanceOf(Verdict.Unknown.class);
        assertThat(examineWhileTakenAtAll(2).finding())
                .as("two looks do not show that carriers are starved")
                .isPresent();
    }

    private Verdict examineWhileTakenAtAll(int looks) {
        CarrierLooks carriers = new CarrierLooks(
                2, looks, looks, OptionalInt.of(9), Duration.ofSeconds(3), false, List.of(), OptionalDouble.empty());
        return rule.examine(Windows.of("virtual threads").build().toBuilder()
                .subject(PoolWindow.Subject.VIRTUAL_THREADS)
                .seen(CarrierLooks.class, carriers)
                .waitingThreads(List.of(hikari(490, 4.4, 4_900)))
                .build());
    }
}
