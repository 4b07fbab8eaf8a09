package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.seen.Lender;
import io.lifeguard.pool.diagnosis.seen.Neighbours;
import io.lifeguard.pool.diagnosis.testing.Breakdowns;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Pools that wait for each other are found with the cycle; a hand-over that moves is left alone. */
class WaitsOnAnotherPoolTest {

    private final Rule rule = new WaitsOnAnotherPool();

    private static Windows web(double waiters, boolean queued) {
        return web(waiters, queued, 0);
    }

    private static Windows web(double waiters, boolean queued, double error) {
        return Windows.of("web")
                .size(8)
                .busy(8)
                .tasks(20)
                .service(0.4)
                .process(2, 0.1, 0, 0.1)
                .doing(Breakdowns.of(8)
                        .error(error)
                        .with(
                                Doing.WAITING_FOR_RESULT,
                                waiters,
                                Breakdowns.PLACE,
                                new Awaited.Result(Optional.of("mail"), queued))
                        .error(0)
                        .with(Doing.COMPUTING, 8 - waiters));
    }

    private static PoolWindow others(PoolWindow window, Map<String, Set<String>> waits) {
        return window.toBuilder().waitsOfOthers(waits).build();
    }

    @Test
    void examine_twoPoolsWaitForEachOther_namesTheCycle() {
        PoolWindow window = others(web(6, false).build(), Map.of("mail", Set.of("web"), "web", Set.of("mail")));
        Finding finding = rule.examine(window).finding().orElseThrow();
        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.summary())
                .isEqualTo("6 of 8 workers are in com.example.Orders.load(Orders.java:42) and wait for results of mail,"
                        + " which waits for this pool (web → mail → web)");
        assertThat(finding.evidence()).containsEntry("cycle", "web → mail → web");
    }

    @Test
    void examine_nothingIsCompletedAnyMore_isADeadlock() {
        PoolWindow window =
                others(web(8, false).tasks(0).times(4), Map.of("mail", Set.of("log"), "log", Set.of("other", "web")));
        Finding finding = rule.examine(window).finding().orElseThrow();
        assertThat(finding.severity()).isEqualTo(Severity.CRITICAL);
        assertThat(finding.summary())
                .endsWith("which waits for this pool (web → mail → log → web): nothing will ever run again");
    }

    @Test
    void examine_otherPoolIsFull_namesTheChain() {
        Finding finding = rule.examine(web(6, true).build()).finding().orElseThrow();
        assertThat(finding.summary()).endsWith(" and wait for results of tasks that sit in the queue of mail");
        assertThat(finding.advice()).startsWith("Look at mail first");
    }

    /** The other pool runs the tasks at once; and it may wait for a third. */
    @Test
    void examine_handOverThatMoves_isClear() {
        assertThat(rule.examine(web(6, false).build())).isEqualTo(Verdict.clear());
        assertThat(rule.examine(others(web(6, false).build(), Map.of("mail", Set.of("log"), "log", Set.of("mail")))))
                .isEqualTo(Verdict.clear());
    }

    /** A client's own threads complete the futures. */
    @Test
    void examine_nobodyKnowsWhoBringsTheResults_namesThePlaceAndTheBusyThreads() {
        PoolWindow window = unknown(7).times(3);
        Finding finding = rule.examine(window).finding().orElseThrow();
        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.summary())
                .isEqualTo(
                        "7 of 8 workers are in com.example.Orders.load(Orders.java:42) and wait for results; it is unknown which threads provide them");
        assertThat(finding.evidence()).containsEntry("place", Breakdowns.PLACE).containsEntry("workers", 8);
        assertThat(finding.advice())
                .contains("Whether more workers here help is unknown: try a few more")
                .doesNotContain("only make its queue longer");

        PoolWindow known = window.toBuilder()
                .busyThreads(Map.of("client-io", 5, "timer", 1))
                .build();
        Finding named = rule.examine(known).finding().orElseThrow();
        assertThat(named.summary())
                .endsWith(
                        " it is unknown which threads provide them, but all 5 threads of client-io and thread timer are"
                                + " busy all the time");
        assertThat(named.evidence()).containsEntry("busyThreads", "client-io, timer");
    }

    /** A worker that blocks in a reactive client shows no connection pool on its stack. */
    @Test
    void examine_callsWaitForConnections_namesTheirPoolAndWhereItIsSet() {
        Reactive full = new Reactive("catalogue", 4, 3);
        Reactive idle = new Reactive("rates", 1, 0);
        Neighbours.add(full);
        Neighbours.add(idle);
        try {
            Finding finding = rule.examine(unknown(7).times(3)).finding().orElseThrow();
            assertThat(finding.summary())
                    .isEqualTo("7 of 8 workers are in com.example.Orders.load(Orders.java:42) and wait for results, and"
                            + " meanwhile 4 of 4 connections of catalogue are in use, and 3 calls wait for one");
            assertThat(finding.advice()).contains("Raise their limit (catalogue.max), or use them for a shorter time");
            assertThat(finding.evidence())
                    .containsEntry("resource", "catalogue")
                    .containsEntry("capacity", 4)
                    .containsEntry("inUse", 4)
                    .containsEntry("waitingCalls", 3);
        } finally {
            Neighbours.remove(full);
            Neighbours.remove(idle);
        }
    }

    @Test
    void examine_connectionPoolWithoutWaitsOrClosing_isNotNamed() {
        List<Lender> others = List.of(new Reactive("rates", 1, 0), new Reactive("closing", -1, 1));
        others.forEach(Neighbours::add);
        try {
            Finding finding = rule.examine(unknown(7).times(3)).finding().orElseThrow();
            assertThat(finding.summary()).endsWith("it is unknown which threads provide them");
        } finally {
            others.forEach(Neighbours::remove);
        }
    }

    /** Throws while it is closing, which a negative number of connections stands for. */
    private record Reactive(String name, int inUse, int waiting) implements Lender {
        @Override
        public String library() {
            return "a reactive client";
        }

        @Override
        public boolean isOnStacks() {
            return false;
        }

        @Override
        public int capacity() {
            if (inUse < 0) {
                throw new IllegalStateException("closing");
            }
            return 4;
        }

        @Override
        public String setting() {
            return name + ".max";
        }
    }

    @Test
    void examine_nobodyKnowsWhoBringsTheResultsAndNothingQueues_isClear() {
        assertThat(rule.examine(unknown(7).queued(0).times(3)).finding()).isEmpty();
        assertThat(rule.examine(unknown(2).times(3)).finding()).isEmpty();
    }

    /** Spring Batch's steps wait in the pool that runs their chunks; a backlog of chunks is its way to work. */
    @Test
    void examine_onlyAFrameworkWaits_isNoFinding() {
        Windows batch = unknown(0)
                .doing(Breakdowns.of(8)
                        .with(
                                Doing.WAITING_FOR_RESULT,
                                4,
                                "org.springframework.batch.infrastructure.repeat.support.ResultHolderResultQueue"
                                        + ".expect(ResultHolderResultQueue.java:79)",
                                new Awaited.Result(Optional.empty(), false))
                        .with(Doing.COMPUTING, 4));
        assertThat(rule.examine(batch.times(3)).finding()).isEmpty();
        assertThat(rule.examine(unknown(4).times(3)).finding()).isPresent();
    }

    /** Two pools of which a dump says that only they can bring what their workers wait for. */
    @Test
    void examine_circleInAFrameworksCode_isADeadlock() {
        PoolWindow window = Windows.of("web")
                .size(8)
                .busy(8)
                .tasks(0)
                .system(0, 0, 0, 0)
                .fromOutside()
                .bottleneck(Bottleneck.OTHER_POOL)
                .doing(Breakdowns.of(8)
                        .with(
                                Doing.WAITING_FOR_RESULT,
                                8,
                                "kotlinx.coroutines.BlockingCoroutine.joinBlocking(Builders.kt:120)",
                                new Awaited.Result(Optional.empty(), false)))
                .times(5);
        Finding finding = rule.examine(others(window, Map.of("web", Set.of("mail", "web"))))
                .finding()
                .orElseThrow();
        assertThat(finding.severity()).isEqualTo(Severity.CRITICAL);
        assertThat(finding.summary()).endsWith("nothing will ever run again");
    }

    /** The tasks may all be in its own queue: that is for another rule, and takes 4 s. */
    @Test
    void examine_nothingIsCompletedAndAllWait_isNotThisFinding() {
        assertThat(rule.examine(unknown(8).tasks(0).times(3)).finding()).isEmpty();
        assertThat(rule.examine(unknown(8).tasks(0).times(5)).finding()).isEmpty();
        assertThat(new StarvedByOwnTasks().examine(unknown(8).tasks(0).times(5)).finding())
                .isPresent();
    }

    private static Windows unknown(double waiters) {
        return Windows.of("web")
                .size(8)
                .busy(8)
                .tasks(20)
                .queued(30)
                .service(0.4)
                .process(2, 0.1, 0, 0.1)
                .doing(Breakdowns.of(8).result(waiters, null).with(Doing.COMPUTING, 8 - waiters));
    }

    /** 30 % of 8 are 2.4 workers. */
    @Test
    void examine_fewWait_isClearOrUnknown() {
        assertThat(rule.examine(web(2, true).build())).isEqualTo(Verdict.clear());
        assertThat(rule.examine(web(3, true, 0.5).build())).isInstanceOf(Verdict.Unknown.class);
        assertThat(rule.examine(web(3, true, 0.2).build()).finding()).isPresent();
        assertThat(rule.examine(web(6, true).doing(Breakdowns.of(8)).build())).isInstanceOf(Verdict.Unknown.class);
    }

    /** No bottleneck is known: that the capacity was exceeded is proof enough. */
    @Test
    void examine_capacityExceededInACycle_namesThePools() {
        Windows full = Windows.of("io").size(4).busy(4).queued(1025).cycle(List.of("cpu", "db", "io"), 12);
        Finding finding = rule.examine(full.times(2)).finding().orElseThrow();
        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.summary())
                .isEqualTo(
                        "the workers of cpu, db and io wait for room in each other's queues: 12 times in 1 s a worker"
                                + " exceeded"
                                + " the capacity of this pool or ran its task itself, because no other worker could have made room");
        assertThat(finding.evidence())
                .containsEntry("cycle", "cpu, db, io")
                .containsEntry("capacityExceeded", 12L)
                .containsEntry("queued", 1025);
    }

    @Test
    void examine_capacityExceededEarlier_isClear() {
        Windows cycle = Windows.of("io").size(4).busy(4).cycle(List.of("cpu", "io"), 3);
        PoolSnapshot after = cycle.build().after();
        PoolWindow later = PoolWindow.between(
                        after,
                        after.toBuilder()
                                .nanoTime(after.nanoTime() + 1_000_000_000L)
                                .build())
                .bottleneck(Bottleneck.NONE)
                .build();
        assertThat(rule.examine(cycle.build()).finding()).isPresent();
        assertThat(rule.examine(later)).isEqualTo(Verdict.clear());
    }

    @Test
    void examine_idleWorkersLeft_isClear() {
        Windows half =
                web(3, true).busy(4).doing(Breakdowns.of(8).result(3, "mail").with(Doing.IDLE, 5));
        assertThat(rule.examine(half.build())).isEqualTo(Verdict.clear());
    }
}
