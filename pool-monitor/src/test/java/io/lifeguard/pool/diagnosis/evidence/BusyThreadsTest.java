package io.lifeguard.pool.diagnosis.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.diagnosis.testing.FakeClock;
import io.lifeguard.pool.os.LiveThreads;
import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.Gate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Real pools whose threads are all busy are found by name; those with an idle thread, and threads of no pool, are not.
 */
class BusyThreadsTest {

    @AutoClose
    private final Fixture fixture = new Fixture();

    private final FakeClock clock = new FakeClock();
    private final BusyThreads busy = new BusyThreads(clock::nanoTime, LiveThreads::all);

    private static ThreadFactory named(String name) {
        AtomicInteger number = new AtomicInteger();
        return task -> new Thread(task, name + "-" + number.incrementAndGet());
    }

    /** Runs a task in each of the threads, and returns when all have begun. */
    private Gate occupy(ExecutorService pool, int threads) {
        Gate gate = fixture.gate();
        AtomicInteger begun = new AtomicInteger();
        for (int i = 0; i < threads; i++) {
            pool.execute(() -> {
                begun.incrementAndGet();
                gate.passUninterruptibly();
            });
        }
        fixture.eventually("all have begun", () -> begun.get() == threads);
        return gate;
    }

    private Map<String, Integer> lookFourTimes() {
        for (int i = 0; i < 4; i++) {
            clock.pass(Duration.ofMillis(250));
            busy.look();
        }
        return busy.groups();
    }

    @Test
    void groups_allThreadsOfAPoolAreBusy_namesIt() {
        ExecutorService client = fixture.closing(Executors.newFixedThreadPool(3, named("busy-client")));
        occupy(client, 3);
        assertThat(lookFourTimes()).containsEntry("busy-client", 3);
    }

    @Test
    void groups_aForkJoinPoolIsBusy_namesIt() {
        ForkJoinPool pool = fixture.closing(new ForkJoinPool(2));
        occupy(pool, 2);
        assertThat(lookFourTimes()).containsValue(2);
    }

    @Test
    void groups_oneThreadIsIdle_doesNotNameIt() {
        ExecutorService client = fixture.closing(Executors.newFixedThreadPool(3, named("idle-client")));
        Gate gate = occupy(client, 3);
        gate.open();
        occupy(client, 2);
        fixture.eventually("one is idle", () -> !lookFourTimes().containsKey("idle-client"));
    }

    /** Eight executors share a thread factory, as groups of them do in which each key has its executor. */
    @Test
    void groups_oneOfManySingleThreadedExecutorsIsBusy_namesItsThread() {
        ThreadFactory factory = named("affinity");
        List<ExecutorService> executors = Stream.generate(
                        () -> fixture.closing(Executors.newSingleThreadExecutor(factory)))
                .limit(8)
                .toList();
        executors.forEach(executor -> occupy(executor, 1).open());
        occupy(executors.get(2), 1);
        fixture.eventually("the busy thread is named", () -> lookFourTimes().containsKey("affinity-3"));
        assertThat(busy.groups()).containsEntry("affinity-3", 1).doesNotContainKey("affinity");
    }

    @Test
    void groups_threeLooksOnly_namesNone() {
        ExecutorService client = fixture.closing(Executors.newFixedThreadPool(2, named("new-client")));
        occupy(client, 2);
        busy.look();
        busy.look(); // right after the first: not again
        assertThat(busy.groups()).isEmpty();
    }

    @Test
    void groups_instrumentedPoolOrPlainThreads_areNotNamed() {
        ExecutorService mine = fixture.closing(InstrumentedExecutors.newFixedThreadPool(2, named("mine")));
        occupy(mine, 2);
        Gate gate = fixture.gate();
        fixture.thread(gate::pass);
        assertThat(lookFourTimes()).doesNotContainKey("mine").doesNotContainKey("Thread");
    }

    @Test
    void groups_nobodyHasLookedForLong_namesNone() {
        ExecutorService client = fixture.closing(Executors.newFixedThreadPool(2, named("old-client")));
        occupy(client, 2);
        lookFourTimes();
        clock.pass(Duration.ofSeconds(4));
        assertThat(busy.groups()).isEmpty();
    }
}
