package io.lifeguard.pool.diagnosis.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.rules.EventLoopBlocked;
import io.lifeguard.pool.diagnosis.window.EventLoopLooks;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.Gate;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Real event loops are found, with what their handlers wait for. Waiting for events does not count. */
class EventLoopsTest {

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Rule rule = new EventLoopBlocked();
    private final Map<String, EventLoopLooks> latest = new HashMap<>();

    @AutoClose
    private final Fixture fixture = new Fixture();

    @AfterEach
    void endTheLoop() throws InterruptedException {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS)
                .await(fixture.patience().toMillis());
    }

    private static String nameOf(EventLoop loop) {
        return CompletableFuture.supplyAsync(() -> Thread.currentThread().getName(), loop)
                .join();
    }

    private void round(EventLoops loops) {
        loops.round();
        loops.watches().forEach(watch -> {
            PoolWindow window = watch.advance(Instant.EPOCH).build();
            latest.put(window.pool(), window.eventLoop().orElseThrow());
        });
    }

    private EventLoopLooks rounds(EventLoops loops, String name) {
        fixture.eventually("the loop is found", () -> {
            round(loops);
            return latest.containsKey(name) && latest.get(name).looks() >= 4;
        });
        return latest.get(name);
    }

    private void awaitNotHeld(EventLoops loops, String name) {
        fixture.eventually("looks at a loop that waits for events", () -> {
            round(loops);
            return latest.get(name).looks() >= 8 && latest.get(name).held() == 0;
        });
    }

    @Test
    void round_handlerBlocks_isSeenWithItsStack() {
        EventLoop loop = group.next();
        String name = nameOf(loop);
        Gate gate = fixture.gate();
        loop.execute(gate::passUninterruptibly);
        EventLoops loops = new EventLoops();
        EventLoopLooks looks = rounds(loops, name);
        fixture.eventually("the handler is seen waiting", () -> {
            round(loops);
            return latest.get(name).held() >= 3;
        });
        assertThat(loops.isSuspected()).isTrue();
        assertThat(latest.get(name).stack())
                .anyMatch(frame -> frame.getClassName().contains("EventLoopsTest"));
        assertThat(latest.get(name).stack()).noneMatch(EventLoopWatch::isNettysLoop);
        gate.open();
        assertThat(looks.looks()).isPositive();
    }

    @Test
    void round_loopStartsLater_isFoundInTheNextTwoRounds() {
        EventLoops loops = new EventLoops();
        for (int i = 0; i < 20; i++) {
            loops.round(); // all other threads have been looked at
        }
        String name = nameOf(group.next());
        loops.round();
        loops.round();
        assertThat(loops.watches()).anyMatch(watch -> watch.name().equals(name));
    }

    @Test
    void name_threadWithoutName_hasOne() {
        assertThat(new EventLoopWatch(new Thread("")).name()).startsWith("event loop ");
        assertThat(new EventLoopWatch(new Thread("loop")).name()).isEqualTo("loop");
    }

    @Test
    void round_loopWaitsForEvents_isNotHeldUp() {
        String name = nameOf(group.next());
        EventLoops loops = new EventLoops();
        rounds(loops, name);
        awaitNotHeld(loops, name); // the look that found it may have met the task that told its name
        assertThat(loops.isSuspected()).isFalse();
    }

    @Test
    void round_reactorsThread_isFoundAndSeen() {
        Scheduler scheduler = Schedulers.newSingle("single");
        try {
            CompletableFuture<String> name = new CompletableFuture<>();
            Gate gate = fixture.gate();
            scheduler.schedule(() -> name.complete(Thread.currentThread().getName()));
            EventLoops loops = new EventLoops();
            rounds(loops, name.join());
            awaitNotHeld(loops, name.join());
            scheduler.schedule(gate::passUninterruptibly);
            fixture.eventually("the task is seen waiting", () -> {
                round(loops);
                return latest.get(name.join()).held() >= 3;
            });
            gate.open();
        } finally {
            scheduler.dispose();
        }
    }

    @Test
    void removeDead_loopEnded_isForgotten() throws InterruptedException {
        String name = nameOf(group.next());
        EventLoops loops = new EventLoops();
        rounds(loops, name);
        endTheLoop();
        fixture.eventually("it is forgotten", () -> {
            loops.removeDead();
            return loops.watches().stream().noneMatch(watch -> watch.name().equals(name));
        });
    }

    /** As a user sees it: a monitor, any pool, and a handler that sleeps again and again. */
    @Test
    void monitor_handlerSleeps_findingHasTheLoopsName() {
        fixture.closing(InstrumentedThreadPoolExecutor.named("any").size(1).build())
                .prestartCoreThread(); // a pool that nobody keeps is collected, and a monitor without a pool ends
        EventLoop loop = group.next();
        String name = nameOf(loop);
        try (PoolMonitor monitor = monitorThatFinds(loop)) {
            Finding finding = monitor.findings(name).get(0);
            assertThat(finding.id()).isEqualTo("event-loop-blocked");
            assertThat(finding.summary())
                    .startsWith("event loop " + name + " sleeps at ")
                    .contains("blockingCall");
            assertThat(finding.evidence()).containsKey("stack");
            assertThat(monitor.findings()).contains(finding);
        }
    }

    /** Without a pool, event loops are not watched, so the finding must be resolved at once. */
    @Test
    void monitor_lastPoolEnds_findingOfTheLoopIsOver() {
        InstrumentedThreadPoolExecutor pool = fixture.closing(
                InstrumentedThreadPoolExecutor.named("last").size(1).build());
        pool.prestartCoreThread();
        EventLoop loop = group.next();
        String name = nameOf(loop);
        try (PoolMonitor monitor = monitorThatFinds(loop)) {
            pool.shutdown();

            fixture.eventually("it is over", () -> monitor.findings(name).isEmpty());
        }
    }

    @Test
    void monitor_ruleSwitchedOff_findingOfTheLoopIsOver() {
        assertOver(monitor -> monitor.switchOff("event-loop-blocked"));
    }

    @Test
    void monitor_ruleRemoved_findingOfTheLoopIsOver() {
        assertOver(monitor -> monitor.removeRule(rule));
    }

    private void assertOver(Consumer<PoolMonitor> change) {
        fixture.closing(InstrumentedThreadPoolExecutor.named("any").size(1).build())
                .prestartCoreThread();
        EventLoop loop = group.next();
        String name = nameOf(loop);
        AtomicBoolean resolved = new AtomicBoolean();
        FindingListener listener = new FindingListener() {
            @Override
            public void raised(Finding finding) {}

            @Override
            public void resolved(Finding finding) {
                resolved.set(true);
            }
        };
        try (PoolMonitor monitor = monitorThatFinds(loop, listener)) {
            change.accept(monitor);

            fixture.eventually("it is over", () -> monitor.findings(name).isEmpty() && resolved.get());
        }
    }

    /** The loop's handlers sleep until the monitor has found that out. */
    private PoolMonitor monitorThatFinds(EventLoop loop, FindingListener... listeners) {
        PoolMonitor.Builder builder =
                PoolMonitor.builder().window(Duration.ofMillis(50)).onlyRules(List.of(rule));
        List.of(listeners).forEach(builder::listener);
        PoolMonitor monitor = builder.build();
        try {
            fixture.eventually("the finding", () -> {
                loop.execute(EventLoopsTest::blockingCall);
                return !monitor.findings(nameOf(loop)).isEmpty();
            });
            return monitor;
        } catch (Throwable e) {
            monitor.close();
            throw e;
        }
    }

    private static void blockingCall() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
