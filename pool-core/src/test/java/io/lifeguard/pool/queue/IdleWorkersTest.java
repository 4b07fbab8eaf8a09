package io.lifeguard.pool.queue;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.queue.IdleWorkers.Seeker;
import io.lifeguard.pool.queue.TestThreads.Started;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * A wake-up that meets a thread on its way out goes on to another. The test's own thread plays the one on its way out,
 * step by step, so that each interleaving is forced; the one that is parked is a true one.
 */
class IdleWorkersTest {
    private static final Runnable A = Tasks.single("a");
    private static final Runnable B = Tasks.single("b");

    @AutoClose
    private final TestThreads threads = new TestThreads();

    private final WorkQueue queue = WorkQueue.bounded(16);

    @Test
    void offer_wakesAThreadThatIsTimingOut_theNextParkedOneGetsTheTask() throws Exception {
        Started<Runnable> parked = threads.start(queue::take).awaitParked(queue);
        Seeker leaving = new Seeker();
        queue.idle.enlist(leaving);
        queue.add(A); // wakes the thread that came last: the leaving one
        queue.idle.delist(leaving); // its time is over; it has been popped in between
        queue.idle.taskFound(leaving);
        assertThat(parked.join()).isSameAs(A);
    }

    @Test
    void offer_whileAWokenThreadIsOnItsWay_reliesOnIt() throws Exception {
        Started<Runnable> first = threads.start(queue::take).awaitParked(queue);
        Started<Runnable> second = threads.start(queue::take).awaitParked(queue);
        Seeker onItsWay = new Seeker();
        queue.idle.enlist(onItsWay);
        queue.add(A);
        queue.add(B); // wakes no consumer: one that searches is on its way
        queue.idle.delist(onItsWay);
        // It leaves without a task; from there one wakes the other.
        queue.idle.taskFound(onItsWay);
        assertThat(first.join()).isNotSameAs(second.join());
    }

    @Test
    void offer_duringTheLastLookOfASearcher_wakesItOrIsSeen() throws Exception {
        Started<Runnable> parked = threads.start(queue::take).awaitParked(queue);
        Seeker searcher = new Seeker();
        assertThat(queue.idle.startSearch(searcher)).isTrue();
        queue.add(A); // wakes no consumer: one searches already
        queue.add(B);
        queue.idle.enlist(searcher); // it has seen neither, and gives up
        assertThat(queue.hasTasks()).isTrue(); // the look after giving up
        queue.idle.delist(searcher);
        assertThat(queue.dequeue(null, searcher)).isSameAs(A); // wakes the next
        assertThat(parked.join()).isSameAs(B);
    }

    /** Otherwise the woken thread could take the processor of one that has a task and does not begin it. */
    @Test
    void severalTasks_aSearcherComes_theNextThreadIsWokenBeforeOneIsClaimed() throws Exception {
        Started<Runnable> parked = threads.start(queue::take).awaitParked(queue);
        Seeker searcher = new Seeker();
        assertThat(queue.idle.startSearch(searcher)).isTrue();
        queue.add(A);
        queue.add(B);
        long head = queue.positions.freeze(); // no task can be claimed
        Started<Runnable> taker = threads.start(() -> queue.idle.wakeNextAndDequeue(null, searcher));
        try {
            await().atMost(TestThreads.LONG).until(() -> LockSupport.getBlocker(parked.thread) != queue);
        } finally {
            queue.positions.thaw(head);
        }
        assertThat(taker.join()).isNotSameAs(parked.join());
    }

    @Test
    void startSearch_oneSearches_noSecond() {
        Seeker first = new Seeker();
        Seeker second = new Seeker();
        assertThat(queue.idle.startSearch(first)).isTrue();
        assertThat(queue.idle.startSearch(second)).isFalse();
        queue.idle.taskFound(first);
        assertThat(queue.idle.startSearch(second)).isTrue();
    }

    @Test
    void wakeUp_theStackOrder_lastInFirstOut() throws Exception {
        Started<Runnable> first = threads.start(queue::take).awaitParked(queue);
        Started<Runnable> last = threads.start(queue::take).awaitParked(queue);
        queue.add(A);
        assertThat(last.join()).isSameAs(A);
        queue.add(B);
        assertThat(first.join()).isSameAs(B);
    }

    @Test
    void leaving_fromTheMiddleOfTheStack_theOthersAreStillWoken() throws Exception {
        Started<Runnable> bottom = threads.start(queue::take).awaitParked(queue);
        Started<Runnable> middle = threads.start(queue::take).awaitParked(queue);
        Started<Runnable> top = threads.start(queue::take).awaitParked(queue);
        middle.thread.interrupt();
        assertThatThrownBy(middle::join).isInstanceOf(InterruptedException.class);
        queue.add(A);
        assertThat(top.join()).isSameAs(A);
        queue.add(B);
        assertThat(bottom.join()).isSameAs(B);
    }

    /**
     * The interleaving is forced from the callback, which runs between the thread's last look at the queue and its
     * parking.
     */
    @Test
    void callbackFails_afterAWakeUp_theNextParkedOneGetsTheTask() throws Exception {
        AtomicBoolean failing = new AtomicBoolean();
        ThreadLocal<Boolean> chosen = ThreadLocal.withInitial(() -> false);
        queue.attach(() -> new SilentWorker() {
            @Override
            public void parking() {
                if (chosen.get() && failing.compareAndSet(false, true)) {
                    queue.add(A); // pops this very thread
                    throw new IllegalStateException("on purpose");
                }
            }
        });
        Started<Runnable> parked = threads.start(queue::take).awaitParked(queue);
        Started<Runnable> chosenOne = threads.start(() -> {
            chosen.set(true);
            return queue.take();
        });
        assertThatThrownBy(chosenOne::join).hasMessage("on purpose");
        assertThat(parked.join()).isSameAs(A);
    }

    @Test
    void interrupt_afterAWakeUp_taskTakenAndFlagKept() throws Exception {
        AtomicInteger parkings = new AtomicInteger();
        queue.attach(() -> new SilentWorker() {
            @Override
            public void parking() {
                if (parkings.getAndIncrement() == 0) {
                    queue.add(A);
                    Thread.currentThread().interrupt();
                }
            }
        });
        Started<Boolean> taker = threads.start(() -> {
            assertThat(queue.take()).isSameAs(A);
            return Thread.interrupted();
        });
        assertThat(taker.join()).isTrue();
    }

    @Test
    void interrupt_beforeAWakeUp_taskStays() throws Exception {
        AtomicInteger parkings = new AtomicInteger();
        queue.attach(() -> new SilentWorker() {
            @Override
            public void parking() {
                if (parkings.getAndIncrement() == 0) {
                    Thread.currentThread().interrupt();
                }
            }
        });
        Started<Runnable> taker = threads.start(queue::take);
        assertThatThrownBy(taker::join).isInstanceOf(InterruptedException.class);
        queue.add(A);
        assertThat(queue.poll(1, SECONDS)).isSameAs(A);
    }

    private static class SilentWorker implements QueueWorker {
        @Override
        public void returned() {}

        @Override
        public void idle() {}

        @Override
        public void parking() {}

        @Override
        public void took(Runnable task, long enqueuedNanos) {}
    }
}
