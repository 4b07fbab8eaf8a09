package io.lifeguard.pool.queue;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A task that has left a queue, on whatever way, is not kept alive by it; and neither is a segment left behind. */
class WorkQueueRetentionTest {
    private interface Removal {
        void from(WorkQueue queue) throws Exception;
    }

    static Stream<WorkQueue> queues() {
        return Stream.of(WorkQueue.bounded(8), new SegmentQueue(8, 2), WorkQueue.unbounded());
    }

    @ParameterizedTest
    @MethodSource("queues")
    void poll_taskForgotten(WorkQueue queue) {
        assertForgotten(queue, WorkQueue::poll, WorkQueue::poll, WorkQueue::poll);
    }

    @ParameterizedTest
    @MethodSource("queues")
    void take_taskForgotten(WorkQueue queue) {
        assertForgotten(queue, WorkQueue::take, q -> q.poll(1, MILLISECONDS), WorkQueue::take);
    }

    @ParameterizedTest
    @MethodSource("queues")
    void clear_tasksForgotten(WorkQueue queue) {
        assertForgotten(queue, WorkQueue::clear);
    }

    @ParameterizedTest
    @MethodSource("queues")
    void drainTo_tasksForgotten(WorkQueue queue) {
        assertForgotten(queue, q -> q.drainTo(new ArrayList<>()));
    }

    @ParameterizedTest
    @MethodSource("queues")
    void removeIf_tasksForgotten(WorkQueue queue) {
        assertForgotten(queue, q -> q.removeIf(task -> true));
    }

    @ParameterizedTest
    @MethodSource("queues")
    void iteratorRemove_tasksForgotten(WorkQueue queue) {
        assertForgotten(queue, q -> {
            Iterator<Runnable> tasks = q.iterator();
            tasks.next();
            tasks.next();
            tasks.remove();
            q.remove(q.peek());
            q.remove(q.peek());
        });
    }

    @ParameterizedTest
    @MethodSource("queues")
    void producerTimesOut_taskForgotten(WorkQueue queue) {
        Runnable filler = () -> {};
        while (queue.size() < 8) {
            queue.add(filler);
        }
        if (queue.remainingCapacity() == 0) {
            List<WeakReference<Runnable>> tasks = List.of(timeOut(queue));
            assertThat(queue).hasSize(8);
            assertCollected(tasks);
        }
    }

    private static WeakReference<Runnable> timeOut(WorkQueue queue) {
        Runnable task = Tasks.single("in vain");
        try {
            assertThat(queue.offer(task, 1, MILLISECONDS)).isFalse();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return new WeakReference<>(task);
    }

    private static void assertForgotten(WorkQueue queue, Removal... removals) {
        List<WeakReference<Runnable>> tasks = fill(queue);
        try {
            for (Removal removal : removals) {
                removal.from(queue);
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        assertThat(queue).isEmpty();
        assertCollected(tasks);
        queue.add(() -> {}); // the queue itself is alive until here
    }

    private static List<WeakReference<Runnable>> fill(WorkQueue queue) {
        List<WeakReference<Runnable>> tasks = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Runnable task = Tasks.single("task " + i);
            tasks.add(new WeakReference<>(task));
            queue.add(task);
        }
        return tasks;
    }

    private static void assertCollected(List<? extends WeakReference<?>> references) {
        await().atMost(TestThreads.LONG).until(() -> {
            System.gc();
            return references.stream().allMatch(reference -> reference.get() == null);
        });
    }
}
