package io.lifeguard.pool.diagnosis.evidence.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.seen.EventLoopLooks;
import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Doing;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a loop's stacks mean, look after look, each 100 ms after the last one. */
class EventLoopWatchTest {

    private static final long STEP = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long GROWN_UP = TimeUnit.SECONDS.toNanos(6);

    private static final List<StackTraceElement> NETTY = List.of(
            frame("io.netty.channel.nio.NioIoHandler.processSelectedKeys"),
            frame("io.netty.channel.SingleThreadIoEventLoop.run"),
            frame("io.netty.util.concurrent.SingleThreadEventExecutor$5.run"),
            frame("com.example.OwnThreads.run"),
            frame("java.lang.Thread.run"));

    private final EventLoopWatch watch = new EventLoopWatch(new Thread("loop-1"), 0, false);
    private long now;
    private long cpu;
    private long user;

    private static StackTraceElement frame(String call) {
        int dot = call.lastIndexOf('.');
        return new StackTraceElement(call.substring(0, dot), call.substring(dot + 1), "File.java", 7);
    }

    /** Frames, top first, above those of a loop of Netty. */
    private static List<StackTraceElement> stack(String... calls) {
        List<StackTraceElement> stack = new ArrayList<>();
        for (String call : calls) {
            stack.add(frame(call));
        }
        stack.addAll(NETTY);
        return stack;
    }

    private void look(Thread.State state, List<StackTraceElement> stack) {
        now += STEP;
        watch.look(new LoopLook(now, state, stack, "", Optional.empty(), cpu, user));
    }

    private void sleeps(String... above) {
        List<StackTraceElement> stack = stack("java.lang.Thread.sleep", "com.example.Api.handle");
        List<StackTraceElement> all = new ArrayList<>();
        for (String call : above) {
            all.add(frame(call));
        }
        all.addAll(stack);
        look(Thread.State.TIMED_WAITING, all);
    }

    private void waitsForEvents() {
        look(Thread.State.RUNNABLE, stack("sun.nio.ch.EPoll.wait", "sun.nio.ch.SelectorImpl.select"));
    }

    /** Computes since the last look, with some share of that time in the system. */
    private void computes(double ofWallTime, double inSystem, String handler) {
        cpu += (long) (ofWallTime * STEP);
        user += (long) ((1 - inSystem) * ofWallTime * STEP);
        look(Thread.State.RUNNABLE, stack("com.example.Json.write", handler));
    }

    private EventLoopLooks.Loop loop() {
        return watch.loop();
    }

    @Test
    void loop_handlerSleepsNowAndThen_countsThoseLooks() {
        now = GROWN_UP;
        for (int i = 0; i < 5; i++) {
            sleeps();
            waitsForEvents();
        }
        assertThat(loop().looks()).isEqualTo(10);
        assertThat(loop().held()).isEqualTo(5);
        EventLoopLooks.Hold hold = loop().hold().orElseThrow();
        assertThat(hold.doing()).isEqualTo(Doing.SLEEPING);
        assertThat(hold.place()).startsWith("com.example.Api.handle");
        assertThat(hold.stack()).noneMatch(frame -> frame.getClassName().contains("OwnThreads"));
    }

    @Test
    void part_handlerIsALambdaThatCallsAMethod_isThatMethod() {
        List<StackTraceElement> stack =
                stack("com.example.Text.join", "com.example.Json.write", "com.example.Api.lambda$new$0");
        LoopLook look = new LoopLook(0, Thread.State.RUNNABLE, stack, "", Optional.empty(), 0, 0);
        assertThat(LoopMoment.of(look, false).part()).isEqualTo("com.example.Json.write");
    }

    @Test
    void part_handlerIsALambdaOnly_isTheLambda() {
        LoopLook look = new LoopLook(
                0, Thread.State.RUNNABLE, stack("com.example.Api.lambda$new$0"), "", Optional.empty(), 0, 0);
        assertThat(LoopMoment.of(look, false).part()).isEqualTo("com.example.Api.lambda$new$0");
    }

    @Test
    void loop_longAfterTheLastHold_isForgottenWithin2Seconds() {
        now = GROWN_UP;
        for (int i = 0; i < 40; i++) {
            sleeps();
        }
        for (int i = 0; i < 21; i++) {
            waitsForEvents();
        }
        assertThat(loop().held()).isZero();
        assertThat(watch.isSuspect()).isFalse();
    }

    @Test
    void loop_frameworkWritesToASocket_isNotHeld() {
        now = GROWN_UP;
        for (int i = 0; i < 10; i++) {
            StackTraceElement write = new StackTraceElement("sun.nio.ch.SocketDispatcher", "write0", null, -2);
            List<StackTraceElement> stack = new ArrayList<>(List.of(write));
            stack.addAll(stack("io.netty.channel.socket.nio.NioSocketChannel.doWrite", "com.example.Api.handle"));
            look(Thread.State.RUNNABLE, stack);
        }
        assertThat(loop().held()).isZero();
    }

    @Test
    void loop_blockingReadOfAUser_isHeld() {
        now = GROWN_UP;
        for (int i = 0; i < 10; i++) {
            StackTraceElement read = new StackTraceElement("sun.nio.ch.Net", "poll", null, -2);
            List<StackTraceElement> stack = new ArrayList<>(List.of(read));
            stack.addAll(stack("com.example.Api.handle"));
            look(Thread.State.RUNNABLE, stack);
        }
        assertThat(loop().held()).isEqualTo(10);
        assertThat(loop().hold().orElseThrow().doing()).isEqualTo(Doing.WAITING_OUTSIDE);
    }

    /** One look met a lock at a line where the handler mostly sleeps. */
    @Test
    void loop_onceAtALockWhereItSleeps_namesNoLock() {
        now = GROWN_UP;
        for (int i = 0; i < 5; i++) {
            sleeps();
        }
        now += STEP;
        Awaited.Lock lock = new Awaited.Lock("com.example.Api@1", true, Optional.of("other"), List.of(), 0);
        watch.look(new LoopLook(
                now, Thread.State.BLOCKED, stack("com.example.Api.handle"), "", Optional.of(lock), cpu, user));
        EventLoopLooks.Hold hold = loop().hold().orElseThrow();
        assertThat(hold.doing()).isEqualTo(Doing.SLEEPING);
        assertThat(hold.lock()).isEmpty();
    }

    // ---- handlers that compute ----

    @Test
    void loop_oneHandlerComputesForLong_isHeld() {
        now = GROWN_UP;
        for (int i = 0; i < 20; i++) {
            computes(1, 0.001, "com.example.Api.report");
        }
        assertThat(loop().held()).isEqualTo(20);
        EventLoopLooks.Hold hold = loop().hold().orElseThrow();
        assertThat(hold.doing()).isEqualTo(Doing.COMPUTING);
        assertThat(hold.place()).startsWith("com.example.Json.write");
        assertThat(hold.longest()).hasMillis(1_900);
    }

    /** Five looks in the handler, then five without: 400 ms at a time. */
    @Test
    void loop_handlerComputesAgainAndAgain_isHeldInItsRuns() {
        now = GROWN_UP;
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 5; j++) {
                computes(1, 0.001, "com.example.Api.report");
            }
            for (int j = 0; j < 5; j++) {
                waitsForEvents();
            }
        }
        assertThat(loop().held()).isEqualTo(10);
        assertThat(loop().hold().orElseThrow().longest()).hasMillis(400);
    }

    /** The closest healthy workload: it reads and writes for each event, which is work of the system's. */
    @Test
    void loop_manyShortHandlersKeepItBusy_isNotHeld() {
        now = GROWN_UP;
        for (int i = 0; i < 30; i++) {
            computes(1, 0.03, "com.example.Api.report");
        }
        assertThat(loop().held()).isZero();
    }

    /** It never waits for events, but is seen between its handlers. */
    @Test
    void loop_busyLoopSeenBetweenItsHandlers_isNotHeld() {
        now = GROWN_UP;
        for (int i = 0; i < 5; i++) {
            for (int j = 0; j < 5; j++) {
                computes(1, 0.001, "com.example.Api.report");
            }
            cpu += STEP;
            user += STEP;
            waitsForEvents();
        }
        assertThat(loop().held()).isZero();
    }

    @Test
    void loop_computesWithPauses_isNotHeld() {
        now = GROWN_UP;
        for (int i = 0; i < 30; i++) {
            computes(0.7, 0.001, "com.example.Api.report");
        }
        assertThat(loop().held()).isZero();
    }

    @Test
    void loop_otherHandlerAtEachLook_isNotHeld() {
        now = GROWN_UP;
        for (int i = 0; i < 30; i++) {
            computes(1, 0.001, "com.example.Api.handler" + i);
        }
        assertThat(loop().held()).isZero();
    }

    @Test
    void loop_cpuTimeUnknown_isNotHeld() {
        now = GROWN_UP;
        for (int i = 0; i < 30; i++) {
            cpu = -1;
            user = -1;
            look(Thread.State.RUNNABLE, stack("com.example.Api.report"));
        }
        assertThat(loop().held()).isZero();
        assertThat(watch.isSuspect()).isFalse();
    }

    /** Reactor's parallel scheduler and Pekko's dispatcher are meant for computations. */
    @Test
    void loop_workerOfASchedulerComputes_isNotHeld() {
        now = GROWN_UP;
        for (int i = 0; i < 20; i++) {
            cpu += STEP;
            user += STEP;
            look(Thread.State.RUNNABLE, worker("com.example.Json.write"));
        }
        assertThat(loop().held()).isZero();
        assertThat(watch.isSuspect()).isFalse();
    }

    @Test
    void loop_workerOfASchedulerSleeps_isHeld() {
        now = GROWN_UP;
        for (int i = 0; i < 20; i++) {
            look(Thread.State.TIMED_WAITING, worker("java.lang.Thread.sleep"));
        }
        assertThat(loop().held()).isEqualTo(20);
    }

    private static List<StackTraceElement> worker(String top) {
        return List.of(
                frame(top),
                frame("com.example.Api.handle"),
                frame("reactor.core.scheduler.WorkerTask.call"),
                frame("java.util.concurrent.ThreadPoolExecutor.runWorker"),
                frame("java.lang.Thread.run"));
    }

    // ---- young loops ----

    @Test
    void loop_youngAndLoadsClasses_isNotHeld() {
        for (int i = 0; i < 40; i++) {
            sleeps("java.lang.ClassLoader.loadClass");
        }
        assertThat(loop().held()).isZero();
        for (int i = 0; i < 40; i++) {
            sleeps("java.lang.ClassLoader.loadClass");
        }
        assertThat(loop().held()).as("it is old enough").isGreaterThan(20);
    }

    @Test
    void loop_youngAndHeldHereAndThere_isNotHeldUntilItIsOlder() {
        for (int i = 0; i < 45; i++) {
            look(Thread.State.TIMED_WAITING, stack("java.lang.Thread.sleep", "com.example.Start.step" + i % 5));
        }
        assertThat(loop().held()).isZero();
        for (int i = 0; i < 10; i++) {
            look(Thread.State.TIMED_WAITING, stack("java.lang.Thread.sleep", "com.example.Start.step" + i % 5));
        }
        assertThat(loop().held()).isGreaterThan(20);
    }

    @Test
    void loop_youngAndHeldAtOneLineForLong_isHeld() {
        for (int i = 0; i < 15; i++) {
            sleeps();
        }
        assertThat(loop().held()).isZero();
        sleeps();
        assertThat(loop().held()).isEqualTo(16);
    }

    // ---- which threads are loops ----

    @Test
    void isLoop_framesOfTheFrameworks() {
        assertThat(List.of(
                        "io.netty.channel.nio.NioEventLoop.run",
                        "io.netty.channel.SingleThreadIoEventLoop.run",
                        "io.netty.channel.ManualIoEventLoop.run",
                        "io.netty.channel.ManualIoEventLoop.runNow",
                        "io.grpc.netty.shaded.io.netty.channel.epoll.EpollEventLoop.run",
                        "org.xnio.nio.WorkerThread.run"))
                .allMatch(call -> EventLoopFrames.isLoop(frame(call)));
        assertThat(List.of(
                        "io.netty.channel.ThreadPerChannelEventLoop.run",
                        "io.netty.util.concurrent.DefaultEventExecutor.run",
                        "io.netty.channel.nio.NioEventLoop.select",
                        "org.jboss.threads.EnhancedQueueExecutor$ThreadBody.run"))
                .noneMatch(call -> EventLoopFrames.isLoop(frame(call)));
    }

    @Test
    void aboveLoop_workerOfReactorOrPekko_endsAtThePool() {
        for (String pool : List.of("ThreadPoolExecutor", "ForkJoinPool")) {
            List<StackTraceElement> stack = List.of(
                    frame("com.example.Api.handle"),
                    frame("java.util.concurrent." + pool + ".runWorker"),
                    frame("java.lang.Thread.run"));
            assertThat(EventLoopFrames.aboveLoop(stack)).containsExactly(stack.get(0));
        }
        List<StackTraceElement> cut = Collections.nCopies(64, frame("com.example.Api.handle"));
        assertThat(EventLoopFrames.aboveLoop(cut))
                .as("the loop's frame was not taken")
                .isEqualTo(cut);
    }

    @Test
    void hasHandler_frameworksAlone_haveNone() {
        assertThat(EventLoopFrames.hasHandler(EventLoopFrames.aboveLoop(NETTY))).isFalse();
        assertThat(EventLoopFrames.hasHandler(List.of(
                        frame("java.util.concurrent.locks.LockSupport.park"),
                        frame("org.apache.pekko.dispatch.Mailbox.run"))))
                .isFalse();
        assertThat(EventLoopFrames.hasHandler(List.of(frame("org.postgresql.core.VisibleBufferedInputStream.read"))))
                .as("a driver blocks as well")
                .isTrue();
        assertThat(EventLoopFrames.hasHandler(List.of(frame("io.netty.resolver.DefaultNameResolver.doResolve"))))
                .as("the JDK's resolver waits for the network")
                .isTrue();
    }

    @Test
    void nameOf_numberAtTheEnd_isLeftOut() {
        assertThat(EventLoopGroup.nameOf("reactor-http-epoll-3")).isEqualTo("reactor-http-epoll");
        assertThat(EventLoopGroup.nameOf("XNIO-1 I/O-12")).isEqualTo("XNIO-1 I/O");
        assertThat(EventLoopGroup.nameOf("loop")).isEqualTo("loop");
        assertThat(EventLoopGroup.nameOf("17")).isEqualTo("17");
    }
}
