package io.lifeguard.pool.diagnosis.outside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.diagnosis.system.ThreadReader;
import io.lifeguard.pool.os.NativeThread;
import io.lifeguard.pool.os.ThreadCpuTime;
import io.lifeguard.pool.os.Unknown;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real threads, each of which knows its own number. */
class WorkerNumbersTest {

    private static final int THREADS = 12;

    private final Map<Thread, Long> truth = new ConcurrentHashMap<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();

    @AfterEach
    void end() throws Exception {
        end.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Of all names the system keeps the same 15 bytes. */
    @Test
    void search_workersOfOneName_eachHasItsOwnNumber() {
        assumeThat(NativeThread.currentId()).as("Linux").isNotEqualTo(Unknown.NUMBER);
        start("executor-thread-");
        start("executor-threads-of-another-");
        WorkerNumbers numbers = new WorkerNumbers(new ThreadReader());
        List<Thread> workers = threads.subList(0, THREADS);

        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            numbers.search(workers);
            assertThat(workers).allMatch(worker -> numbers.of(worker).isPresent());
        });

        assertThat(workers).allMatch(worker -> numbers.of(worker).getAsLong() == truth.get(worker));
    }

    @Test
    void search_systemDoesNotSay_numbersAreUnknown(@TempDir Path directory) {
        start("executor-thread-");
        WorkerNumbers numbers = new WorkerNumbers(new ThreadReader(directory));

        numbers.search(threads);

        assertThat(threads).allMatch(worker -> numbers.of(worker).isEmpty());
    }

    /** Each computes for another time, 2 ms apart, and then waits. */
    private void start(String prefix) {
        for (int i = 0; i < THREADS; i++) {
            long nanos = Duration.ofMillis(2L * (threads.size() + 1)).toNanos();
            Thread thread = new Thread(() -> compute(nanos), prefix + (i + 1));
            threads.add(thread);
            thread.start();
        }
        await().atMost(Duration.ofSeconds(60)).until(() -> truth.size() == threads.size());
    }

    private void compute(long nanos) {
        while (ThreadCpuTime.ofCurrentThread() < nanos) {
            Thread.onSpinWait();
        }
        truth.put(Thread.currentThread(), NativeThread.currentId());
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
