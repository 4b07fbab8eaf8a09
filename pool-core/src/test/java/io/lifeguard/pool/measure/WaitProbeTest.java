package io.lifeguard.pool.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lifeguard.pool.testing.Fixture;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * The sample of raw tasks in a queue without room for a time is unbiased, exact while the queue is short, and keeps no
 * task alive.
 */
class WaitProbeTest {

    @AutoClose
    private final Fixture fixture = new Fixture();

    private final WaitProbe probe = new WaitProbe();

    @Test
    void take_chosenTask_returnsItsSampleOnce() {
        Runnable task = new Task();
        long before = System.nanoTime();
        probe.submitted(task);
        WaitProbe.Sample sample = probe.take(task);
        assertThat(sample).isNotNull();
        assertThat(sample.weight).isOne();
        assertThat(sample.enqueuedNanos).isBetween(before, System.nanoTime());
        assertThat(probe.take(task)).isNull();
        assertThat(probe.take(new Task())).isNull();
    }

    @Test
    void submitted_upTo16Waiting_allAreChosen() {
        for (int round = 0; round < 100; round++) {
            List<Task> tasks = tasks(16);
            tasks.forEach(probe::submitted);
            assertThat(tasks).allSatisfy(task -> assertThat(probe.take(task)).isNotNull());
        }
    }

    /**
     * Submits 300 bursts of 1,000 tasks. A task that is chosen with probability 1/W counts W times, which has the
     * variance W − 1. The first 16 tasks of a burst are all chosen. Then come about 64 tasks with W = 4, 256 tasks with
     * W = 16, and 664 tasks with W = 64. So the standard deviation is 214 for a burst, and 1.2 % for all bursts. The
     * bound is more than six standard deviations. By chance it fails once in 10⁹ runs; it always fails if weights are
     * wrong by a tenth.
     */
    @Test
    void submitted_longQueues_weightsAddUpToTheNumberOfTasks() {
        int bursts = 300;
        int length = 1_000;
        double sum = 0;
        double ofLateTasks = 0;
        for (int burst = 0; burst < bursts; burst++) {
            List<Task> tasks = tasks(length);
            tasks.forEach(probe::submitted);
            for (int i = 0; i < length; i++) {
                WaitProbe.Sample sample = probe.take(tasks.get(i));
                sum += sample == null ? 0 : sample.weight;
                ofLateTasks += sample == null || i < length / 2 ? 0 : sample.weight;
            }
        }
        assertThat(sum / bursts / length).isCloseTo(1, within(0.08));
        assertThat(ofLateTasks / bursts / length)
                .as("weight of the second half")
                .isCloseTo(0.5, within(0.08));
    }

    /** The memory is fixed: a queue of a million tasks leaves room for later tasks. */
    @Test
    void submitted_aMillionWaiting_tableIsNotFull() {
        List<Task> tasks = tasks(1_000_000);
        tasks.forEach(probe::submitted);
        long chosen = tasks.stream().filter(task -> probe.take(task) != null).count();
        assertThat(chosen).isBetween(60L, 200L);
    }

    @Test
    void submitted_taskNeverTaken_isNotKeptAndItsPlaceIsUsedAgain() {
        List<WeakReference<Task>> gone = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            Task task = new Task();
            probe.submitted(task);
            gone.add(new WeakReference<>(task));
        }
        gone.forEach(reference -> fixture.collected("task that was sampled", reference));
        fixture.eventually("room for new samples", () -> {
            Task task = new Task();
            probe.submitted(task);
            WaitProbe.Sample sample = probe.take(task);
            return sample != null && sample.weight == 1;
        });
    }

    /** Users have taken many chosen tasks out of the queue: once these are collected, all tasks are chosen again. */
    @Test
    void submitted_afterChosenTasksWereCollected_oneMoreSampleFreesTheTable() throws InterruptedException {
        tasks(2_000).forEach(probe::submitted);
        awaitCollectionOfAll();
        WaitProbe.Sample first = null;
        while (first == null) {
            Task task = new Task();
            probe.submitted(task);
            first = probe.take(task);
        }
        assertThat(first.weight).as("weight before").isGreaterThan(1);
        Task task = new Task();
        probe.submitted(task);
        assertThat(probe.take(task))
                .isNotNull()
                .satisfies(next -> assertThat(next.weight).isOne());
    }

    /**
     * The JVM enqueues what several collections have cleared in one batch, the newest first. What it enqueues in a
     * later batch comes after all of that.
     */
    private static void awaitCollectionOfAll() throws InterruptedException {
        System.gc();
        awaitBatchOfReferences();
        awaitBatchOfReferences();
    }

    private static void awaitBatchOfReferences() throws InterruptedException {
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        WeakReference<Object> last = new WeakReference<>(new Object(), queue);
        Reference<?> enqueued = null;
        while (enqueued == null) {
            System.gc();
            enqueued = queue.remove(10);
        }
        assertThat(enqueued).isSameAs(last);
    }

    @Test
    void withdraw_taskSubmittedTwice_forgetsTheLaterSubmission() {
        Runnable task = new Task();
        probe.submitted(task);
        long between = System.nanoTime();
        probe.submitted(task);
        probe.withdraw(task);
        WaitProbe.Sample sample = probe.take(task);
        assertThat(sample).isNotNull();
        assertThat(sample.enqueuedNanos).isLessThanOrEqualTo(between);
        assertThat(probe.take(task)).isNull();
        probe.withdraw(task);
    }

    /** One object is submitted and withdrawn again and again, as a submitter that retries does: no sample stays. */
    @Test
    void withdraw_afterEachSubmission_leavesNothing() {
        Runnable task = new Task();
        for (int i = 0; i < 1_000; i++) {
            probe.submitted(task);
            probe.withdraw(task);
        }
        assertThat(probe.take(task)).isNull();
    }

    private static List<Task> tasks(int number) {
        return IntStream.range(0, number).mapToObj(i -> new Task()).toList();
    }

    private static final class Task implements Runnable {
        @Override
        public void run() {}
    }
}
