package io.lifeguard.pool.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.queue.Tasks.Numbered;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Capacities, positions and stamps, by one thread. */
class WorkQueueTest {
    private static final Runnable A = Tasks.single("a");
    private static final Runnable B = Tasks.single("b");

    static Stream<WorkQueue> queues() {
        return Stream.of(
                WorkQueue.bounded(7),
                WorkQueue.bounded(8),
                new SegmentQueue(7, 2),
                new SegmentQueue(WorkQueue.UNBOUNDED, 4),
                WorkQueue.unbounded());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 1000, 1024, 65_536, 65_537, Integer.MAX_VALUE})
    void bounded_anyCapacity_holdsExactlySoMany(int capacity) {
        WorkQueue queue = WorkQueue.bounded(capacity);
        int filled = Math.min(capacity, 100_000);
        int next = 0;
        int expected = 0;
        // Three rounds, each starting elsewhere.
        for (int round = 0; round < 3; round++) {
            while (queue.size() < filled) {
                assertThat(queue.remainingCapacity()).isEqualTo(capacity - queue.size());
                assertThat(queue.offer(new Numbered(next++))).isTrue();
            }
            assertThat(queue.offer(A)).isEqualTo(filled < capacity);
            if (filled < capacity) {
                assertThat(queue.remove(A)).isTrue();
            }
            for (int left = filled / 3; queue.size() > left; ) {
                assertThat(queue.poll()).isEqualTo(new Numbered(expected++));
            }
        }
        assertThat(queue.accepted()).isEqualTo(next + (filled < capacity ? 3 : 0));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -5, Integer.MIN_VALUE})
    void bounded_noCapacity_refusedWithItsValue(int capacity) {
        assertThatThrownBy(() -> WorkQueue.bounded(capacity))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("capacity must be >= 1 (was " + capacity + ")");
    }

    @Test
    void add_full_saysSo() {
        WorkQueue queue = WorkQueue.bounded(1);
        queue.add(A);
        assertThatThrownBy(() -> queue.add(A)).isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @MethodSource("queues")
    void everyWayIn_null_refused(WorkQueue queue) {
        assertThatThrownBy(() -> queue.offer(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> queue.put(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> queue.add(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> queue.admit(null, 1)).isInstanceOf(NullPointerException.class);
        assertThat(queue).isEmpty();
        assertThat(queue.accepted()).isZero();
    }

    /**
     * Every operation on the middle, on queues that go round and on segments that are left behind, beside a plain list.
     */
    @ParameterizedTest
    @MethodSource("queues")
    void operationsOnTheMiddle_random_likeAList(WorkQueue queue) {
        Random random = new Random(42);
        ArrayDeque<Runnable> model = new ArrayDeque<>();
        for (int i = 0; i < 20_000; i++) {
            Runnable task = random.nextBoolean() ? new Numbered(random.nextInt(5)) : A;
            switch (random.nextInt(12)) {
                case 0, 1, 2, 3, 4 -> {
                    if (model.size() < 7) {
                        assertThat(queue.offer(task)).isTrue();
                        model.add(task);
                    }
                }
                case 5, 6, 7 -> assertThat(queue.poll()).isSameAs(model.poll());
                case 8 -> assertThat(queue.remove(task)).isEqualTo(model.remove(task));
                case 9 -> {
                    int pick = random.nextInt(8);
                    removeByIterator(queue.iterator(), pick);
                    removeByIterator(model.iterator(), pick);
                }
                case 10 -> assertThat(queue.removeIf(task::equals)).isEqualTo(model.removeIf(task::equals));
                default -> {
                    List<Runnable> drained = new ArrayList<>();
                    int limit = random.nextInt(3);
                    assertThat(queue.drainTo(drained, limit)).isEqualTo(drained.size());
                    drained.forEach(one -> assertThat(one).isSameAs(model.poll()));
                }
            }
            assertThat(queue.toArray()).isEqualTo(model.toArray());
            assertThat(queue.size()).isEqualTo(model.size());
            assertThat(queue.peek()).isSameAs(model.peek());
        }
    }

    private static void removeByIterator(Iterator<Runnable> iterator, int pick) {
        for (int i = 0; iterator.hasNext(); i++) {
            iterator.next();
            if (i == pick || i == pick + 2) {
                iterator.remove();
            }
        }
    }

    /** As many as the JDK's queue: with 100,000 tasks each further step is felt. */
    @Test
    void remove_fromLongQueues_asksAsManyTasksAsTheJdks() {
        int length = 5_000;
        for (Queue<Runnable> queue : List.<Queue<Runnable>>of(
                WorkQueue.bounded(length), WorkQueue.unbounded(), new LinkedBlockingQueue<>())) {
            for (int i = 0; i < length; i++) {
                queue.add(new Numbered(i));
            }
            for (int position : new int[] {0, length / 2, length - 3}) { // of tasks before, one is gone each time
                Asked asked = new Asked(List.copyOf(queue).get(position));
                assertThat(queue.remove(asked)).isTrue();
                assertThat(asked.times)
                        .as("%s, position %d", queue.getClass(), position)
                        .isEqualTo(position + 1);
            }
        }
    }

    /** Counts how often it was compared. */
    private static final class Asked implements Runnable {
        private final Object equal;
        private int times;

        Asked(Object equal) {
            this.equal = equal;
        }

        @Override
        public void run() {
            throw new IllegalStateException("only for comparisons");
        }

        @Override
        public boolean equals(Object other) {
            times++;
            return other == equal;
        }

        @Override
        public int hashCode() {
            return 0;
        }
    }

    @ParameterizedTest
    @MethodSource("queues")
    void iteratorRemove_ofATaskQueuedTwice_removesThatOccurrence(WorkQueue queue) {
        for (Runnable task : List.of(A, B, A, B, A)) {
            queue.add(task);
        }
        Iterator<Runnable> iterator = queue.iterator();
        iterator.next();
        iterator.next();
        iterator.next();
        queue.remove(B); // elements move meanwhile
        queue.poll();
        iterator.remove();
        assertThat(queue).containsExactly(B, A);
        assertThatThrownBy(iterator::remove).isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @MethodSource("queues")
    void iteratorRemove_takenMeanwhileAndQueuedAgain_staysQueued(WorkQueue queue) {
        queue.add(A);
        queue.add(B);
        queue.add(B);
        Iterator<Runnable> iterator = queue.iterator();
        iterator.next();
        queue.poll();
        queue.remove(B);
        queue.add(A);
        iterator.remove();
        assertThat(queue).containsExactly(B, A);
    }

    @ParameterizedTest
    @MethodSource("queues")
    void removeIf_queueChangesMeanwhile_removesWhatItTested(WorkQueue queue) {
        for (int i = 0; i < 6; i++) {
            queue.add(new Numbered(i));
        }
        boolean removed = queue.removeIf(task -> {
            if (((Numbered) task).number() == 5) {
                queue.poll(); // the element 0
                queue.remove(new Numbered(4));
                queue.add(new Numbered(1)); // not tested
            }
            return ((Numbered) task).number() % 2 == 1;
        });
        assertThat(removed).isTrue();
        assertThat(queue).containsExactly(new Numbered(2), new Numbered(1));
    }

    @ParameterizedTest
    @MethodSource("queues")
    void removeIf_predicateFails_nothingRemoved(WorkQueue queue) {
        queue.add(A);
        queue.add(B);
        assertThatThrownBy(() -> queue.removeIf(task -> {
                    if (task == B) {
                        throw new IllegalStateException("on purpose");
                    }
                    return true;
                }))
                .hasMessage("on purpose");
        assertThat(queue).containsExactly(A, B);
    }

    @ParameterizedTest
    @MethodSource("queues")
    void drainTo_aCollectionThatRefuses_theRestStays(WorkQueue queue) {
        for (int i = 0; i < 5; i++) {
            queue.add(new Numbered(i));
        }
        Collection<Runnable> two = new ArrayBlockingQueue<>(2);
        assertThatThrownBy(() -> queue.drainTo(two)).isInstanceOf(IllegalStateException.class);
        assertThat(two).containsExactly(new Numbered(0), new Numbered(1));
        assertThat(queue).containsExactly(new Numbered(2), new Numbered(3), new Numbered(4));
        queue.add(A);
        assertThat(queue.poll()).isEqualTo(new Numbered(2));
    }

    @ParameterizedTest
    @MethodSource("queues")
    void drainTo_aCollectionThatTakesFromTheQueue_refused(WorkQueue queue) {
        queue.add(A);
        queue.add(B);
        ArrayList<Runnable> reentrant = new ArrayList<>() {
            @Override
            public boolean add(Runnable task) {
                queue.poll();
                return super.add(task);
            }
        };
        assertThatThrownBy(() -> queue.drainTo(reentrant)).isInstanceOf(IllegalStateException.class);
        assertThat(queue).containsExactly(A, B);
        assertThatThrownBy(() -> queue.drainTo(queue)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> queue.drainTo(null)).isInstanceOf(NullPointerException.class);
        assertThat(queue.drainTo(new LinkedBlockingQueue<>(), -1)).isZero();
    }

    @ParameterizedTest
    @MethodSource("queues")
    void spliterator_snapshot_independentOfTheQueue(WorkQueue queue) {
        queue.add(A);
        Stream<Runnable> stream = queue.stream();
        assertThat(stream).containsExactly(A);
        List<Runnable> seen = new ArrayList<>();
        queue.forEach(task -> {
            seen.add(task);
            queue.clear();
        });
        assertThat(seen).containsExactly(A);
        assertThat(queue).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("queues")
    void stamps_afterRemovalsFromTheMiddle_stayWithTheirTasks(WorkQueue queue) throws Exception {
        for (int round = 0; round < 10; round++) {
            Runnable[] tasks = new Runnable[7];
            long[] stamps = new long[7];
            for (int i = 0; i < 7; i++) {
                long before = System.nanoTime();
                while (System.nanoTime() == before) {
                    Thread.onSpinWait();
                }
                tasks[i] = Tasks.single("task " + i);
                queue.add(tasks[i]);
                stamps[i] = queue.edits.snapshot().stamps[i];
                assertThat(queue.oldestNanos()).isEqualTo(stamps[0]);
            }
            queue.remove(tasks[3]);
            queue.removeIf(task -> task == tasks[0] || task == tasks[5]);
            Iterator<Runnable> iterator = queue.iterator();
            iterator.next();
            assertThat(iterator.next()).isSameAs(tasks[2]);
            iterator.remove();
            Taker taker = new Taker();
            for (int i : new int[] {1, 4, 6}) {
                assertThat(queue.oldestNanos()).isEqualTo(stamps[i]);
                assertThat(queue.dequeue(taker, null)).isSameAs(tasks[i]);
                assertThat(taker.stamp).isEqualTo(stamps[i]);
            }
            assertThat(queue.oldestNanos()).isEqualTo(Long.MIN_VALUE);
        }
    }

    private static final class Taker implements QueueWorker {
        private long stamp;

        @Override
        public void returned() {}

        @Override
        public void idle() {}

        @Override
        public void parking() {}

        @Override
        public void took(Runnable task, long enqueuedNanos) {
            stamp = enqueuedNanos;
        }
    }
}
