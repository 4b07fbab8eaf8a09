package io.lifeguard.pool.diagnosis.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.os.LiveThreads;
import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.Gate;
import io.reactivex.rxjava3.internal.schedulers.NonBlockingThread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Selector;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Threads that their library marks as those on which nothing may wait. */
class SeenThreadsTest {

    private final SeenThreads threads = new SeenThreads();

    @AutoClose
    private final Fixture fixture = new Fixture();

    private boolean areSuspectAfterThreeLooks() {
        for (int i = 0; i < 3; i++) {
            threads.look(LiveThreads.topmostGroup());
        }
        return threads.areSuspect(true);
    }

    @Test
    void look_markedThreadWaits_isSuspect_andAnIdleOneIsNot() throws Exception {
        Thread[] worker = new Thread[1];
        Gate gate = fixture.gate();
        ScheduledExecutorService scheduler = fixture.closing(Executors.newSingleThreadScheduledExecutor(task -> {
            worker[0] = new NonBlockingThread.Marked(task);
            return worker[0];
        }));
        fixture.get(scheduler.submit(() -> {}));
        fixture.eventually("it is idle", () -> LockSupport.getBlocker(worker[0]) instanceof Condition);
        assertThat(areSuspectAfterThreeLooks()).isFalse();

        scheduler.execute(gate::passUninterruptibly);
        fixture.eventually(
                "it waits",
                () -> !(LockSupport.getBlocker(worker[0]) instanceof Condition)
                        && worker[0].getState() == Thread.State.WAITING);
        assertThat(areSuspectAfterThreeLooks()).isTrue();
        gate.open();
    }

    /** Reactor Netty marks its event loops. One that has nothing to do polls, and must not start the monitor. */
    @Test
    void look_markedEventLoopPolls_isNotSuspect() throws Exception {
        try (Selector selector = Selector.open()) {
            Thread loop = new NonBlockingThread.Marked(() -> select(selector));
            loop.start();
            fixture.eventually("it polls", () -> {
                StackTraceElement[] stack = loop.getStackTrace();
                return stack.length > 0 && stack[0].isNativeMethod();
            });
            assertThat(areSuspectAfterThreeLooks()).isFalse();
            selector.wakeup();
            loop.join();
        }
    }

    private static void select(Selector selector) {
        try {
            selector.select();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
