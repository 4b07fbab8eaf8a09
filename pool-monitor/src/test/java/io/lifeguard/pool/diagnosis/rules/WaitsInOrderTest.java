package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.Estimate;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown.Share;
import io.lifeguard.pool.diagnosis.window.WorkerWindow;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.tools.ToolProvider;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;

/** An executor that keeps tasks in order in front of workers that idle. */
class WaitsInOrderTest {

    private static final String GUAVA = "com.google.common.util.concurrent.SequentialExecutor";

    private final Rule rule = new WaitsInOrder();

    /** One window: the workers with these numbers are busy, in tasks of this kind. */
    private static Windows pool(int size, String kind, String frame, int... busy) {
        List<WorkerWindow> workers = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            boolean isBusy = Arrays.binarySearch(busy, i) >= 0;
            workers.add(new WorkerWindow(
                    "orders-" + i,
                    i,
                    isBusy,
                    isBusy && !kind.isEmpty() ? Optional.of(kind) : Optional.empty(),
                    Duration.ofSeconds(isBusy ? 9 : 0),
                    Optional.empty()));
        }
        Share idle = new Share(Doing.IDLE, "", Estimate.exactly(size - busy.length), List.of(), Optional.empty());
        List<StackTraceElement> stack = List.of(
                new StackTraceElement("java.lang.Thread", "sleep", "Thread.java", -2),
                new StackTraceElement("com.example.Orders", "ship", "Orders.java", 5),
                new StackTraceElement("com.example.Orders", "lambda$add$0", "Orders.java", 9),
                new StackTraceElement(frame, "run", null, 1));
        Share working = new Share(
                Doing.SLEEPING,
                "com.example.Orders.ship(Orders.java:5)",
                Estimate.exactly(busy.length),
                stack,
                Optional.empty());
        return Windows.of("orders")
                .size(size)
                .busy(busy.length)
                .tasks(0)
                .workers(workers.toArray(WorkerWindow[]::new))
                .doing(new TimeBreakdown(size, 20, 4, List.of(idle, working), Map.of()));
    }

    @Test
    void examine_sequentialExecutor_saysWhatTheOrderCosts() {
        Finding finding = rule.examine(
                        pool(16, GUAVA + "$QueueWorker", GUAVA, 3).times(5))
                .finding()
                .orElseThrow();

        assertThat(finding.id()).isEqualTo("waits-in-order");
        assertThat(finding.severity()).isEqualTo(Severity.INFO);
        assertThat(finding.summary())
                .isEqualTo(
                        "tasks wait for their turn before idle workers: 1 of 16 workers runs them one after the other"
                                + " in " + GUAVA + " at com.example.Orders.ship(Orders.java:5), and 15 idle");
        assertThat(finding.evidence()).containsEntry("timesWithoutOrder", 16.0);
        assertThat(finding.advice())
                .endsWith("Expect up to 16× the throughput without the order, if nothing else limits it first.");
    }

    /** The order submits one task, for which the pool starts one worker. */
    @Test
    void examine_oneWorkerWasStarted_countsTheOthers() {
        Windows one = pool(1, GUAVA, GUAVA, 0);

        assertThat(rule.examine(one.limits(16, 16).times(5))
                        .finding()
                        .orElseThrow()
                        .summary())
                .contains("1 of 16 workers runs them")
                .endsWith("15 idle");
        assertThat(rule.examine(pool(1, GUAVA, GUAVA, 0).times(5))).isEqualTo(Verdict.clear());
        assertThat(rule.examine(pool(1, "", GUAVA, 0).fromOutside().times(5))
                        .finding()
                        .orElseThrow()
                        .summary())
                .endsWith("whether the pool may have more is unknown");
    }

    @Test
    void examine_fromOutside_isFoundByTheFrames() {
        assertThat(rule.examine(pool(16, "", "io.vertx.core.impl.TaskQueue", 3)
                                .fromOutside()
                                .times(5))
                        .finding())
                .isPresent();
    }

    @ParameterizedTest
    @CsvSource({
        "com.example.SerialExecutor$Drain, com.example.SerialExecutor",
        "com.example.OrderedExecutorService, com.example.OrderedExecutorService",
        "com.example.SequentialExecutor (lambda), com.example.SequentialExecutor",
        "com.example.SerializerTask,",
        "com.example.OrderExecutor,",
    })
    void examine_executorThatOthersWrote_isKnownByItsName(String kind, String order) {
        Optional<Finding> finding =
                rule.examine(pool(16, kind, "com.example.Job", 3).times(5)).finding();

        assertThat(finding.map(found -> found.evidence().get("order"))).isEqualTo(Optional.ofNullable(order));
    }

    /** One that keeps an order, under any name. */
    private static final class Mailman implements Runnable {

        @SuppressWarnings("UnusedVariable") // its type is what matters
        private final Deque<Runnable> letters = new ArrayDeque<>();

        @Override
        public void run() {}
    }

    static Set<Evidence> needsOf(String kind) {
        return new WaitsInOrder().needs(pool(16, kind, kind, 3).times(5));
    }

    /** As in the jar of an application whose class loader also loads the libraries. */
    @Test
    void needs_taskOfAnApplicationWithALoaderOfItsOwn_areStacks(@TempDir Path directory) throws Exception {
        Path source = Files.writeString(
                directory.resolve("Postman.java"), "class Postman { java.util.Queue<Runnable> letters; }");
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, source.toString()))
                .isZero();
        List<URL> urls = new ArrayList<>(List.of(directory.toUri().toURL()));
        for (Class<?> each : List.of(
                WaitsInOrder.class, WaitsInOrderTest.class, PoolSnapshot.class, Logger.class, Assertions.class)) {
            urls.add(each.getProtectionDomain().getCodeSource().getLocation());
        }
        try (URLClassLoader loader =
                new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Method needs =
                    loader.loadClass(WaitsInOrderTest.class.getName()).getDeclaredMethod("needsOf", String.class);
            needs.setAccessible(true); // a class of this name, but of another loader
            assertThat(needs.invoke(null, "Postman")).hasToString("[STACKS]");
        }
        assertThat(needsOf("Postman")).as("unknown here").isEmpty();
    }

    @Test
    void examine_longTaskWhoseClassHoldsAQueue_isKnownIfItRunsOthers() {
        String test = WaitsInOrderTest.class.getName();
        String mailman = Mailman.class.getName();
        assertThat(rule.needs(pool(16, mailman, test, 3).times(5))).containsExactly(Evidence.STACKS);

        assertThat(rule.examine(pool(16, mailman, mailman, 3).times(5)).finding())
                .hasValueSatisfying(finding -> assertThat(finding.summary())
                        .contains("in " + mailman + " at com.example.Orders.ship(Orders.java:5)"));
        assertThat(rule.examine(pool(16, "com.example.Orders", mailman, 3).times(5)))
                .as("its own work")
                .isEqualTo(Verdict.clear());
        assertThat(rule.examine(pool(16, mailman, "com.example.Orders", 3).times(5)))
                .as("waits in its loop, as a consumer")
                .isEqualTo(Verdict.clear());
        assertThat(rule.examine(pool(16, test, test, 3).times(5)))
                .as("a class without a queue")
                .isEqualTo(Verdict.clear());
    }

    @Test
    void examine_otherTasksOrShortOrFullPool_isClear() {
        assertThat(rule.examine(
                        pool(16, "com.example.Poller", "com.example.Poller", 3).times(5)))
                .as("a task that is long")
                .isEqualTo(Verdict.clear());
        assertThat(rule.examine(pool(16, GUAVA, GUAVA, 3).times(3)))
                .as("not yet for long")
                .isEqualTo(Verdict.clear());
        assertThat(rule.examine(pool(4, GUAVA, GUAVA, 0, 1, 2, 3).times(5)))
                .as("an order for each worker")
                .isEqualTo(Verdict.clear());
    }

    /** Each is empty now and then, so its worker has no task. */
    @Test
    void examine_ordersOfManyKeysInBalance_isClear() {
        PoolWindow window = Windows.history(
                pool(16, GUAVA, GUAVA, 3),
                pool(16, GUAVA, GUAVA, 7),
                pool(16, GUAVA, GUAVA, 3),
                pool(16, GUAVA, GUAVA, 11),
                pool(16, GUAVA, GUAVA, 3));

        assertThat(rule.examine(window)).isEqualTo(Verdict.clear());
    }
}
