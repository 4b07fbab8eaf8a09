package io.lifeguard.pool.queue;

import static java.util.concurrent.TimeUnit.MICROSECONDS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.queue.TestThreads.Started;
import io.lifeguard.pool.queue.WorkQueue.Admission;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What waits, waits only as long as it must; and whatever ends a wait, no task and no wake-up is lost. */
class WorkQueueBlockingTest {
    private static final Runnable A = Tasks.single("a");
    private static final Runnable B = Tasks.single("b");
    private static final Runnable C = Tasks.single("c");

    @AutoClose
    private final TestThreads threads = new TestThreads();

    /** Full queues of one slot. */
    static Stream<WorkQueue> full() {
        return Stream.of(WorkQueue.bounded(1), new SegmentQueue(1, 1)).peek(queue -> queue.offer(A));
    }

    static Stream<WorkQueue> empty() {
        return Stream.of(WorkQueue.bounded(4), new SegmentQueue(4, 2), WorkQueue.unbounded());
    }

    // Consumers

    @ParameterizedTest
    @MethodSource("empty")
    void take_empty_waitsForATask(WorkQueue queue) throws Exception {
        Started<Runnable> taker = threads.start(queue::take).awaitParked(queue);
        queue.put(A);
        assertThat(taker.join()).isSameAs(A);
    }

    @ParameterizedTest
    @MethodSource("empty")
    void take_manyWait_eachGetsOneTask(WorkQueue queue) throws Exception {
        List<Started<Runnable>> takers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            takers.add(threads.start(queue::take).awaitParked(queue));
        }
        List<Runnable> tasks = List.of(A, B, C);
        tasks.forEach(queue::add);
        List<Runnable> taken = new ArrayList<>();
        for (Started<Runnable> taker : takers) {
            taken.add(taker.join());
        }
        assertThat(taken).containsExactlyInAnyOrderElementsOf(tasks);
    }

    @ParameterizedTest
    @MethodSource("empty")
    void timedPoll_empty_nullAfterTheTime(WorkQueue queue) throws Exception {
        long start = System.nanoTime();
        assertThat(queue.poll(20, MILLISECONDS)).isNull();
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(MILLISECONDS.toNanos(20));
    }

    @ParameterizedTest
    @MethodSource("empty")
    void timedPoll_noTime_doesNotWait(WorkQueue queue) throws Exception {
        assertThat(queue.poll(0, SECONDS)).isNull();
        assertThat(queue.poll(Long.MIN_VALUE, SECONDS)).isNull();
        queue.add(A);
        assertThat(queue.poll(0, SECONDS)).isSameAs(A);
    }

    @ParameterizedTest
    @MethodSource("empty")
    void timedPoll_longestTime_waitsForATask(WorkQueue queue) throws Exception {
        Started<Runnable> taker =
                threads.start(() -> queue.poll(Long.MAX_VALUE, NANOSECONDS)).awaitParked(queue);
        queue.add(A);
        assertThat(taker.join()).isSameAs(A);
    }

    @ParameterizedTest
    @MethodSource("empty")
    void consumers_interruptedOnEntry_throwAndTakeNothing(WorkQueue queue) {
        queue.add(A);
        assertInterruptedOnEntry(queue::take);
        assertInterruptedOnEntry(() -> queue.poll(1, SECONDS));
        assertInterruptedOnEntry(() -> queue.poll(0, SECONDS));
        assertThat(queue).containsExactly(A);
    }

    @ParameterizedTest
    @MethodSource("empty")
    void consumers_interruptedWhileWaiting_throw(WorkQueue queue) throws Exception {
        assertInterruptedWhileWaiting(queue, queue::take);
        assertInterruptedWhileWaiting(queue, () -> queue.poll(1_000, SECONDS));
        queue.add(A);
        assertThat(queue.take()).isSameAs(A);
    }

    // Producers

    @ParameterizedTest
    @MethodSource("full")
    void put_full_waitsForRoom(WorkQueue queue) throws Exception {
        Started<?> producer = threads.start(() -> put(queue, B)).awaitParked(queue);
        assertThat(queue.waitingProducers()).isEqualTo(1);
        assertThat(queue.poll()).isSameAs(A);
        // Served by the consumer: there already, whether or not the producer has woken up.
        assertThat(queue).containsExactly(B);
        assertThat(queue.waitingProducers()).isZero();
        producer.join();
    }

    @ParameterizedTest
    @MethodSource("full")
    void timedOffer_full_falseAfterTheTime(WorkQueue queue) throws Exception {
        long start = System.nanoTime();
        assertThat(queue.offer(B, 20, MILLISECONDS)).isFalse();
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(MILLISECONDS.toNanos(20));
        assertThat(queue).containsExactly(A);
        assertThat(queue.waitingProducers()).isZero();
    }

    @ParameterizedTest
    @MethodSource("full")
    void producers_noTime_doNotWait(WorkQueue queue) throws Exception {
        assertThat(queue.offer(B, 0, SECONDS)).isFalse();
        assertThat(queue.offer(B, Long.MIN_VALUE, SECONDS)).isFalse();
        assertThat(queue.admit(B, 0)).isEqualTo(Admission.TIMED_OUT);
        queue.clear();
        assertThat(queue.admit(B, 0)).isEqualTo(Admission.ACCEPTED);
        assertThat(queue).containsExactly(B);
    }

    @ParameterizedTest
    @MethodSource("empty")
    void producers_interruptedOnEntry_throwAndEnqueueNothing(WorkQueue queue) {
        assertInterruptedOnEntry(() -> put(queue, A));
        assertInterruptedOnEntry(() -> queue.offer(A, 1, SECONDS));
        assertInterruptedOnEntry(() -> queue.admit(A, Long.MAX_VALUE));
        assertThat(queue).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("full")
    void producers_interruptedWhileWaiting_throwAndEnqueueNothing(WorkQueue queue) throws Exception {
        assertInterruptedWhileWaiting(queue, () -> put(queue, B));
        assertInterruptedWhileWaiting(queue, () -> queue.offer(B, 1_000, SECONDS));
        assertInterruptedWhileWaiting(queue, () -> queue.admit(B, Long.MAX_VALUE));
        assertThat(queue.waitingProducers()).isZero();
        queue.clear();
        assertThat(queue).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("full")
    void put_interruptedAfterTheTransfer_returnsInterrupted(WorkQueue queue) throws Exception {
        Started<Boolean> producer = threads.start(() -> {
                    queue.put(B);
                    return Thread.interrupted();
                })
                .awaitParked(queue);
        // The transfer is complete when the consumer has returned: the interrupt comes too late to undo it.
        queue.poll();
        producer.thread.interrupt();
        assertThat(queue).containsExactly(B);
        // When the thread was faster than the interrupt, there is nothing left to interrupt.
        producer.join();
    }

    @ParameterizedTest
    @MethodSource("full")
    void producers_manyWait_servedInTheOrderOfArrival(WorkQueue queue) throws Exception {
        List<Runnable> arrivals = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            Runnable task = Tasks.single("arrival " + i);
            arrivals.add(task);
            int kind = i % 3;
            threads.start(() -> switch (kind) {
                        case 0 -> put(queue, task);
                        case 1 -> queue.offer(task, 1_000, SECONDS);
                        default -> queue.admit(task, Long.MAX_VALUE);
                    })
                    .awaitParked(queue);
        }
        assertThat(queue.take()).isSameAs(A);
        for (Runnable arrival : arrivals) {
            assertThat(queue.take()).isSameAs(arrival);
        }
        assertThat(queue).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("full")
    void producers_onesInTheMiddleLeave_theOthersKeepTheirOrder(WorkQueue queue) throws Exception {
        threads.start(() -> put(queue, B)).awaitParked(queue);
        Started<?> leaving =
                threads.start(() -> put(queue, Tasks.single("leaving"))).awaitParked(queue);
        threads.start(() -> put(queue, C)).awaitParked(queue);
        leaving.thread.interrupt();
        assertThatThrownBy(leaving::join).isInstanceOf(InterruptedException.class);
        assertThat(queue.waitingProducers()).isEqualTo(2);
        assertThat(queue.take()).isSameAs(A);
        assertThat(queue.take()).isSameAs(B);
        assertThat(queue.take()).isSameAs(C);
    }

    static Stream<Arguments> removals() {
        List<Consumer<WorkQueue>> removals = List.of(
                WorkQueue::poll,
                queue -> queue.remove(A),
                queue -> queue.remove(new Equal(A)),
                WorkQueue::clear,
                queue -> queue.drainTo(new ArrayList<>()),
                queue -> queue.removeIf(task -> true),
                queue -> {
                    Iterator<Runnable> tasks = queue.iterator();
                    tasks.next();
                    tasks.remove();
                });
        return removals.stream()
                .flatMap(removal ->
                        full().map(queue -> Arguments.of(queue.getClass().getSimpleName(), queue, removal)));
    }

    /** Asks for an element by its own equals, which is not Object's. */
    private record Equal(Runnable task) implements Runnable {
        @Override
        public void run() {}

        @Override
        @SuppressWarnings("EqualsWhichDoesntCheckParameterClass")
        public boolean equals(Object other) {
            return other == task;
        }

        @Override
        public int hashCode() {
            return task.hashCode();
        }
    }

    @ParameterizedTest(name = "{0} {index}")
    @MethodSource("removals")
    void anyRemoval_whileAProducerWaits_letsItIn(String name, WorkQueue queue, Consumer<WorkQueue> removal)
            throws Exception {
        Started<?> producer = threads.start(() -> put(queue, B)).awaitParked(queue);
        removal.accept(queue);
        assertThat(queue).containsExactly(B);
        producer.join();
    }

    // Admission

    @ParameterizedTest
    @MethodSource("full")
    void releaseWaiters_someWait_onlyTheAdmittingAreReleased(WorkQueue queue) throws Exception {
        Started<Admission> first =
                threads.start(() -> queue.admit(B, Long.MAX_VALUE)).awaitParked(queue);
        Started<?> putting = threads.start(() -> put(queue, C)).awaitParked(queue);
        Started<Admission> last =
                threads.start(() -> queue.admit(B, 1_000_000_000_000L)).awaitParked(queue);
        queue.releaseWaiters();
        assertThat(first.join()).isEqualTo(Admission.RELEASED);
        assertThat(last.join()).isEqualTo(Admission.RELEASED);
        assertThat(queue.waitingProducers()).isEqualTo(1);
        queue.poll();
        putting.join();
        assertThat(queue).containsExactly(C);
    }

    @ParameterizedTest
    @MethodSource("full")
    void admit_releaseBeforeTheWait_notMissed(WorkQueue queue) throws Exception {
        long releases = queue.releases();
        queue.releaseWaiters();
        assertThat(queue.admit(B, Long.MAX_VALUE, releases)).isEqualTo(Admission.RELEASED);
        assertThat(queue.admit(B, 1_000, queue.releases())).isEqualTo(Admission.TIMED_OUT);
        assertThat(queue).containsExactly(A);
    }

    @ParameterizedTest
    @MethodSource("full")
    void admit_full_timesOut(WorkQueue queue) throws Exception {
        assertThat(queue.admit(B, MILLISECONDS.toNanos(5))).isEqualTo(Admission.TIMED_OUT);
        assertThat(queue).containsExactly(A);
    }

    @Test
    void admittedTask_consumersParked_wakesOne() throws Exception {
        WorkQueue queue = WorkQueue.bounded(1);
        Started<Runnable> taker = threads.start(queue::take).awaitParked(queue);
        assertThat(queue.admit(A, MICROSECONDS.toNanos(1))).isEqualTo(Admission.ACCEPTED);
        assertThat(taker.join()).isSameAs(A);
    }

    @Test
    void unbounded_manyTasks_nobodyWaits() throws Exception {
        WorkQueue queue = WorkQueue.unbounded();
        for (int i = 0; i < 10_000; i++) {
            queue.put(A);
            assertThat(queue.offer(A, 1, SECONDS)).isTrue();
        }
        assertThat(queue).hasSize(20_000);
        assertThat(queue.remainingCapacity()).isEqualTo(Integer.MAX_VALUE);
    }

    private static Void put(WorkQueue queue, Runnable task) throws InterruptedException {
        queue.put(task);
        return null;
    }

    private static void assertInterruptedOnEntry(Callable<?> operation) {
        Thread.currentThread().interrupt();
        assertThatThrownBy(operation::call).isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    private void assertInterruptedWhileWaiting(WorkQueue queue, Callable<?> operation) {
        Started<?> thread = threads.start(operation).awaitParked(queue);
        thread.thread.interrupt();
        assertThatThrownBy(thread::join).isInstanceOf(InterruptedException.class);
    }
}
