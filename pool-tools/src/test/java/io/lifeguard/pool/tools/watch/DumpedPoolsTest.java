package io.lifeguard.pool.tools.watch;

import static io.lifeguard.pool.tools.watch.DumpText.awaitsValue;
import static io.lifeguard.pool.tools.watch.DumpText.calls;
import static io.lifeguard.pool.tools.watch.DumpText.callsAsSubmitter;
import static io.lifeguard.pool.tools.watch.DumpText.dump;
import static io.lifeguard.pool.tools.watch.DumpText.idle;
import static io.lifeguard.pool.tools.watch.DumpText.thread;
import static io.lifeguard.pool.tools.watch.DumpText.waits;
import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.evidence.cpu.MonitorClock;
import io.lifeguard.pool.diagnosis.evidence.cpu.OtherProcess;
import io.lifeguard.pool.diagnosis.seen.Peer;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.lifeguard.pool.tools.dumps.ThreadDump;
import io.lifeguard.pool.tools.watch.PoolFinder.FoundPool;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What ten dumps a second tell of pools that wait for each other, for a client, for a cache, or for a submitter. */
class DumpedPoolsTest {

    private static final int DUMPS = 10; // in a window of a second
    private static final FindingListener NOBODY = finding -> {};

    private final Map<String, WatchedPool> pools = new LinkedHashMap<>();
    private final AwaitedResults results = new AwaitedResults();
    private long millis;
    private boolean movesOnlyOne;

    @Test
    void close_twoPoolsWaitForEachOtherForever_bothSaySo() {
        play(8, 0, dump(waits("orders-1"), waits("orders-2"), waits("stock-1"), waits("stock-2"), idle("mail-1")));

        assertThat(findings("orders")).singleElement().satisfies(finding -> {
            assertThat(finding.id()).isEqualTo("waits-on-another-pool");
            assertThat(finding.severity()).isEqualTo(Severity.CRITICAL);
            assertThat(finding.summary())
                    .startsWith("nothing moves")
                    .contains("com.example.Orders.price")
                    .contains("only orders and stock can have")
                    .endsWith("nothing will ever run again");
        });
        assertThat(findings("stock")).extracting(Finding::id).containsExactly("waits-on-another-pool");
        assertThat(findings("mail")).isEmpty();
    }

    /** Each of them gets its results, and another thread brings them. */
    @Test
    void close_theyWaitAndMove_isNoCircle() {
        play(8, 50, dump(waits("orders-1"), waits("orders-2"), waits("stock-1"), waits("stock-2"), idle("mail-1")));

        assertThat(findings("orders")).noneMatch(finding -> finding.severity() == Severity.CRITICAL);
        assertThat(findings("stock")).noneMatch(finding -> finding.severity() == Severity.CRITICAL);
    }

    @Test
    void close_eachOfTheTwoPoolsHasAFreeWorker_isSilent() {
        play(8, 0, dump(waits("orders-1"), idle("orders-2"), waits("stock-1"), idle("stock-2")));

        assertThat(findings("orders")).isEmpty();
        assertThat(findings("stock")).isEmpty();
    }

    @Test
    void close_allWaitForAClient_namesTheClientsBusyThreads() {
        play(
                6,
                20,
                dump(
                        awaitsValue("orders-1"),
                        awaitsValue("orders-2"),
                        awaitsValue("orders-3"),
                        calls("client-io-1"),
                        calls("client-io-2"),
                        idle("mail-1")));

        assertThat(findings("orders")).singleElement().satisfies(finding -> {
            assertThat(finding.id()).isEqualTo("waits-on-another-pool");
            assertThat(finding.severity()).isEqualTo(Severity.INFO);
            assertThat(finding.summary()).contains("com.example.Cache.get").contains("all 2 threads of client-io");
            assertThat(Certainty.of(finding).level()).isEqualTo("guess");
        });
    }

    @Test
    void close_someWaitForAClientAndOneIsIdle_isSilent() {
        play(6, 20, dump(awaitsValue("orders-1"), awaitsValue("orders-2"), idle("orders-3"), calls("client-io-1")));

        assertThat(findings("orders")).isEmpty();
    }

    /** As a cache does that loads on the pool that waits for it. */
    @Test
    void close_oneWorkerLoadsWhatTheOthersWaitFor_namesThePlace() {
        play(6, 20, dump(awaitsValue("orders-1"), awaitsValue("orders-2"), awaitsValue("orders-3"), calls("orders-4")));

        assertThat(findings("orders")).singleElement().satisfies(finding -> {
            assertThat(finding.id()).isEqualTo("waits-on-another-pool");
            assertThat(finding.summary()).contains("3 of 4 workers are in com.example.Cache.get");
        });
    }

    /** Values that others bring some day, as messages, do not tell of a queue. */
    @Test
    void close_allWaitForValuesThatDoNotCome_isSilent() {
        play(6, 0, dump(awaitsValue("orders-1"), awaitsValue("orders-2"), awaitsValue("orders-3")));

        assertThat(findings("orders")).isEmpty();
    }

    @Test
    void close_submitterRunsTasksWhileWorkersIdle_isNamed() {
        play(
                8,
                20,
                dump(
                        calls("orders-1"),
                        idle("orders-2"),
                        idle("orders-3"),
                        idle("orders-4"),
                        callsAsSubmitter("feed")));

        assertThat(findings("orders")).singleElement().satisfies(finding -> {
            assertThat(finding.id()).isEqualTo("dispatcher-runs-tasks");
            assertThat(finding.summary()).startsWith("feed ran tasks itself");
        });
    }

    @Test
    void close_submitterRunsTasksWhileAllWorkersAreBusy_isNotNamed() {
        play(8, 20, dump(calls("orders-1"), calls("orders-2"), calls("orders-3"), callsAsSubmitter("feed")));

        assertThat(findings("orders")).extracting(Finding::id).doesNotContain("dispatcher-runs-tasks");
    }

    /** Nobody waits for four seconds for a lock that its holder will give back. */
    @Test
    void close_allWaitForOneMonitorAndNoneMoves_standStillWithoutSizeOrGain() {
        play(8, 0, dump(blocked("orders-1"), blocked("orders-2"), blocked("orders-3")));

        assertThat(findings("orders")).singleElement().satisfies(finding -> {
            assertThat(finding.id()).isEqualTo("stands-still");
            assertThat(finding.severity()).isEqualTo(Severity.CRITICAL);
            assertThat(finding.summary()).contains("com.example.Shop.load");
            assertThat(finding.recommendedSize()).isEmpty();
            assertThat(finding.evidence()).containsKey("standsStillFor").doesNotContainKey("gainWithoutLock");
        });
    }

    /** On JDK 17 one of those that wait for a monitor may wake each second to look at it. */
    @Test
    void close_oneOfThoseAtTheMonitorLooksEachSecond_nameNoSizeAndStandStill() {
        ThreadDump same = dump(blocked("orders-1"), blocked("orders-2"), blocked("orders-3"), blocked("orders-4"));
        movesOnlyOne = true;
        for (int windows = 0; windows < 8; windows++) {
            play(1, 1, same);

            assertThat(findings("orders")).allSatisfy(finding -> {
                assertThat(finding.id()).isIn("pool-full", "stands-still");
                assertThat(finding.recommendedSize()).isEmpty();
            });
        }
        assertThat(findings("orders")).extracting(Finding::id).containsExactly("stands-still");
    }

    @Test
    void close_allWaitForOneMonitorAndMove_areNoStandstill() {
        play(8, 20, dump(blocked("orders-1"), blocked("orders-2"), blocked("orders-3")));

        assertThat(findings("orders")).noneMatch(finding -> finding.severity() == Severity.CRITICAL);
    }

    private static String blocked(String name) {
        return thread(
                name,
                "BLOCKED (on object monitor)",
                "",
                "com.example.Shop.load(Shop.java:6)\n\t- waiting to lock <0x00000000ffd1ef88> (a java.lang.Object)",
                "java.util.concurrent.ThreadPoolExecutor.runWorker");
    }

    /** The same chain as within the process. */
    @Test
    void close_holderWaitsForTheTasksThatNeedItsMonitor_saysWhoWaitsForWhom() {
        play(8, 0, dump(wantsWorld("chunks-1"), wantsWorld("chunks-2"), holds("server-main")));

        assertThat(findings("chunks")).singleElement().satisfies(finding -> {
            assertThat(finding.id()).isEqualTo("stands-still");
            assertThat(finding.severity()).isEqualTo(Severity.CRITICAL);
            assertThat(finding.recommendedSize()).isEmpty();
            assertThat(finding.gain()).isEmpty();
            assertThat(finding.summary())
                    .endsWith("all 2 workers wait for the monitor of com.example.World@a1 at"
                            + " com.example.Chunks.render(Unknown Source); it is held by thread \"server-main\", which"
                            + " waits for results of tasks of this very pool at com.example.Server.load(Unknown"
                            + " Source); no worker is free");
        });
    }

    /** Threads may wait at a latch for the end of the process. Nobody is late for ever at a barrier. */
    @Test
    void close_allWaitForOthers_isStandstillAtABarrierOnly() {
        play(8, 0, dump(meets("parts-1", "CyclicBarrier"), meets("parts-2", "CyclicBarrier")));
        play(8, 0, dump(meets("ends-1", "CountDownLatch"), meets("ends-2", "CountDownLatch")));

        assertThat(findings("parts")).singleElement().satisfies(finding -> {
            assertThat(finding.id()).isEqualTo("stands-still");
            assertThat(finding.summary()).contains("all 2 workers wait for other parties of a CyclicBarrier");
        });
        assertThat(findings("ends")).isEmpty();
    }

    private static String wantsWorld(String name) {
        return thread(
                name,
                "BLOCKED (on object monitor)",
                "",
                "com.example.Chunks.render(Unknown Source)\n\t- waiting to lock <0x00000000000000a1> (a com.example.World)",
                "java.util.concurrent.FutureTask.run",
                "java.util.concurrent.ThreadPoolExecutor.runWorker");
    }

    private static String holds(String name) {
        return thread(
                name,
                "WAITING (parking)",
                "\t- parking to wait for  <0x00000000000000b2> (a java.util.concurrent.FutureTask)\n",
                "java.util.concurrent.FutureTask.awaitDone",
                "java.util.concurrent.FutureTask.get",
                "com.example.Server.load(Unknown Source)\n\t- locked <0x00000000000000a1> (a com.example.World)");
    }

    private static String meets(String name, String type) {
        return thread(
                name,
                "WAITING (parking)",
                "\t- parking to wait for  <0x00000000000000c3> (a java.util.concurrent.locks.Condition)\n",
                "java.util.concurrent." + type + ".await",
                "com.example.Parts.meet",
                "java.util.concurrent.ThreadPoolExecutor.runWorker");
    }

    @Test
    void peers_threadsOfOneNameAtQueuesOfTheirOwn_areExecutorsOfOneThreadEach() {
        play(1, 0, dump(takes("watch", "0xa1"), takes("watch", "0xa2"), takes("watch", "0xa3")));
        play(1, 0, dump(takes("one-1", "0xa1"), takes("one-2", "0xa1"), takes("one-3", "0xa1")));

        assertThat(peers("watch")).containsExactly("watch", "watch#2", "watch#3");
        assertThat(peers("one")).containsExactly("one");
    }

    private List<String> peers(String pool) {
        OtherProcess process = new OtherProcess(ProcessHandle.current().pid(), MonitorClock.SYSTEM);
        return pools.get(pool).peers(process).stream().map(Peer::name).toList();
    }

    private static String takes(String name, String queue) {
        return thread(
                name,
                "WAITING (parking)",
                "\t- parking to wait for  <" + queue + "> (a java.util.concurrent.locks.Condition)\n",
                "java.util.concurrent.LinkedBlockingQueue.take",
                "java.util.concurrent.ThreadPoolExecutor.getTask",
                "java.util.concurrent.ThreadPoolExecutor.runWorker");
    }

    /** Plays windows of a second in which all dumps look the same. */
    private void play(int windows, long switches, ThreadDump dump) {
        List<FoundPool> found = PoolFinder.find(dump);
        ThreadTimes times = new ThreadTimes(Duration.ofMillis(switches), Duration.ZERO, switches, 0);
        for (int window = 0; window < windows; window++) {
            for (int i = 0; i < DUMPS; i++) {
                millis += 1_000 / DUMPS;
                results.see(
                        dump,
                        found,
                        name -> Optional.ofNullable(pools.get(name))
                                .filter(WatchedPool::hasMoved)
                                .isPresent());
                DumpedScene scene = new DumpedScene(
                        dump, found, results, ProcessHandle.current().pid(), false);
                found.forEach(pool -> {
                    WatchedPool watched =
                            pools.computeIfAbsent(pool.name(), name -> new WatchedPool(pool, NOBODY, Optional.empty()));
                    watched.see(pool, dump, results, millis * 1_000_000);
                    watched.in(scene);
                });
            }
            Map<String, Integer> busy = WatchedPool.busy(pools.values());
            pools.values().forEach(pool -> close(pool, times, busy));
        }
    }

    private void close(WatchedPool pool, ThreadTimes times, Map<String, Integer> busy) {
        Map<Long, ThreadTimes> all =
                pool.threads().stream().collect(Collectors.toMap(thread -> thread, thread -> times));
        if (movesOnlyOne) {
            all.keySet().stream().skip(1).forEach(thread -> all.put(thread, ThreadTimes.NONE));
        }
        pool.close(
                ProcessWindow.unknown(2),
                all,
                Set.of(),
                List.of(),
                busy,
                Instant.EPOCH.plusMillis(millis),
                millis * 1_000_000,
                Optional.empty());
    }

    private List<Finding> findings(String pool) {
        return pools.get(pool).findings();
    }
}
