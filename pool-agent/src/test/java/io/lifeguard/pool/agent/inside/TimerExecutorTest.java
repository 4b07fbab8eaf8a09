package io.lifeguard.pool.agent.inside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.diagnosis.external.PoolGauges;
import java.time.Duration;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a timer is seen to do. Surefire opens java.util, as the agent does. */
class TimerExecutorTest {

    private final Timer timer = new Timer("billing");
    private final CountDownLatch end = new CountDownLatch(1);
    private final TimerExecutor.Reader reader = new TimerExecutor.Reader();

    @AfterEach
    void close() {
        end.countDown();
        timer.cancel();
    }

    @Test
    void look_newThread_findsTheTimerByTheNameOfItsThread() {
        assertThat(new ExecutorSearch().look()).extracting(FoundExecutor::name).contains("billing");
    }

    @Test
    void read_tasksThatAreNotDue_isIdleAndNotLate() throws Exception {
        TimerExecutor found = found();
        timer.schedule(new Short(), 3_600_000);

        await().untilAsserted(() -> assertThat(reader.read(found)).isEqualTo(gauges(0, 0)));
        assertThat(reader.lateness(found)).isZero();
    }

    @Test
    void read_taskThatHangs_countsWhatIsDueAndHowLateItIs() throws Exception {
        TimerExecutor found = found();
        timer.schedule(new Hanging(), 0, 3_600_000);
        timer.schedule(new Short(), 10);
        timer.schedule(new Short(), 20, 3_600_000);
        Short cancelled = new Short();
        timer.schedule(cancelled, 30);
        cancelled.cancel(); // and it stays in the queue
        timer.schedule(new Short(), 3_600_000);

        await().untilAsserted(() -> assertThat(reader.read(found)).isEqualTo(gauges(1, 2)));
        await().until(() -> reader.lateness(found).toMillis() >= 100);
        assertThat(reader.lateness(found)).isLessThan(Duration.ofMinutes(1));
    }

    /** It holds up nothing but itself, and may be meant to run on and on. */
    @Test
    void read_taskThatIsLongerThanItsPeriod_isNotLateItself() throws Exception {
        TimerExecutor found = found();
        Hanging task = new Hanging();
        timer.schedule(task, 0, 10);
        await().until(() -> reader.read(found).active() == 1);
        await().until(() -> System.currentTimeMillis() > task.scheduledExecutionTime() + 100);

        assertThat(reader.read(found)).isEqualTo(gauges(1, 0));
        assertThat(reader.lateness(found)).isZero();
    }

    @Test
    void isTerminated_cancelled_onceItsThreadHasEnded() throws Exception {
        TimerExecutor found = found();
        List<Thread> threads = reader.workers(found);
        assertThat(reader.isTerminated(found)).isFalse();

        timer.cancel();

        threads.get(0).join();
        assertThat(reader.isTerminated(found)).isTrue();
        assertThat(reader.read(found)).isEqualTo(gauges(0, 0));
    }

    private TimerExecutor found() throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        timer.schedule(new Telling(thread), 0);
        return TimerExecutor.of(thread.get());
    }

    private static PoolGauges gauges(int active, int queued) {
        return new PoolGauges(1, active, queued, PoolGauges.UNKNOWN, 1, 1, Integer.MAX_VALUE);
    }

    private static final class Telling extends TimerTask {
        private final CompletableFuture<Thread> thread;

        Telling(CompletableFuture<Thread> thread) {
            this.thread = thread;
        }

        @Override
        public void run() {
            thread.complete(Thread.currentThread());
        }
    }

    private static final class Short extends TimerTask {
        @Override
        public void run() {}
    }

    private final class Hanging extends TimerTask {
        @Override
        public void run() {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
