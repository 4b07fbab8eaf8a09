package io.lifeguard.pool.tools.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.lifeguard.pool.tools.dumps.DumpedThread;
import io.lifeguard.pool.tools.watch.PoolFinder.FoundPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Which groups of threads that are no pool are said to be busy. */
class BusyGroupsTest {

    private static final StackTraceElement OWN =
            new StackTraceElement("com.example.Crawler", "load", "Crawler.java", 12);
    private static final List<StackTraceElement> CONNECTION = List.of(
            new StackTraceElement("java.util.concurrent.SynchronousQueue", "poll", "SynchronousQueue.java", 903),
            new StackTraceElement("com.zaxxer.hikari.util.ConcurrentBag", "borrow", "ConcurrentBag.java", 151),
            new StackTraceElement("com.zaxxer.hikari.pool.HikariPool", "getConnection", "HikariPool.java", 162),
            OWN);
    private static final List<StackTraceElement> MESSAGE = List.of(
            new StackTraceElement("java.util.concurrent.LinkedTransferQueue", "take", "LinkedTransferQueue.java", 12),
            OWN);

    private final BusyGroups groups = new BusyGroups();

    @Test
    void words_allWaitOutside_nameGroupAndPlace() {
        groups.see(List.of(group(2, Doing.WAITING_OUTSIDE, Thread.State.RUNNABLE, List.of(OWN))));

        assertThat(groups.words(0))
                .hasValue("busy threads belong to no known pool and are not judged: 2 of 2 'crawler' wait outside at"
                        + " com.example.Crawler.load(Crawler.java:12)");
    }

    @Test
    void words_sleepersConsumersAndOneThread_areEmpty() {
        groups.see(List.of(
                group(4, Doing.SLEEPING, Thread.State.TIMED_WAITING, List.of(OWN)),
                group(4, Doing.WAITING_IN_LINE, Thread.State.WAITING, MESSAGE),
                group(4, Doing.WAITING_IN_LINE, Thread.State.TIMED_WAITING, List.of(OWN)),
                group(1, Doing.WAITING_OUTSIDE, Thread.State.RUNNABLE, List.of(OWN))));

        assertThat(groups.words(0)).isEmpty();
    }

    /** Executors of one thread, or consumers: each rests at a queue of its own, so they are no pool. */
    @Test
    void areAtRest_allThreadsOfAllGroupsAreIdle() {
        FoundPool idle = group(4, Doing.IDLE, Thread.State.WAITING, List.of(OWN));
        assertThat(groups.areAtRest()).as("nothing was seen").isFalse();
        groups.see(List.of(idle));
        assertThat(groups.areAtRest()).isTrue();
        groups.see(List.of(idle, group(4, Doing.WAITING_IN_LINE, Thread.State.WAITING, MESSAGE)));
        assertThat(groups.areAtRest()).isFalse();
    }

    /** As for a connection, or for a notification that nobody promises. */
    @Test
    void words_inLineForWhatIsLent_areSaid() {
        groups.see(List.of(group(4, Doing.WAITING_IN_LINE, Thread.State.TIMED_WAITING, CONNECTION)));
        assertThat(groups.words(0)).isPresent();

        BusyGroups others = new BusyGroups();
        others.see(List.of(group(4, Doing.WAITING_IN_LINE, Thread.State.WAITING, List.of(OWN))));
        assertThat(others.words(0)).isPresent();
    }

    @Test
    void words_oneDumpShowsThemIdle_isEmpty() {
        FoundPool busy = group(4, Doing.WAITING_OUTSIDE, Thread.State.RUNNABLE, List.of(OWN));
        groups.see(List.of(busy));
        groups.see(List.of(group(4, Doing.IDLE, Thread.State.WAITING, List.of(OWN))));
        groups.see(List.of(busy));

        assertThat(groups.words(0)).isEmpty();
    }

    @Test
    void words_noneHasMoved_saysForHowLong() {
        FoundPool busy = group(4, Doing.WAITING_OUTSIDE, Thread.State.RUNNABLE, List.of(OWN));
        ThreadTimes stood = ThreadTimes.NONE;
        for (int second = 0; second < 5; second++) {
            groups.see(List.of(busy));
            groups.close(
                    Map.of(1L, stood, 2L, stood, 3L, stood, 4L, stood),
                    Duration.ofSeconds(second).toNanos());
        }

        assertThat(groups.words(Duration.ofSeconds(5).toNanos()))
                .hasValueSatisfying(words -> assertThat(words)
                        .endsWith("Crawler.java:12), and none has moved for 5 s: dead, or waiting for messages"));
    }

    /** All 64 of Dispatchers.IO wait for it, and an idle thread of Default, which has the same name, does not help. */
    @Test
    void words_partOfPoolBehindItsLimit_isSaidOnceNoneMoves() {
        List<FoundPool> kotlin = PoolFinder.find(
                        DumpText.dump(
                                inIo("DefaultDispatcher-worker-1"),
                                inIo("DefaultDispatcher-worker-2"),
                                idleOfKotlin("DefaultDispatcher-worker-3")),
                        UnaryOperator.identity(),
                        new ThreadShapes())
                .others();
        BusyGroups moving = new BusyGroups();
        for (int second = 0; second < 4; second++) {
            groups.see(kotlin);
            moving.see(kotlin);
            groups.close(times(ThreadTimes.NONE), second * 1_000_000_000L);
            moving.close(times(new ThreadTimes(Duration.ofMillis(1), Duration.ZERO, 5, 0)), second * 1_000_000_000L);
        }

        assertThat(groups.words(4_000_000_000L))
                .hasValue(
                        "a part of a pool may stand still: 2 of 2 'DefaultDispatcher (IO or limited)' wait for a result at"
                                + " com.example.Shop.order(Unknown Source), and none has moved for 4 s: dead, or waiting for"
                                + " something long");
        assertThat(moving.words(4_000_000_000L)).isEmpty();
    }

    private Map<Long, ThreadTimes> times(ThreadTimes each) {
        return groups.threads().stream().collect(Collectors.toMap(thread -> thread, thread -> each));
    }

    private static String inIo(String name) {
        return DumpText.thread(
                name,
                "TIMED_WAITING (parking)",
                "\t- parking to wait for  <0x00000000ff5fd828> (a kotlinx.coroutines.BlockingCoroutine)\n",
                "java.util.concurrent.locks.LockSupport.parkNanos",
                "kotlinx.coroutines.BlockingCoroutine.joinBlocking",
                "kotlinx.coroutines.BuildersKt.runBlocking",
                "com.example.Shop.order",
                "kotlinx.coroutines.internal.LimitedDispatcher$Worker.run",
                "kotlinx.coroutines.scheduling.CoroutineScheduler$Worker.runWorker",
                "kotlinx.coroutines.scheduling.CoroutineScheduler$Worker.run");
    }

    private static String idleOfKotlin(String name) {
        return DumpText.thread(
                name,
                "TIMED_WAITING (parking)",
                "",
                "java.util.concurrent.locks.LockSupport.parkNanos",
                "kotlinx.coroutines.scheduling.CoroutineScheduler$Worker.park",
                "kotlinx.coroutines.scheduling.CoroutineScheduler$Worker.run");
    }

    private static FoundPool group(int size, Doing doing, Thread.State state, List<StackTraceElement> stack) {
        List<DumpedThread> threads = new ArrayList<>();
        for (int i = 1; i <= size; i++) {
            threads.add(new DumpedThread(
                    "crawler-" + i,
                    OptionalLong.of(i),
                    state,
                    stack,
                    doing,
                    OWN.toString(),
                    Optional.empty(),
                    Set.of(),
                    OptionalLong.empty()));
        }
        return new FoundPool("crawler", PoolKind.THREADS, threads);
    }
}
