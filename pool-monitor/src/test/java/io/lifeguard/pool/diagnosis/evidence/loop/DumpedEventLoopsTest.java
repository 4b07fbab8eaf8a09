package io.lifeguard.pool.diagnosis.evidence.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.evidence.loop.DumpedEventLoops.Loop;
import io.lifeguard.pool.diagnosis.seen.EventLoopLooks;
import io.lifeguard.pool.diagnosis.window.Doing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What the event loops in some thread dumps did, each 100 ms after the last one. */
class DumpedEventLoopsTest {

    private static final long STEP = TimeUnit.MILLISECONDS.toNanos(100);

    private final DumpedEventLoops loops = new DumpedEventLoops();
    private long now;

    private static StackTraceElement frame(String type, String method) {
        return new StackTraceElement(type, method, "File.java", 7);
    }

    private static Loop loop(int number, Thread.State state, StackTraceElement... above) {
        List<StackTraceElement> stack = new ArrayList<>(List.of(above));
        stack.add(frame("io.netty.channel.SingleThreadIoEventLoop", "run"));
        return new Loop("loop-" + number, number, state, stack, "", Optional.empty());
    }

    private static Loop sleeping(int number) {
        return loop(
                number,
                Thread.State.TIMED_WAITING,
                frame("java.lang.Thread", "sleep"),
                frame("com.example.Api", "handle"));
    }

    private static Loop selecting(int number) {
        return loop(number, Thread.State.RUNNABLE, frame("sun.nio.ch.EPoll", "wait"));
    }

    private void see(int times, Loop... all) {
        for (int i = 0; i < times; i++) {
            now += STEP;
            loops.see(now, List.of(all));
        }
    }

    @Test
    void looks_handlerWaits_namesItsPlace() {
        see(30, sleeping(1), selecting(2));

        EventLoopLooks looks = loops.looks();

        assertThat(looks.shared()).isFalse();
        assertThat(looks.loops()).hasSize(2);
        EventLoopLooks.Loop held = looks.loops().get(0);
        assertThat(held.thread()).isEqualTo("loop-1");
        assertThat(held.held()).isEqualTo(held.looks()).isGreaterThan(10);
        assertThat(held.hold().orElseThrow().doing()).isEqualTo(Doing.SLEEPING);
        assertThat(held.hold().orElseThrow().place()).isEqualTo("com.example.Api.handle(File.java:7)");
        assertThat(looks.loops().get(1).held()).isZero();
    }

    /** The CPU time that a handler uses in the system is not known, so it may be many short ones. */
    @Test
    void looks_handlerComputes_isNotHeldUp() {
        see(30, loop(1, Thread.State.RUNNABLE, frame("com.example.Api", "sum")));

        assertThat(loops.looks().loops().get(0).held()).isZero();
    }

    @Test
    void looks_threadHasEnded_isNotAmongThem() {
        see(3, selecting(1), selecting(2));
        see(1, selecting(2));

        assertThat(loops.looks().loops())
                .extracting(EventLoopLooks.Loop::thread)
                .containsExactly("loop-2");
    }
}
