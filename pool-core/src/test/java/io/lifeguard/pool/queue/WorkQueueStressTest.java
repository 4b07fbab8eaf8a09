package io.lifeguard.pool.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.queue.TestThreads.Started;
import io.lifeguard.pool.queue.WorkQueue.Admission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * All operations at once, at random. The property {@code lifeguard.stress.millis} sets how long each queue is stressed.
 */
class WorkQueueStressTest {
    private static final long MILLIS = Long.getLong("lifeguard.stress.millis", 300);

    @AutoClose
    private final TestThreads threads = new TestThreads();

    static Stream<WorkQueue> queues() {
        return Stream.of(
                WorkQueue.bounded(1),
                WorkQueue.bounded(2),
                WorkQueue.bounded(3),
                WorkQueue.bounded(64),
                new SegmentQueue(3, 2),
                new SegmentQueue(WorkQueue.UNBOUNDED, 4),
                WorkQueue.unbounded());
    }

    private static final class Task implements Runnable {
        final int producer;
        final int number;
        final AtomicInteger ends = new AtomicInteger();

        Task(int producer, int number) {
            this.producer = producer;
            this.number = number;
        }

        @Override
        public void run() {
            ends.incrementAndGet();
        }
    }

    /** Every accepted task comes out once, and in the order of its producer. Refused tasks never come out. */
    @ParameterizedTest
    @MethodSource("queues")
    void everyOperation_manyThreads_eachAcceptedTaskLeavesOnce(WorkQueue queue) throws Exception {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MILLIS);
        int producers = 3;
        int consumers = 3;
        List<Started<List<Task>>> producing = new ArrayList<>();
        List<Started<?>> all = new ArrayList<>();
        for (int i = 0; i < producers; i++) {
            int producer = i;
            producing.add(threads.start(() -> produce(queue, producer, end)));
        }
        all.addAll(producing);
        for (int i = 0; i < consumers; i++) {
            all.add(threads.start(() -> consume(queue, producers)));
        }
        List<Thread> victims = all.stream().map(started -> started.thread).toList();
        Started<?> chaos = threads.start(() -> disturb(queue, victims, end));
        List<Task> accepted = new ArrayList<>();
        for (Started<List<Task>> one : producing) {
            accepted.addAll(one.join());
        }
        chaos.join();
        for (int i = 0; i < consumers; i++) {
            queue.put(STOP);
        }
        threads.close();
        assertThat(accepted).isNotEmpty().allMatch(task -> task.ends.get() == 1);
        assertThat(queue).isEmpty();
        assertThat(queue.waitingProducers()).isZero();
    }

    private static final Runnable STOP = () -> {};

    private static List<Task> produce(WorkQueue queue, int producer, long end) {
        Random random = new Random(producer);
        List<Task> accepted = new ArrayList<>();
        List<Task> refused = new ArrayList<>();
        // On a busy machine a thread may start after the end: it goes on until one task is accepted.
        for (int number = 0; accepted.isEmpty() || System.nanoTime() < end; number++) {
            Task task = new Task(producer, number);
            try {
                (offer(queue, task, random) ? accepted : refused).add(task);
            } catch (InterruptedException e) {
                refused.add(task);
            }
            if (random.nextInt(8) == 0 && queue.remove(task)) {
                task.run();
            }
            if (random.nextInt(64) == 0 || queue.size() > 1_000) {
                Thread.yield();
            }
        }
        Thread.interrupted();
        assertThat(refused).allMatch(task -> task.ends.get() == 0);
        return accepted;
    }

    private static boolean offer(WorkQueue queue, Task task, Random random) throws InterruptedException {
        return switch (random.nextInt(4)) {
            case 0 -> queue.offer(task);
            case 1 -> {
                queue.put(task);
                yield true;
            }
            case 2 -> queue.offer(task, random.nextInt(100), TimeUnit.MICROSECONDS);
            default -> queue.admit(task, random.nextInt(200_000), queue.releases()) == Admission.ACCEPTED;
        };
    }

    private static Void consume(WorkQueue queue, int producers) {
        int[] last = new int[producers];
        Arrays.fill(last, -1);
        Random random = new Random();
        for (; ; ) {
            List<Runnable> taken = new ArrayList<>();
            try {
                switch (random.nextInt(8)) {
                    case 0 -> addUnlessNull(taken, queue.poll());
                    case 1 -> queue.drainTo(taken, 1); // more could take several STOPs
                    case 2, 3, 4 -> addUnlessNull(taken, queue.poll(random.nextInt(200), TimeUnit.MICROSECONDS));
                    default -> taken.add(queue.take());
                }
            } catch (InterruptedException e) {
                continue;
            }
            for (Runnable task : taken) {
                if (task == STOP) {
                    return null;
                }
                Task one = (Task) task;
                assertThat(one.number).isGreaterThan(last[one.producer]);
                last[one.producer] = one.number;
                one.run();
            }
        }
    }

    private static void addUnlessNull(List<Runnable> list, Runnable task) {
        if (task != null) {
            list.add(task);
        }
    }

    private static Void disturb(WorkQueue queue, List<Thread> victims, long end) throws Exception {
        Random random = new Random(7);
        while (System.nanoTime() < end) {
            switch (random.nextInt(6)) {
                case 0 -> queue.releaseWaiters();
                case 1 -> queue.refillBatch(random.nextInt(40));
                case 2 -> victims.get(random.nextInt(victims.size())).interrupt();
                case 3 -> assertThat(queue.size()).isGreaterThanOrEqualTo(0);
                case 4 -> {
                    Iterator<Runnable> iterator = queue.iterator();
                    while (iterator.hasNext()) {
                        iterator.next();
                    }
                }
                default -> TimeUnit.MICROSECONDS.sleep(100);
            }
        }
        return null;
    }

    /**
     * All tasks of a round wait for each other, and the next round begins when they have met. So each task needs a
     * thread of its own. A task that is stranded while a thread is parked stops the test. Threads time out and are
     * interrupted at every moment.
     */
    @ParameterizedTest
    @MethodSource("queues")
    void tasksThatNeedEachOther_threadsComeAndGo_noneIsStranded(WorkQueue queue) throws Exception {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MILLIS);
        int workers = 4;
        List<Started<?>> all = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            all.add(threads.start(() -> work(queue)));
        }
        List<Thread> victims = all.stream().map(started -> started.thread).toList();
        Started<?> chaos = threads.start(() -> disturb(queue, victims, end));
        Random random = new Random(11);
        while (System.nanoTime() < end) {
            int count = 1 + random.nextInt(workers);
            CountDownLatch met = new CountDownLatch(count);
            Runnable task = () -> meet(met);
            Started<?> second = count < 3 ? null : threads.start(() -> put(queue, task));
            for (int i = second == null ? 0 : 1; i < count; i++) {
                queue.put(task);
            }
            assertThat(met.await(TestThreads.LONG.toSeconds(), TimeUnit.SECONDS))
                    .as("a task is stranded: %s in the queue", queue.size())
                    .isTrue();
            if (second != null) {
                second.join();
            }
        }
        chaos.join();
        for (int i = 0; i < workers; i++) {
            queue.put(STOP);
        }
    }

    private static Void put(WorkQueue queue, Runnable task) throws InterruptedException {
        queue.put(task);
        return null;
    }

    private static void meet(CountDownLatch met) {
        met.countDown();
        boolean interrupted = false;
        while (met.getCount() > 0) {
            try {
                met.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static Void work(WorkQueue queue) {
        Random random = new Random();
        for (; ; ) {
            try {
                Runnable task =
                        random.nextInt(3) == 0 ? queue.take() : queue.poll(random.nextInt(300), TimeUnit.MICROSECONDS);
                if (task == STOP) {
                    return null;
                }
                if (task != null) {
                    task.run();
                }
            } catch (InterruptedException e) {
                // another thread gets the task
            }
        }
    }
}
