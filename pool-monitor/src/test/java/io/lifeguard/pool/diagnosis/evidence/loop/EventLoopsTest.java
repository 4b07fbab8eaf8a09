package io.lifeguard.pool.diagnosis.evidence.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.rules.EventLoopBlocked;
import io.lifeguard.pool.diagnosis.seen.EventLoopLooks;
import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.recording.LiveSink;
import io.lifeguard.pool.recording.Observation.WorkerSample;
import io.lifeguard.pool.recording.Recorder;
import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.Gate;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.reactivex.rxjava3.internal.schedulers.NonBlockingThread;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Real event loops are found, with what their handlers wait for. Waiting for events does not count. */
class EventLoopsTest {

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Rule rule = new EventLoopBlocked();
    private final AtomicLong clock = new AtomicLong();
    private final Recorder recorder = new Recorder(LiveSink.NONE);
    private final Map<String, EventLoopLooks.Loop> latest = new HashMap<>();

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
        clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
        loops.groups().forEach(group -> {
            PoolWindow window = group.advance(Instant.EPOCH).build();
            window.seen(EventLoopLooks.class).orElseThrow().loops().forEach(loop -> latest.put(loop.thread(), loop));
        });
    }

    private EventLoopLooks.Loop rounds(EventLoops loops, String name) {
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
    @Tag("slow")
    @EnabledOnOs(OS.LINUX)
    void round_manyShortTasks_tellsHowFullTheLoopIsAndOfWhat() {
        EventLoop loop = group.next();
        String name = nameOf(loop);
        AtomicBoolean ended = new AtomicBoolean();
        loop.execute(new ShortTask(loop, ended));
        EventLoops loops = new EventLoops(System::nanoTime, recorder);
        try {
            fixture.eventually("what fills the loop", () -> {
                round(loops);
                Optional<EventLoopLooks.Fill> fill =
                        Optional.ofNullable(latest.get(name)).flatMap(EventLoopLooks.Loop::fill);
                return fill.isPresent()
                        && fill.get().waits().isPresent()
                        && fill.get().parts().keySet().stream().anyMatch(part -> part.contains("ShortTask"));
            });
        } finally {
            ended.set(true);
        }
        assertThat(latest.get(name).fill().orElseThrow().busy()).isPositive();
    }

    /** Computes for a moment, and lets the loop run it again, between its other tasks. */
    private record ShortTask(EventLoop loop, AtomicBoolean ended) implements Runnable {
        @Override
        public void run() {
            long text = 0;
            for (int i = 0; i < 200_000; i++) {
                text += Integer.toString(i).hashCode();
            }
            if (text != 0 && !ended.get()) {
                loop.execute(this);
            }
        }
    }

    @Test
    void round_handlerBlocks_isSeenWithItsStack() {
        EventLoop loop = group.next();
        String name = nameOf(loop);
        Gate gate = fixture.gate();
        loop.execute(gate::passUninterruptibly);
        EventLoops loops = new EventLoops(clock::get, recorder);
        rounds(loops, name);
        fixture.eventually("the handler is seen waiting", () -> {
            round(loops);
            return latest.get(name).held() >= 3;
        });
        assertThat(loops.isSuspected()).isTrue();
        EventLoopLooks.Hold hold = latest.get(name).hold().orElseThrow();
        assertThat(hold.stack()).noneMatch(EventLoopFrames::isLoop);
        assertThat(hold.place()).contains("Gate");
        assertThat(samples(name))
                .anySatisfy(sample -> {
                    assertThat(sample.doing()).isEqualTo(hold.doing());
                    assertThat(sample.place()).isEqualTo(hold.place());
                })
                .allSatisfy(sample -> assertThat(sample.pool()).isEqualTo(nameOfGroup(name)));
        gate.open();
    }

    @Test
    void round_loopThatDoesTheSameForLong_isRecordedAgainBeforeTheSampleEnds() {
        String name = nameOf(group.next());
        EventLoops loops = new EventLoops(clock::get, recorder);
        rounds(loops, name);
        awaitNotHeld(loops, name);
        for (int i = 0; i < 40; i++) {
            round(loops);
        }

        long[] moments = samples(name).stream()
                .filter(sample -> sample.doing() == Doing.IDLE)
                .mapToLong(WorkerSample::startNanos)
                .toArray();
        assertThat(moments).hasSizeBetween(8, 30);
        for (int i = 1; i < moments.length; i++) {
            assertThat(moments[i] - moments[i - 1]).isLessThan(WorkerSample.HOLDS_NANOS);
        }
    }

    private List<WorkerSample> samples(String loop) {
        return recorder.observations().stream()
                .filter(WorkerSample.class::isInstance)
                .map(WorkerSample.class::cast)
                .filter(sample -> sample.thread().equals(loop))
                .toList();
    }

    @Test
    void round_loopStartsLater_isFoundInTheNextTwoRounds() {
        EventLoops loops = new EventLoops(clock::get, recorder);
        for (int i = 0; i < 20; i++) {
            loops.round(); // all other threads have been looked at
        }
        String name = nameOf(group.next());
        loops.round();
        loops.round();
        assertThat(loops.groups()).anyMatch(group -> group.name().equals(nameOfGroup(name)));
    }

    /** An executor that is given to Netty runs its loops, one task each. */
    @Test
    void round_loopRunsOnAWorkerOfAnInstrumentedPool_isFoundBesideThePool() throws InterruptedException {
        ExecutorService pool = fixture.closing(InstrumentedExecutors.newFixedThreadPool("loops-on-a-pool", 2));
        Gate task = fixture.gate();
        pool.execute(task::passUninterruptibly);
        EventLoopGroup onPool = new MultiThreadIoEventLoopGroup(1, pool, NioIoHandler.newFactory());
        try {
            String name = nameOf(onPool.next());
            Gate gate = fixture.gate();
            onPool.next().execute(gate::passUninterruptibly);
            EventLoops loops = new EventLoops(clock::get, recorder);
            fixture.eventually("the handler is seen waiting", () -> {
                round(loops);
                return latest.containsKey(name) && latest.get(name).held() >= 3;
            });
            assertThat(loops.groups())
                    .filteredOn(group -> group.name().startsWith("loops-on-a-pool"))
                    .singleElement()
                    .satisfies(group -> assertThat(group.name()).isEqualTo("loops-on-a-pool threads"))
                    .satisfies(group ->
                            assertThat(group.loops()).as("not the other worker").hasSize(1));
            gate.open();
        } finally {
            onPool.shutdownGracefully(0, 1, TimeUnit.SECONDS)
                    .await(fixture.patience().toMillis());
            task.open();
        }
    }

    @Test
    void name_threadWithoutName_hasOne() {
        assertThat(new EventLoopWatch(new Thread(""), 0, true).name()).startsWith("event loop ");
        assertThat(new EventLoopWatch(new Thread("loop"), 0, true).name()).isEqualTo("loop");
    }

    @Test
    void round_loopWaitsForEvents_isNotHeldUp() {
        String name = nameOf(group.next());
        EventLoops loops = new EventLoops(clock::get, recorder);
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
            EventLoops loops = new EventLoops(clock::get, recorder);
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
    void round_rxJavasThread_isFoundAndSeen() throws Exception {
        Gate gate = fixture.gate();
        ExecutorService scheduler = fixture.closing(Executors.newScheduledThreadPool(1, NonBlockingThread.Marked::new));
        fixture.get(scheduler.submit(() -> {}));
        EventLoops loops = new EventLoops(clock::get, recorder);
        rounds(loops, "RxComputationThreadPool-1");
        awaitNotHeld(loops, "RxComputationThreadPool-1");
        scheduler.execute(gate::passUninterruptibly);
        fixture.eventually("the task is seen waiting", () -> {
            round(loops);
            return latest.get("RxComputationThreadPool-1").held() >= 3;
        });
        gate.open();
    }

    @Test
    void removeDead_loopEnded_isForgotten() throws InterruptedException {
        String name = nameOf(group.next());
        EventLoops loops = new EventLoops(clock::get, recorder);
        rounds(loops, name);
        endTheLoop();
        fixture.eventually("it is forgotten", () -> {
            loops.removeDead();
            return loops.groups().stream().noneMatch(group -> group.name().equals(nameOfGroup(name)));
        });
    }

    /** The handler is called below 150 frames, and waits in 80 frames of the JDK. */
    @Test
    void round_handlerIsDeep_isSeenAtItsLine() {
        EventLoop loop = group.next();
        String name = nameOf(loop);
        CompletableFuture<Integer> never = new CompletableFuture<>();
        loop.execute(() -> below(150, () -> waitAbove(80, never)));
        EventLoops loops = new EventLoops(clock::get, recorder);
        rounds(loops, name);
        fixture.eventually("the handler is seen waiting", () -> {
            round(loops);
            return latest.get(name).held() >= 3;
        });
        never.complete(1);
        assertThat(latest.get(name).hold().orElseThrow().place()).contains("waitAbove");
    }

    private static void below(int frames, Runnable handler) {
        if (frames == 0) {
            handler.run();
        } else {
            below(frames - 1, handler);
        }
    }

    /** Each {@code thenComparing} is a frame of the JDK's above the handler's. */
    private static void waitAbove(int frames, CompletableFuture<Integer> awaited) {
        Comparator<CompletableFuture<Integer>> deep = Comparator.comparing(CompletableFuture::join);
        for (int i = 0; i < frames; i++) {
            deep = deep.thenComparing((one, other) -> 0);
        }
        deep.compare(awaited, awaited);
    }

    @Test
    void round_twoLoopsWaitForALock_lockAndHolderAreNamed() {
        EventLoopGroup two = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
        Object lock = new Object();
        try {
            String name = nameOf(two.next());
            String other = nameOf(two.next());
            EventLoops loops = new EventLoops(clock::get, recorder);
            synchronized (lock) {
                two.forEach(loop -> loop.execute(() -> {
                    synchronized (lock) {
                        lock.notifyAll();
                    }
                }));
                fixture.eventually("both loops are seen waiting", () -> {
                    round(loops);
                    return List.of(name, other).stream()
                            .allMatch(each ->
                                    latest.containsKey(each) && latest.get(each).held() >= 8);
                });
                Awaited.Lock seen =
                        latest.get(other).hold().orElseThrow().lock().orElseThrow();
                assertThat(seen.owner()).contains(Thread.currentThread().getName());
                assertThat(seen.ownerStack())
                        .anyMatch(frame -> frame.getMethodName().contains("twoLoopsWaitForALock"));
                String summary = loops.groups().stream()
                        .filter(group -> group.name().equals(nameOfGroup(name)))
                        .map(group -> rule.examine(group.advance(Instant.EPOCH).build())
                                .finding()
                                .orElseThrow()
                                .summary())
                        .findFirst()
                        .orElseThrow();
                assertThat(summary)
                        .startsWith(
                                "2 of 2 event loops of " + nameOfGroup(name) + " wait for the lock java.lang.Object@")
                        .contains("held by " + Thread.currentThread().getName() + " at ");
            }
        } finally {
            two.shutdownGracefully(0, 1, TimeUnit.SECONDS)
                    .awaitUninterruptibly(fixture.patience().toMillis());
        }
    }

    private static String nameOfGroup(String thread) {
        return io.lifeguard.pool.diagnosis.evidence.loop.EventLoopGroup.nameOf(thread);
    }

    /** As a user sees it: a monitor, no pool at all, and a handler that sleeps again and again. */
    @Test
    void monitor_handlerSleeps_findingNamesTheLoop() {
        EventLoop loop = group.next();
        String name = nameOf(loop);
        try (PoolMonitor monitor = monitorThatFinds(loop)) {
            Finding finding = monitor.findings(nameOfGroup(name)).get(0);
            assertThat(finding.id()).isEqualTo("event-loop-blocked");
            assertThat(finding.summary())
                    .startsWith("event loop " + name + " sleeps at ")
                    .contains("blockingCall");
            assertThat(finding.evidence()).containsKey("stack");
            assertThat(monitor.findings()).contains(finding);
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
        EventLoop loop = group.next();
        String name = nameOf(loop);
        AtomicBoolean ended = new AtomicBoolean();
        FindingListener listener = new FindingListener() {
            @Override
            public void raised(Finding finding) {}

            @Override
            public void ended(Finding finding, String why) {
                ended.set(true);
            }
        };
        try (PoolMonitor monitor = monitorThatFinds(loop, listener)) {
            change.accept(monitor);

            fixture.eventually(
                    "it is over", () -> monitor.findings(nameOfGroup(name)).isEmpty() && ended.get());
        }
    }

    /** The loop's handlers sleep until the monitor has found that out. */
    private PoolMonitor monitorThatFinds(EventLoop loop, FindingListener... listeners) {
        String name = nameOf(loop);
        PoolMonitor.Builder builder =
                PoolMonitor.builder().window(Duration.ofMillis(50)).onlyRules(List.of(rule));
        List.of(listeners).forEach(builder::listener);
        PoolMonitor monitor = builder.build();
        try {
            loop.execute(new Runnable() {
                @Override
                public void run() {
                    blockingCall();
                    if (!loop.isShuttingDown()) {
                        loop.execute(this);
                    }
                }
            });
            fixture.eventually(
                    "the finding", () -> !monitor.findings(nameOfGroup(name)).isEmpty());
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
