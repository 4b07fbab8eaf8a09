package io.lifeguard.pool.queue;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.queue.TestThreads.Started;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A worker is told where its tasks begin and end. No other thread is told anything. */
class QueueWorkerTest {
    private static final Runnable A = Tasks.single("a");

    @AutoClose
    private final TestThreads threads = new TestThreads();

    private final WorkQueue queue = WorkQueue.bounded(4);

    /** Recognises the thread that made it. */
    private static final class Recorder implements QueueWorkers, QueueWorker {
        final Thread owner = Thread.currentThread();
        final List<String> calls = new ArrayList<>();
        long stamp;

        @Override
        public QueueWorker current() {
            return Thread.currentThread() == owner ? this : null;
        }

        @Override
        public void returned() {
            record("returned");
        }

        @Override
        public void idle() {
            record("idle");
        }

        @Override
        public void parking() {
            // Any number of times; the tests want to know whether at all.
            if (!calls.get(calls.size() - 1).equals("parking")) {
                record("parking");
            }
        }

        @Override
        public void delayed() {
            record("delayed");
        }

        @Override
        public void took(Runnable task, long enqueuedNanos) {
            stamp = enqueuedNanos;
            record("took " + task);
        }

        private void record(String call) {
            assertThat(Thread.currentThread()).isSameAs(owner);
            calls.add(call);
        }
    }

    private Recorder attached() {
        Recorder recorder = new Recorder();
        assertThat(queue.attach(recorder)).isTrue();
        return recorder;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void take_taskThere_returnedAndTook(boolean timed) throws Exception {
        Recorder recorder = attached();
        long before = System.nanoTime();
        queue.add(A);
        long after = System.nanoTime();
        assertThat(timed ? queue.poll(1, SECONDS) : queue.take()).isSameAs(A);
        assertThat(recorder.calls).containsExactly("returned", "took a");
        assertThat(recorder.stamp).isBetween(before, after);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void take_taskComesWhileParked_idleAndParkingInBetween(boolean timed) throws Exception {
        Started<Recorder> worker = threads.start(() -> {
                    Recorder recorder = attached();
                    assertThat(timed ? queue.poll(1_000, SECONDS) : queue.take())
                            .isSameAs(A);
                    return recorder;
                })
                .awaitParked(queue);
        queue.add(A);
        assertThat(worker.join().calls).containsExactly("returned", "idle", "parking", "delayed", "took a");
    }

    @Test
    void timedPoll_nothingComes_noCallAfterParking() throws Exception {
        Recorder recorder = attached();
        assertThat(queue.poll(20, MILLISECONDS)).isNull();
        assertThat(recorder.calls).startsWith("returned", "idle").doesNotContain("took a");
        recorder.calls.clear();
        assertThat(queue.poll(0, SECONDS)).isNull();
        assertThat(recorder.calls).containsExactly("returned");
    }

    @Test
    void take_interrupted_onlyReturned() {
        Recorder recorder = attached();
        Thread.currentThread().interrupt();
        assertThatThrownBy(queue::take).isInstanceOf(InterruptedException.class);
        assertThat(recorder.calls).containsExactly("returned");
    }

    @Test
    void otherOperations_byTheWorker_noCalls() throws Exception {
        Recorder recorder = attached();
        queue.put(A);
        queue.add(A);
        queue.admit(A, 1);
        queue.peek();
        queue.poll();
        queue.iterator().next();
        assertThat(queue.contains(A)).isTrue();
        queue.remove(A);
        queue.drainTo(new ArrayList<>());
        queue.clear();
        assertThat(recorder.calls).isEmpty();
    }

    @Test
    void take_byAnotherThread_noCalls() throws Exception {
        Recorder recorder = attached();
        queue.add(A);
        assertThat(threads.start(queue::take).join()).isSameAs(A);
        assertThat(recorder.calls).isEmpty();
    }

    @Test
    void attach_secondPool_refused() {
        Recorder recorder = attached();
        assertThat(queue.attach(recorder)).isTrue();
        assertThat(queue.attach(new Recorder())).isFalse();
        assertThatThrownBy(() -> queue.attach(null)).isInstanceOf(NullPointerException.class);
    }

    /** Otherwise the time in which the worker lets others in would be a part of its next task. */
    @Test
    void take_letsAWaitingProducerIn_workerIsToldBeforeItsTaskBegins() throws Exception {
        Recorder recorder = new Recorder();
        queue.attach(recorder);
        for (int i = 0; i < 4; i++) {
            queue.add(A);
        }
        Started<?> producer = threads.start(() -> {
            queue.put(A);
            return null;
        });
        producer.awaitParked(queue);
        queue.take();
        producer.join();
        queue.take();
        assertThat(recorder.calls).containsExactly("returned", "delayed", "took a", "returned", "took a");
    }
}
