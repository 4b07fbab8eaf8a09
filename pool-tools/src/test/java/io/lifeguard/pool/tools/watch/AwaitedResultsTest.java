package io.lifeguard.pool.tools.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.window.Awaited.Result;
import io.lifeguard.pool.tools.dumps.DumpedThread;
import io.lifeguard.pool.tools.dumps.ThreadDump;
import io.lifeguard.pool.tools.dumps.ThreadDumps;
import io.lifeguard.pool.tools.watch.PoolFinder.FoundPool;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
                .containsOnly(Map.entry(UNKNOWN, 3L));
    }

    @Test
    void see_someWaitForTheSameTask_isTheOwnQueueBeyondThoseThatRun() {
        assertThat(orders(
                        true,
                        waits("orders-1", "other"),
                        waits("orders-2", "value"),
                        waits("orders-3", "value"),
                        runs("orders-4")))
                .containsOnly(Map.entry(UNKNOWN, 2L), Map.entry(new Result(Optional.of("orders"), true), 1L));
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

    /** How many workers of orders wait for what. */
    private Map<Result, Long> orders(boolean moves, String... threads) {
        ThreadDump dump = ThreadDumps.parse("test", "Full thread dump\n" + String.join("", threads))
                .dumps()
                .get(0);
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

    private static String waits(String name) {
        return waits(name, name);
    }

    private static String waits(String name, String task) {
        return thread(
                name,
                "WAITING (parking)",
                "\t- parking to wait for  <0x00000000f%07x> (a java.util.concurrent.FutureTask)\n"
                        .formatted(task.hashCode() & 0xfffffff),
                "java.util.concurrent.FutureTask.awaitDone",
                "java.util.concurrent.FutureTask.get",
                "com.example.Orders.price",
                "java.util.concurrent.ThreadPoolExecutor.runWorker");
    }

    private static String runs(String name) {
        return thread(
                name,
                "RUNNABLE",
                "",
                "com.example.Prices.fetch",
                "java.util.concurrent.FutureTask.run",
                "java.util.concurrent.ThreadPoolExecutor.runWorker");
    }

    private static String busy(String name) {
        return thread(
                name, "RUNNABLE", "", "com.example.Mail.send", "java.util.concurrent.ThreadPoolExecutor.runWorker");
    }

    private static String idle(String name) {
        return thread(
                name,
                "WAITING (parking)",
                "",
                "java.util.concurrent.LinkedBlockingQueue.take",
                "java.util.concurrent.ThreadPoolExecutor.getTask",
                "java.util.concurrent.ThreadPoolExecutor.runWorker");
    }

    /** A park comes first where a thread parks. */
    private static String thread(String name, String state, String lock, String... frames) {
        StringBuilder text = new StringBuilder(
                "\"%s\" #1 prio=5 tid=0x00007f nid=0x%x runnable\n".formatted(name, 1 + (name.hashCode() & 0xfffff)));
        text.append("   java.lang.Thread.State: ").append(state).append('\n');
        if (state.contains("parking")) {
            text.append("\tat jdk.internal.misc.Unsafe.park(Native Method)\n");
        }
        text.append(lock);
        for (String frame : frames) {
            text.append("\tat ").append(frame).append("(Unknown Source)\n");
        }
        return text.append('\n').toString();
    }
}
