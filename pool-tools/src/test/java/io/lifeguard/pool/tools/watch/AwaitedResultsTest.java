package io.lifeguard.pool.tools.watch;

import static io.lifeguard.pool.tools.watch.DumpText.busy;
import static io.lifeguard.pool.tools.watch.DumpText.dump;
import static io.lifeguard.pool.tools.watch.DumpText.idle;
import static io.lifeguard.pool.tools.watch.DumpText.runs;
import static io.lifeguard.pool.tools.watch.DumpText.thread;
import static io.lifeguard.pool.tools.watch.DumpText.waits;
import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.window.Awaited.Result;
import io.lifeguard.pool.tools.dumps.DumpedThread;
import io.lifeguard.pool.tools.dumps.ThreadDump;
import io.lifeguard.pool.tools.watch.PoolFinder.FoundPool;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Whose results the workers of {@code orders} wait for, as far as a dump and those before it tell. */
class AwaitedResultsTest {

    private static final Result UNKNOWN = new Result(Optional.empty(), false);

    private final AwaitedResults results = new AwaitedResults();

    @Test
    void see_noOtherPoolMayHaveTheTasks_isTheOwnQueue() {
        assertThat(orders(false, waits("orders-1"), waits("orders-2"), idle("prices-1")))
                .containsOnly(Map.entry(new Result(Optional.of("orders"), true), 2L));
    }

    /** As in a cache that loads each value once: all wait for the one that a worker loads. */
    @Test
    void see_allWaitForOneTaskThatRuns_isNotTheOwnQueue() {
        assertThat(orders(
                        true,
                        waits("orders-1", "value"),
                        waits("orders-2", "value"),
                        waits("orders-3", "value"),
                        runs("orders-4")))
                .containsOnly(Map.entry(new Result(Optional.of("orders"), false), 3L));
    }

    @Test
    void see_someWaitForTheSameTask_isTheOwnQueueBeyondThoseThatRun() {
        assertThat(orders(
                        true,
                        waits("orders-1", "other"),
                        waits("orders-2", "value"),
                        waits("orders-3", "value"),
                        runs("orders-4")))
                .containsOnly(
                        Map.entry(new Result(Optional.of("orders"), false), 2L),
                        Map.entry(new Result(Optional.of("orders"), true), 1L));
    }

    /** The tasks cannot be in a queue that an idle worker would empty. */
    @Test
    void see_ownPoolHasAnIdleWorker_isUnknown() {
        assertThat(orders(true, waits("orders-1"), waits("orders-2"), idle("orders-3")))
                .containsEntry(UNKNOWN, 3L);
    }

    @Test
    void see_onlyOneOtherPoolRunsSuchTasks_isItsQueueBeyondThoseThatRun() {
        assertThat(orders(true, waits("orders-1"), waits("orders-2"), waits("orders-3"), runs("prices-1")))
                .containsOnly(
                        Map.entry(new Result(Optional.of("prices"), false), 1L),
                        Map.entry(new Result(Optional.of("prices"), true), 2L));
    }

    /** It runs each task at once. */
    @Test
    void see_otherPoolHasAnIdleWorker_isNotItsQueue() {
        orders(true, waits("orders-1"), runs("prices-1"), busy("mail-1"));

        assertThat(orders(true, waits("orders-1"), waits("orders-2"), idle("prices-1"), busy("mail-1")))
                .containsOnly(Map.entry(new Result(Optional.of("prices"), false), 2L));
    }

    /** The busy pool may have nothing to do with it: they may all wait for each other, forever. */
    @Test
    void see_waitersGetNoResults_isUnknown() {
        assertThat(orders(false, waits("orders-1"), waits("orders-2"), runs("prices-1")))
                .containsOnly(Map.entry(UNKNOWN, 2L));
    }

    @Test
    void see_severalPoolsRunSuchTasks_isUnknown() {
        orders(true, runs("orders-1"), runs("prices-1"));

        assertThat(orders(true, waits("orders-1"), waits("orders-2"), runs("prices-1")))
                .containsOnly(Map.entry(UNKNOWN, 2L));
    }

    @Test
    void see_threadOfNoPoolRunsSuchTasks_isUnknown() {
        assertThat(orders(
                        true,
                        waits("orders-1"),
                        runs("prices-1"),
                        thread("main", "RUNNABLE", "", "java.util.concurrent.FutureTask.run")))
                .containsOnly(Map.entry(UNKNOWN, 1L));
    }

    @Test
    void circle_allWorkersOfTwoPoolsWaitAndNobodyRunsTheTasks_namesBoth() {
        assertThat(circle(waits("orders-1"), waits("orders-2"), waits("stock-1"), idle("mail-1")))
                .containsExactlyInAnyOrder("orders", "stock");
    }

    @Test
    void circle_onlyOnePoolWaits_isEmpty() {
        assertThat(circle(waits("orders-1"), waits("orders-2"), idle("stock-1")))
                .isEmpty();
    }

    @Test
    void circle_oneWorkerIsFree_isEmpty() {
        assertThat(circle(waits("orders-1"), waits("stock-1"), idle("stock-2"))).isEmpty();
        assertThat(circle(waits("orders-1"), waits("stock-1"), runs("stock-2"))).isEmpty();
    }

    /** It may run one of the tasks, or have one in its queue. */
    @Test
    void circle_anotherThreadMayHaveATask_isEmpty() {
        assertThat(circle(waits("orders-1"), waits("stock-1"), busy("mail-1"))).isEmpty();
        assertThat(circle(
                        waits("orders-1"),
                        waits("stock-1"),
                        thread("main", "RUNNABLE", "", "java.util.concurrent.FutureTask.run")))
                .isEmpty();
    }

    @Test
    void circle_aWaitHasATimeLimit_isEmpty() {
        assertThat(circle(waits("orders-1"), waits("stock-1").replace("WAITING (parking)", "TIMED_WAITING (parking)")))
                .isEmpty();
    }

    /** A virtual thread may run one, and no dump of this kind shows it. */
    @Test
    void circle_processHasVirtualThreads_isEmpty() {
        assertThat(circle(
                        waits("orders-1"),
                        waits("stock-1"),
                        thread(
                                "ForkJoinPool-1-worker-1",
                                "WAITING (parking)",
                                "",
                                "java.util.concurrent.ForkJoinPool.awaitWork",
                                "java.util.concurrent.ForkJoinPool.runWorker",
                                "jdk.internal.misc.CarrierThread.run")))
                .isEmpty();
    }

    private Set<String> circle(String... threads) {
        ThreadDump dump = dump(threads);
        results.see(dump, PoolFinder.find(dump), pool -> false);
        return results.circle();
    }

    /** How many workers of orders wait for what. */
    private Map<Result, Long> orders(boolean moves, String... threads) {
        ThreadDump dump = dump(threads);
        List<FoundPool> pools = PoolFinder.find(dump);
        results.see(dump, pools, pool -> moves);
        return pools.stream()
                .filter(pool -> pool.name().equals("orders"))
                .flatMap(pool -> pool.workers().stream())
                .filter(worker -> !isRunning(worker))
                .map(results::of)
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    }

    private static boolean isRunning(DumpedThread worker) {
        return worker.state() == Thread.State.RUNNABLE;
    }
}
