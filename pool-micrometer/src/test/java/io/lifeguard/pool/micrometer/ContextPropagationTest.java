package io.lifeguard.pool.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedScheduledThreadPoolExecutor;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.Tasks;
import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ContextSnapshotFactory;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A thread-local that is carried from submitters to tasks. */
class ContextPropagationTest {

    private static final ThreadLocal<String> USER = new ThreadLocal<>();

    private final ContextSnapshotFactory contexts = ContextSnapshotFactory.builder()
            .contextRegistry(new ContextRegistry().registerThreadLocalAccessor("user", USER))
            .clearMissing(true)
            .build();
    private final InstrumentedThreadPoolExecutor pool = InstrumentedThreadPoolExecutor.named("context")
            .size(1)
            .queueCapacity(1)
            .whenSaturated(new ThreadPoolExecutor.CallerRunsPolicy())
            .build();
    private final ExecutorService carrying = ContextPropagation.propagating(pool, contexts);

    @AfterEach
    void end() {
        USER.remove();
        pool.shutdownNow();
    }

    @Test
    void everyWayToSubmit_contextSet_isThereInTheTaskAndGoneAfterIt() throws Exception {
        Callable<String> who = USER::get;
        AtomicReference<String> seen = new AtomicReference<>();
        USER.set("alice");
        assertThat(carrying.submit(who).get()).isEqualTo("alice");
        carrying.submit(() -> seen.set(USER.get() + " submitted")).get();
        assertThat(seen).hasValue("alice submitted");
        carrying.submit(() -> seen.set(USER.get() + " again"), 1).get();
        assertThat(seen).hasValue("alice again");
        carrying.execute(() -> seen.set(USER.get() + " executed"));
        await().untilAsserted(() -> assertThat(seen).hasValue("alice executed"));
        assertThat(carrying.invokeAll(List.of(who)).get(0).get()).isEqualTo("alice");
        assertThat(carrying.invokeAll(List.of(who), 1, TimeUnit.MINUTES).get(0).get())
                .isEqualTo("alice");
        assertThat(carrying.invokeAny(List.of(who))).isEqualTo("alice");
        assertThat(carrying.invokeAny(List.of(who), 1, TimeUnit.MINUTES)).isEqualTo("alice");
        assertThat(pool.submit(who).get()).as("the worker's own").isNull();
        USER.remove();
        assertThat(carrying.submit(who).get()).as("no user's").isNull();
    }

    /** The one worker is held and the queue full, so this thread runs the third task itself. */
    @Test
    void callerRuns_tasksOfOthers_leaveTheCallersContextAsItWas() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        AtomicReference<String> ran = new AtomicReference<>();
        Thread me = Thread.currentThread();
        pool.execute(() -> await().until(() -> go.getCount() == 0));
        await().until(() -> pool.getActiveCount() == 1 && pool.getQueue().isEmpty());
        pool.execute(() -> {});
        USER.set("bob");
        as(
                "alice",
                () -> carrying.execute(() -> {
                    assertThat(Thread.currentThread()).isSameAs(me);
                    ran.set(USER.get());
                    USER.set("changed by the task");
                }));
        assertThat(ran).hasValue("alice");
        assertThat(USER.get()).isEqualTo("bob");
        carrying.execute(() -> USER.set("changed again"));
        assertThat(USER.get()).isEqualTo("bob");
        assertThat(pool.snapshot().callerRuns()).isEqualTo(2);
        go.countDown();
    }

    private static void as(String user, Runnable work) {
        String before = USER.get();
        USER.set(user);
        work.run();
        assertThat(USER.get()).as("after a task that this thread ran").isEqualTo(user);
        USER.set(before);
    }

    @Test
    void worker_taskThrows_hasNoContextAfterwards() throws Exception {
        USER.set("alice");
        Future<?> failed = carrying.submit((Runnable) () -> {
            throw new IllegalStateException("on purpose");
        });
        assertThatThrownBy(failed::get).hasRootCauseMessage("on purpose");
        assertThat(pool.submit(USER::get).get()).isNull();
    }

    @Test
    void kinds_wrappedTasks_areThoseOfTheTasksInside() throws Exception {
        carrying.submit(Tasks.named("import", () -> {})).get();
        carrying.execute(new Work());
        await().until(() -> pool.snapshot().completed() == 2);
        assertThat(pool.snapshot().kinds().stream().map(kind -> kind.name()))
                .anyMatch(name -> name.equals("import"))
                .anyMatch(name -> name.contains("Work"))
                .noneMatch(name -> name.contains("Context") && !name.contains("Work"));
    }

    private static final class Work implements Runnable {
        @Override
        public void run() {}
    }

    @Test
    void scheduled_repetitively_hasTheContextOfTheSubmitterInEveryRun() throws Exception {
        InstrumentedScheduledThreadPoolExecutor timer = new InstrumentedScheduledThreadPoolExecutor(1);
        try {
            ScheduledExecutorService scheduling = ContextPropagation.propagating(timer, contexts);
            CountDownLatch runs = new CountDownLatch(3);
            USER.set("alice");
            Runnable countAlice = () -> {
                if ("alice".equals(USER.get())) {
                    runs.countDown();
                }
            };
            scheduling.scheduleAtFixedRate(countAlice, 0, 1, TimeUnit.MILLISECONDS);
            scheduling.scheduleWithFixedDelay(countAlice, 0, 1, TimeUnit.HOURS);
            assertThat(scheduling.schedule(USER::get, 1, TimeUnit.MILLISECONDS).get())
                    .isEqualTo("alice");
            scheduling.schedule(countAlice, 1, TimeUnit.MILLISECONDS).get();
            USER.set("bob");
            assertThat(runs.await(1, TimeUnit.MINUTES)).isTrue();
            assertThat(timer.scheduledOnce()).isEqualTo(2);
        } finally {
            timer.shutdownNow();
        }
    }

    @Test
    void shutdown_throughTheWrapper_shutsThePoolDown() throws Exception {
        carrying.shutdown();
        assertThat(pool.isShutdown()).isTrue();
        assertThat(carrying.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        assertThat(carrying.isTerminated() && carrying.isShutdown()).isTrue();
        assertThat(carrying.shutdownNow()).isEmpty();
    }
}
