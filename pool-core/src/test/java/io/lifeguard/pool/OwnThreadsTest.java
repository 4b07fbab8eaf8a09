package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Which tasks are kept, while others come and go. */
class OwnThreadsTest {

    private static final int MANY = 10_000;

    private final OwnThreads threads = new OwnThreads();

    private static final class Task implements OwnThreads.Task {
        private final Thread thread = new Thread(() -> {}); // is never started
        private int place = -1;

        @Override
        public Thread thread() {
            return thread;
        }

        @Override
        public long startNanos() {
            return 0;
        }

        @Override
        public void keptAt(int where) {
            place = where;
        }

        @Override
        public int place() {
            return place;
        }

        @Override
        public void run() {}
    }

    private List<OwnThreads.Task> all() {
        List<OwnThreads.Task> all = new ArrayList<>();
        threads.forEach(all::add);
        return all;
    }

    private List<Task> add(int count) {
        List<Task> added = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Task task = new Task();
            threads.add(task);
            added.add(task);
        }
        return added;
    }

    @Test
    void add_manyTasks_keepsEachOnceUntilItIsRemoved() {
        List<Task> added = add(MANY);
        assertThat(all()).hasSize(MANY).doesNotHaveDuplicates();
        List<Task> first = added.subList(0, MANY / 2);
        first.forEach(threads::remove);
        assertThat(Set.copyOf(all())).isEqualTo(Set.copyOf(added.subList(MANY / 2, MANY)));
        added.subList(MANY / 2, MANY).forEach(threads::remove);
        assertThat(all()).isEmpty();
        assertThat(threads.isEmpty()).isTrue();
    }

    /** Each look remembers a task, and the next look asks for it first. */
    @Test
    void isEmpty_tasksEndOneByOne_isTrueAfterTheLast() {
        for (Task task : add(200)) {
            assertThat(threads.isEmpty()).isFalse();
            threads.remove(task);
        }
        assertThat(threads.isEmpty()).isTrue();
    }

    /** Otherwise whoever looks at a few threads would search large tables that are nearly empty. */
    @Test
    void add_afterManyHaveEnded_usesTheFirstSlotsAgain() {
        add(MANY).forEach(threads::remove);
        Task task = add(1).get(0);
        assertThat(task.place() & 31).as("table").isZero();
    }

    @Test
    void forEach_visitorHasEnough_endsEarly() {
        add(10);
        int[] visits = {0};
        threads.forEach(task -> ++visits[0] < 3);
        assertThat(visits[0]).isEqualTo(3);
        assertThat(threads.isEmpty()).isFalse();
    }

    @Test
    void sample_allAreWanted_visitsEachOnce() {
        List<Task> added = add(MANY);
        List<OwnThreads.Task> seen = new ArrayList<>();
        threads.sample(seen::add);
        assertThat(seen).doesNotHaveDuplicates().containsAll(added).hasSize(MANY);
    }

    /**
     * The oldest tasks wait for other things than those that came to queue. Twenty samples of 500 hold 1,000 of them.
     */
    @Test
    void sample_fewAreWanted_areNotTheOldest() {
        Set<OwnThreads.Task> oldest = Set.copyOf(add(MANY / 10));
        add(MANY - MANY / 10);
        int[] old = {0};
        for (int i = 0; i < 20; i++) {
            int[] visits = {0};
            threads.sample(task -> {
                old[0] += oldest.contains(task) ? 1 : 0;
                return ++visits[0] < 500;
            });
        }
        assertThat(old[0]).isBetween(300, 3_000);
    }

    /** Otherwise each sample of a thousand threads would read a hundred thousand empty slots, four times a second. */
    @Test
    void sample_afterManyHaveEnded_looksAtTheTablesInUseOnly() {
        List<Task> many = add(MANY);
        int before = threads.inUse();
        assertThat(before).isGreaterThan(5);
        many.forEach(threads::remove);
        add(1);
        assertThat(threads.inUse()).isEqualTo(1);

        List<Task> again = add(MANY);
        assertThat(threads.inUse()).isGreaterThanOrEqualTo(before - 1);
        List<OwnThreads.Task> seen = new ArrayList<>();
        threads.sample(seen::add);
        assertThat(seen).containsAll(again).hasSize(MANY + 1).doesNotHaveDuplicates();
    }

    /** A visitor that marks a table as empty must not hide a task that comes to it at that moment. */
    @Test
    void add_toTableThatIsBeingMarked_isSeen() throws Exception {
        List<Task> small = add(64); // fills the first table, so that others come to the next one
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            for (int round = 0; round < MANY; round++) {
                CyclicBarrier begin = new CyclicBarrier(2);
                Future<Integer> visitor = executor.submit(() -> {
                    begin.await();
                    return threads.inUse();
                });
                begin.await();
                Task task = add(1).get(0);
                visitor.get();
                assertThat(all()).hasSize(small.size() + 1).contains(task);
                threads.remove(task);
            }
        } finally {
            executor.shutdownNow();
        }
    }

    /**
     * One visitor looks again and again whether the largest table is empty. Another one must not take it for empty
     * meanwhile: it would miss a thread to interrupt, or tell that the executor has terminated.
     */
    @Test
    void forEach_whileAnotherLooksWhetherTablesAreEmpty_seesTheTask() throws Exception {
        List<Task> many = add(MANY);
        Task last = many.remove(MANY - 1);
        many.forEach(threads::remove);
        AtomicBoolean isOver = new AtomicBoolean();
        CountDownLatch begun = new CountDownLatch(1);
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            Future<?> visitor = executor.submit(() -> {
                while (!isOver.get()) {
                    threads.inUse();
                    begun.countDown();
                }
            });
            begun.await();
            for (int round = 0; round < MANY / 5; round++) {
                assertThat(all()).containsExactly(last);
            }
            isOver.set(true);
            visitor.get();
        } finally {
            isOver.set(true);
            executor.shutdownNow();
        }
    }

    @Test
    void add_fourSubmittersAtATime_keepsEachTask() throws Exception {
        int submitters = 4;
        CyclicBarrier begin = new CyclicBarrier(submitters);
        ExecutorService executor = Executors.newFixedThreadPool(submitters);
        try {
            List<Future<Task>> kept = new ArrayList<>();
            for (int i = 0; i < submitters; i++) {
                kept.add(executor.submit(() -> {
                    begin.await();
                    for (int round = 0; round < MANY; round++) {
                        threads.remove(add(1).get(0));
                    }
                    return add(1).get(0);
                }));
            }
            List<OwnThreads.Task> expected = new ArrayList<>();
            for (Future<Task> each : kept) {
                expected.add(each.get());
            }
            assertThat(all()).containsExactlyInAnyOrderElementsOf(expected);
        } finally {
            executor.shutdownNow();
        }
    }
}
