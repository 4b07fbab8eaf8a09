package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.testing.Fixture;
import io.lifeguard.pool.testing.Gate;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The registry of live pools, their names, and the observers of new and terminated pools. */
class PoolsTest {

    @AutoClose
    private final Fixture fixture = new Fixture();

    private final List<PoolObserver> added = new ArrayList<>();

    @AfterEach
    void removeObservers() {
        added.forEach(Pools::removeObserver);
    }

    private Log observe() {
        Log log = new Log();
        observe(log);
        return log;
    }

    private void observe(PoolObserver observer) {
        added.add(observer);
        Pools.addObserver(observer);
    }

    @Test
    void terminated_everyFactory_isAnnouncedWithoutAskingThePool() {
        Log log = observe();
        List<ExecutorService> pools = List.of(
                InstrumentedExecutors.newFixedThreadPool("PoolsTest fixed", 1),
                InstrumentedExecutors.newSingleThreadExecutor("PoolsTest single"),
                InstrumentedExecutors.newCachedThreadPool("PoolsTest cached"),
                InstrumentedExecutors.newScheduledThreadPool("PoolsTest scheduled", 1),
                InstrumentedExecutors.newWorkStealingPool("PoolsTest stealing", 1));
        assertThat(log.created)
                .contains("PoolsTest fixed", "PoolsTest single", "PoolsTest cached")
                .contains("PoolsTest scheduled", "PoolsTest stealing");
        for (ExecutorService pool : pools) {
            var task = fixture.occupy(fixture.closing(pool));
            pool.shutdown();
            task.release();
            String name = ((InstrumentedPool) pool).name();
            fixture.eventually("end of " + name, () -> log.terminated.contains(name));
            assertThat(Pools.find(name)).isEmpty();
        }
    }

    /** Forced: the constructor of the pool has reserved the name and not returned yet. */
    @Test
    void live_poolIsBeingConstructed_hasItsNameOnly() {
        InstrumentedPool unfinished = (InstrumentedPool) Proxy.newProxyInstance(
                PoolsTest.class.getClassLoader(),
                new Class<?>[] {InstrumentedPool.class},
                (proxy, method, arguments) -> {
                    throw new NullPointerException("its fields are not set");
                });
        String name = PoolRegistry.register(unfinished, "PoolsTest unfinished");
        assertThat(Pools.find(name)).isEmpty();
        assertThat(Pools.live().stream().filter(pool -> pool == unfinished)).isEmpty();
        ExecutorService next = fixture.closing(InstrumentedExecutors.newFixedThreadPool("PoolsTest unfinished", 1));
        assertThat(((InstrumentedPool) next).name()).isEqualTo("PoolsTest unfinished#2");

        PoolRegistry.announceCreated(unfinished, name);

        assertThat(Pools.find(name))
                .hasValueSatisfying(found -> assertThat(found == unfinished).isTrue());
        PoolRegistry.unregister(unfinished, name);
    }

    @Test
    void observer_throws_harmsNeitherPoolNorOtherObservers() throws Exception {
        observe(new PoolObserver() {
            @Override
            public void created(InstrumentedPool pool) {
                throw new StackOverflowError("on purpose");
            }

            @Override
            public void terminated(InstrumentedPool pool) {
                throw new IllegalStateException("on purpose");
            }
        });
        Log log = observe();

        ExecutorService pool = fixture.closing(InstrumentedExecutors.newFixedThreadPool("PoolsTest thrown at", 1));
        assertThat(pool.submit(() -> 42).get()).isEqualTo(42);
        pool.shutdown();

        assertThat(log.created).contains("PoolsTest thrown at");
        fixture.eventually("end of the pool", () -> log.terminated.contains("PoolsTest thrown at"));
    }

    @Test
    void name_manyPoolsOfOneName_getTheLowestFreeNumbers() {
        List<InstrumentedThreadPoolExecutor> pools = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            pools.add(fixture.closing(
                    InstrumentedThreadPoolExecutor.named("PoolsTest many").build()));
        }
        assertThat(pools.get(0).name()).isEqualTo("PoolsTest many");
        assertThat(pools.get(1).name()).isEqualTo("PoolsTest many#2");
        assertThat(pools.get(19).name()).isEqualTo("PoolsTest many#20");

        pools.get(1).shutdown();
        assertThat(fixture.closing(InstrumentedThreadPoolExecutor.named("PoolsTest many")
                                .build())
                        .name())
                .isEqualTo("PoolsTest many#2");
    }

    /** The last worker is held before it announces the termination, which others see already. */
    @Test
    void awaitTermination_beforeTheLastWorkerAnnounces_freesTheName() throws Exception {
        Gate mayAnnounce = fixture.gate();
        AtomicReference<Thread> worker = new AtomicReference<>();
        InstrumentedThreadPoolExecutor pool =
                new InstrumentedThreadPoolExecutor(InstrumentedThreadPoolExecutor.named("PoolsTest held")) {
                    @Override
                    public boolean isTerminated() {
                        if (Thread.currentThread() == worker.get()) {
                            mayAnnounce.passUninterruptibly();
                        }
                        return super.isTerminated();
                    }
                };
        Log log = observe();
        Gate mayEnd = fixture.gate();
        pool.execute(() -> {
            worker.set(Thread.currentThread());
            mayEnd.passUninterruptibly();
        });
        mayEnd.arrived().await();
        pool.shutdown(); // which would announce an end that it sees itself
        mayEnd.open();
        assertThat(pool.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        mayAnnounce.arrived().await();

        assertThat(Pools.find("PoolsTest held")).isEmpty();
        assertThat(log.terminated).doesNotContain("PoolsTest held");
        InstrumentedThreadPoolExecutor next = fixture.closing(
                InstrumentedThreadPoolExecutor.named("PoolsTest held").build());
        assertThat(next.name()).isEqualTo("PoolsTest held");
        mayAnnounce.open();
        fixture.eventually("end of the first pool", () -> log.terminated.contains("PoolsTest held"));
        assertThat(Pools.find("PoolsTest held")).containsSame(next);
    }

    @Test
    void live_poolCollectedWithoutShutdown_isRemoved() {
        WeakReference<InstrumentedPool> dropped =
                new WeakReference<>((InstrumentedPool) InstrumentedExecutors.newCachedThreadPool("PoolsTest dropped"));
        fixture.eventually("collection of the pool", () -> {
            System.gc();
            return dropped.refersTo(null);
        });
        assertThat(Pools.find("PoolsTest dropped")).isEmpty();
        fixture.eventually("the next pool takes its entry away", () -> {
            fixture.closing(InstrumentedExecutors.newCachedThreadPool("PoolsTest next"));
            return !PoolRegistry.remembers("PoolsTest dropped");
        });
    }

    private static final class Log implements PoolObserver {
        final List<String> created = new CopyOnWriteArrayList<>();
        final List<String> terminated = new CopyOnWriteArrayList<>();

        @Override
        public void created(InstrumentedPool pool) {
            created.add(pool.name());
        }

        @Override
        public void terminated(InstrumentedPool pool) {
            terminated.add(pool.name());
        }
    }
}
