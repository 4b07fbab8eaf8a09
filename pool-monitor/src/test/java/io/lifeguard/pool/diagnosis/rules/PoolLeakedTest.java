package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.InstrumentedScheduledThreadPoolExecutor;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.seen.Peer;
import io.lifeguard.pool.diagnosis.testing.Times;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.PoolState;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.WorkerWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A pool that does not end after shutdown, and many unused pools from one place. */
class PoolLeakedTest {

    private static Windows shutDown(long completed) {
        return Windows.of("old")
                .tasks(0, completed)
                .queued(3)
                .busy(4)
                .state(PoolState.SHUTTING_DOWN)
                .workers(new WorkerWindow(
                        "old-1", 1, true, Optional.of("Export"), Duration.ofSeconds(95), Optional.empty()));
    }

    @Test
    void examine_nothingEndsAfterShutdown_namesTheTask() {
        Finding finding =
                new PoolLeaked().examine(shutDown(0).times(30)).finding().orElseThrow();
        assertThat(finding.id()).isEqualTo("pool-leaked");
        assertThat(finding.summary())
                .isEqualTo(
                        "shut down for at least 30 s and still not terminated: 4 workers and 3 queued tasks are left,"
                                + " and no task has ended since; old-1 has been running Export for 95 s");
        assertThat(finding.advice()).contains("shutdownNow()");
    }

    @Test
    void examine_drainingOrJustShutDown_isSilent() {
        Rule rule = new PoolLeaked();
        assertThat(rule.examine(shutDown(1).times(40)).finding()).as("drains").isEmpty();
        assertThat(rule.examine(shutDown(0).times(20)).finding())
                .as("not long enough")
                .isEmpty();
        assertThat(rule.examine(Windows.of("old").times(40)).finding())
                .as("runs")
                .isEmpty();
    }

    @Test
    void examine_manyIdlePoolsOfOnePlace_isFoundOnce() {
        List<InstrumentedPool> all = pools(25, 2, 0);
        Finding finding =
                beside(all).examine(Windows.of("Api:42").build()).finding().orElseThrow();
        assertThat(finding.summary())
                .isEqualTo(
                        "25 pools were made at Api:42 and never shut down; 25 of them are idle after 2 tasks each, and"
                                + " keep 100 threads");
        assertThat(beside(all).examine(Windows.of("Api:42#2").build()).finding())
                .isEmpty();
        assertThat(beside(all).examine(Windows.of("Api:4").build()).finding())
                .as("another place")
                .isEmpty();
    }

    @Test
    void examine_poolsThatAreUsedOrFew_isSilent() {
        PoolWindow window = Windows.of("Api:42").build();
        assertThat(beside(pools(19, 2, 0)).examine(window).finding()).as("few").isEmpty();
        assertThat(beside(pools(25, 5000, 0)).examine(window).finding())
                .as("shards")
                .isEmpty();
        assertThat(beside(pools(25, 2, 1)).examine(window).finding()).as("busy").isEmpty();
    }

    /** A scheduler with a periodic task is never without a task in its queue. */
    @Test
    void examine_schedulerPerSession_isFound() {
        List<InstrumentedPool> schedulers = new ArrayList<>();
        try {
            for (int i = 0; i < 20; i++) {
                InstrumentedScheduledThreadPoolExecutor scheduler = new InstrumentedScheduledThreadPoolExecutor(1);
                scheduler.schedule(() -> {}, 1, TimeUnit.DAYS);
                schedulers.add(scheduler);
                await().until(() -> scheduler.snapshot().active() == 0); // its worker is busy until it waits
            }
            String place = schedulers.get(0).name();
            assertThat(beside(schedulers)
                            .examine(Windows.of(place).build())
                            .finding()
                            .orElseThrow()
                            .summary())
                    .startsWith("20 pools were made at " + place + " and never shut down; 20 of them are idle");
        } finally {
            schedulers.forEach(pool -> ((ExecutorService) pool).shutdownNow());
        }
    }

    /** Shards are all as old as the process; a pool per session is made again and again. */
    @Test
    void examine_poolsNamedAlike_areFoundIfSomeAreNewAndSomeOld() {
        PoolWindow first = Windows.of("session-1").build();
        List<InstrumentedPool> sessions = new ArrayList<>();
        for (int i = 1; i <= 30; i++) {
            sessions.add(aged("session-" + i, 30 - i < 5 ? 10 : 600));
        }
        assertThat(beside(sessions).examine(first).finding().orElseThrow().summary())
                .startsWith("30 pools were made at one place, named like session-1 and never shut down; 30 of them");
        assertThat(beside(sessions).examine(Windows.of("session-2").build()).finding())
                .isEmpty();
        sessions.set(29, aged("session-30", 600));
        assertThat(beside(sessions).examine(first).finding()).isEmpty();
    }

    /** In another JVM: neither tasks nor queues are known, but the workers' age and CPU time. */
    @Test
    void examine_tasksAreNotCounted_poolsThatHardlyWorkedAreFound() {
        PoolWindow first = Windows.of("pool-1").fromOutside().build();
        List<Peer> pools = new ArrayList<>();
        for (int i = 1; i <= 30; i++) {
            pools.add(unmeasured("pool-" + i, 0.001, i > 25 ? 10 : 600));
        }
        assertThat(new PoolLeaked()
                        .examine(first.toBuilder()
                                .seen(Peer.All.class, () -> pools)
                                .build())
                        .finding()
                        .orElseThrow()
                        .summary())
                .isEqualTo(
                        "30 pools have names like pool-1, and more of them are made: 30 are idle, have hardly worked,"
                                + " and keep 30 threads");
        pools.replaceAll(pool -> unmeasured(pool.name(), 60, 600));
        assertThat(new PoolLeaked()
                        .examine(first.toBuilder()
                                .seen(Peer.All.class, () -> pools)
                                .build())
                        .finding())
                .as("they work")
                .isEmpty();
        pools.replaceAll(pool -> unmeasured(pool.name(), 0.001, 600));
        assertThat(new PoolLeaked()
                        .examine(first.toBuilder()
                                .seen(Peer.All.class, () -> pools)
                                .build())
                        .finding())
                .as("no more are made")
                .isEmpty();
        assertThat(new PoolLeaked().examine(first)).isInstanceOf(Verdict.Unknown.class);
    }

    private static Peer unmeasured(String name, double worked, double idled) {
        int unknown = (int) PoolSnapshot.UNKNOWN;
        return new Peer(name, false, () -> new Peer.Use(1, 0, unknown, PoolSnapshot.UNKNOWN, worked, idled));
    }

    /** Shards do not share a name, so many pools of one name need no age. */
    @Test
    void examine_poolsOfOneNameOfTheirOwn_areFoundAtOnce() {
        List<InstrumentedPool> requests = new ArrayList<>();
        requests.add(aged("request", 1));
        for (int i = 2; i <= 20; i++) {
            requests.add(aged("request#" + i, 1));
        }
        Rule rule = beside(requests);
        assertThat(rule.examine(Windows.of("request").build())
                        .finding()
                        .orElseThrow()
                        .summary())
                .startsWith("20 pools were made at one place, named like request and never shut down; 20 of them");
        assertThat(rule.examine(Windows.of("request#2").build()).finding()).isEmpty();
    }

    /** By the agent tasks are counted, but where a pool was made is unknown. */
    @Test
    void examine_watchedPoolsOfOneName_areFoundWithoutAPlace() {
        List<Peer> pools = new ArrayList<>();
        for (int i = 1; i <= 20; i++) {
            pools.add(new Peer(i == 1 ? "job" : "job#" + i, true, () -> new Peer.Use(1, 0, 1, 3, 0, 5)));
        }
        assertThat(new PoolLeaked()
                        .examine(Windows.of("job").fromOutside().build().toBuilder()
                                .seen(Peer.All.class, () -> pools)
                                .build())
                        .finding()
                        .orElseThrow()
                        .summary())
                .isEqualTo("20 pools have names like job: 20 are idle, have hardly worked, and keep 20 threads");
    }

    /** The rule, with windows of a process that has these pools. */
    private static Rule beside(List<InstrumentedPool> live) {
        return window -> new PoolLeaked()
                .examine(window.toBuilder()
                        .seen(Peer.All.class, () -> live.stream().map(Peer::of).toList())
                        .build());
    }

    private static InstrumentedPool aged(String name, long seconds) {
        PoolSnapshot like = Windows.of(name).busy(0).build().after();
        PoolSnapshot.Times times = like.times();
        PoolSnapshot aged = like.toBuilder()
                .load(new PoolSnapshot.Load(1, 0, 0, Duration.ZERO))
                .counts(new PoolSnapshot.Counts(2, 2, 0, 0, 0, 0))
                .times(new PoolSnapshot.Times(
                        times.queueWait(),
                        Times.exponential(2, 0.1),
                        times.cpuTime(),
                        times.blockedSubmit(),
                        times.callerRunTime(),
                        Duration.ofSeconds(seconds)))
                .build();
        return new InstrumentedPool() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public PoolSnapshot snapshot() {
                return aged;
            }
        };
    }

    private static List<InstrumentedPool> pools(int count, long tasks, int active) {
        List<InstrumentedPool> pools = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            String name = i == 1 ? "Api:42" : "Api:42#" + i;
            long ran = tasks;
            pools.add(new InstrumentedPool() {
                @Override
                public String name() {
                    return name;
                }

                @Override
                public PoolSnapshot snapshot() {
                    PoolSnapshot like = Windows.of(name).busy(active).build().after();
                    return like.toBuilder()
                            .load(new PoolSnapshot.Load(like.size(), active, 0, Duration.ZERO))
                            .counts(new PoolSnapshot.Counts(ran, ran, 0, 0, 0, 0))
                            .build();
                }
            });
        }
        return pools;
    }
}
