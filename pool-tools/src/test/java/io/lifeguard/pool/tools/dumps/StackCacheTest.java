package io.lifeguard.pool.tools.dumps;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.tools.dumps.StackCache.Activity;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StackCacheTest {

    private static List<StackTraceElement> stack(int line) {
        return List.of(new StackTraceElement("com.example.Orders", "load", "Orders.java", line));
    }

    @Test
    void activity_equalStacks_areKeptOnce() {
        StackCache cache = new StackCache();

        Activity first = cache.activity(Thread.State.BLOCKED, stack(42), "com.example.Lock");

        assertThat(cache.activity(Thread.State.BLOCKED, stack(42), "com.example.Lock"))
                .isSameAs(first);
        assertThat(first.doing()).isEqualTo(Doing.WAITING_FOR_LOCK);
        assertThat(first.place()).isEqualTo("com.example.Orders.load(Orders.java:42)");
    }

    /** The lock's class tells a thread that waits for a lock from one that waits for something else. */
    @Test
    void activity_sameStackButOtherLockOrState_isClassifiedAgain() {
        StackCache cache = new StackCache();
        String lock = "java.util.concurrent.locks.ReentrantLock$NonfairSync";

        assertThat(cache.activity(Thread.State.WAITING, stack(42), lock).doing())
                .isEqualTo(Doing.WAITING_FOR_LOCK);
        assertThat(cache.activity(Thread.State.WAITING, stack(42), "").doing()).isEqualTo(Doing.WAITING_IN_LINE);
        assertThat(cache.activity(Thread.State.RUNNABLE, stack(42), "").doing()).isEqualTo(Doing.COMPUTING);
    }

    @Test
    void frame_moreThanFit_onlySoManyAreKept() {
        StackCache cache = new StackCache(10, 1);

        assertThat(kept(line -> cache.frame("a.B.c(B.java:" + line + ")").orElseThrow()))
                .isBetween(1, 10);
    }

    @Test
    void activity_moreThanFit_onlySoManyAreKept() {
        StackCache cache = new StackCache(1, 10);

        assertThat(kept(line -> cache.activity(Thread.State.RUNNABLE, stack(line), "")))
                .isBetween(1, 10);
    }

    /**
     * Asks for 1,000 things, then for the same ones again, latest first. Returns how many the cache did not make again.
     */
    private static int kept(IntFunction<Object> cache) {
        List<Object> first = IntStream.range(0, 1_000).mapToObj(cache).toList();
        int kept = 0;
        for (int i = first.size() - 1; i >= 0; i--) {
            Object again = cache.apply(i);
            assertThat(again).isEqualTo(first.get(i));
            kept += again == first.get(i) ? 1 : 0;
        }
        return kept;
    }
}
