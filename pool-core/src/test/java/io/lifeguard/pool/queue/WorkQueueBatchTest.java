package io.lifeguard.pool.queue;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.queue.TestThreads.Started;
import io.lifeguard.pool.queue.WorkQueue.Admission;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * How much room there has to be before producers that wait are let in: a batch, so that they are not woken slot by
 * slot.
 */
class WorkQueueBatchTest {
    private static final Runnable A = Tasks.single("a");
    private static final Runnable B = Tasks.single("b");
    private static final Runnable C = Tasks.single("c");

    @AutoClose
    private final TestThreads threads = new TestThreads();

    private static WorkQueue fullWithBatch(int batch) {
        WorkQueue queue = WorkQueue.bounded(8);
        queue.refillBatch(batch);
        for (int i = 0; i < 8; i++) {
            queue.add(A);
        }
        return queue;
    }

    @Test
    void offer_whileAProducerWaitsForABatch_falseThoughThereIsRoom() throws Exception {
        WorkQueue queue = fullWithBatch(4);
        threads.start(() -> queue.offer(B, 1_000, SECONDS)).awaitParked(queue);
        boolean overtook = false;
        while (queue.waitingProducers() > 0) {
            queue.poll();
            // True only if the one who waits was served in between.
            overtook |= queue.offer(C) && queue.waitingProducers() > 0;
        }
        assertThat(overtook).isFalse();
        List<Runnable> rest = List.of(queue.toArray(new Runnable[0]));
        assertThat(rest).contains(B);
        assertThat(rest.subList(0, rest.indexOf(B))).doesNotContain(C);
    }

    @Test
    void refillBatch_soManySlotsFree_producerServedByTheConsumer() throws Exception {
        WorkQueue queue = fullWithBatch(4);
        Started<?> producer = threads.start(() -> put(queue, B)).awaitParked(queue);
        for (int i = 0; i < 4; i++) {
            queue.poll();
        }
        assertThat(queue).contains(B);
        producer.join();
    }

    @Test
    void refillBatch_fewerSlotsFreeAndNoMoreRemovals_producerGetsInSoon() throws Exception {
        WorkQueue queue = fullWithBatch(4);
        Started<?> producer = threads.start(() -> put(queue, B)).awaitParked(queue);
        queue.poll();
        producer.join();
        assertThat(queue).hasSize(8).contains(B);
    }

    /** The limit ends before the grace period of the first in line. */
    @Test
    void offer_limitEndsWhileFewerSlotsThanABatchAreFree_true() throws Exception {
        WorkQueue queue = fullWithBatch(4);
        queue.poll();
        assertThat(queue.admit(B, 1, queue.releases(), new Place(false))).isEqualTo(Admission.ACCEPTED);
        assertThat(queue.admit(C, 1, queue.releases(), new Place(false))).isEqualTo(Admission.TIMED_OUT);
        assertThat(queue).hasSize(8).contains(B).doesNotContain(C);
        assertThat(queue.waitingProducers()).isZero();
    }

    @Test
    void refillBatch_raisedWhileAProducerWaits_producerGetsInSoon() throws Exception {
        WorkQueue queue = fullWithBatch(1);
        Started<?> producer = threads.start(() -> put(queue, B)).awaitParked(queue);
        queue.refillBatch(4);
        queue.poll();
        producer.join();
        assertThat(queue).contains(B);
    }

    @Test
    void refillBatch_loweredWhileAProducerWaits_producerLetIn() throws Exception {
        WorkQueue queue = fullWithBatch(4);
        Started<?> producer = threads.start(() -> put(queue, B)).awaitParked(queue);
        queue.poll();
        queue.refillBatch(1);
        producer.join();
        assertThat(queue).contains(B);
    }

    @Test
    void refillBatch_theFirstOfTwoLeaves_theSecondGetsInSoon() throws Exception {
        WorkQueue queue = fullWithBatch(4);
        Started<?> first = threads.start(() -> put(queue, B)).awaitParked(queue);
        Started<?> second = threads.start(() -> put(queue, C)).awaitParked(queue);
        first.thread.interrupt();
        assertThatThrownBy(first::join).isInstanceOf(InterruptedException.class);
        queue.poll();
        second.join();
        assertThat(queue).contains(C).doesNotContain(B);
    }

    @Test
    void admit_lessThanABatchFree_waitsUnlessItMayNot() throws Exception {
        WorkQueue queue = fullWithBatch(4);
        queue.poll();
        assertThat(queue.admit(B, 0)).isEqualTo(Admission.ACCEPTED);
        queue.poll();
        // No more room is made: it gets in by itself, a little later.
        assertThat(queue.admit(C, Long.MAX_VALUE)).isEqualTo(Admission.ACCEPTED);
        assertThat(queue).hasSize(8).endsWith(B, C);
    }

    @Test
    void refillBatch_outOfRange_clamped() throws Exception {
        WorkQueue queue = fullWithBatch(Integer.MAX_VALUE);
        Started<?> producer = threads.start(() -> put(queue, B)).awaitParked(queue);
        for (int i = 0; i < 4; i++) {
            queue.poll();
        }
        assertThat(queue).contains(B);
        producer.join();
        queue.refillBatch(Integer.MIN_VALUE);
        WorkQueue single = WorkQueue.bounded(1);
        single.refillBatch(5);
        single.add(A);
        threads.start(() -> put(single, B)).awaitParked(single);
        single.poll();
        assertThat(single).containsExactly(B);
    }

    private static Void put(WorkQueue queue, Runnable task) throws InterruptedException {
        queue.put(task);
        return null;
    }
}
