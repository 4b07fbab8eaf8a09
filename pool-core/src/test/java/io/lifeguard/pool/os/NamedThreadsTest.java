package io.lifeguard.pool.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Threads are found by their names, and kept while they are those of the pool. */
class NamedThreadsTest {

    private final CountDownLatch end = new CountDownLatch(1);
    private final List<Thread> started = new ArrayList<>();

    private Thread start(String name) {
        Thread thread = new Thread(
                () -> {
                    try {
                        end.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                name);
        started.add(thread);
        thread.start();
        return thread;
    }

    @AfterEach
    void endAll() throws InterruptedException {
        end.countDown();
        for (Thread thread : started) {
            thread.join();
        }
    }

    @Test
    void find_threadsOfThePrefix_areKeptUntilTheNumberChanges() {
        NamedThreads threads = new NamedThreads("named-a-");
        Thread first = start("named-a-1");
        start("other-named-a-1");
        assertThat(threads.find(1)).containsExactly(first);

        Thread second = start("named-a-2");
        assertThat(threads.find(1)).as("nothing is searched for").containsExactly(first);
        assertThat(threads.find(2)).containsExactlyInAnyOrder(first, second);
    }

    @Test
    void find_oneHasEnded_isLeftOutAndItsSuccessorFound() throws Exception {
        NamedThreads threads = new NamedThreads("named-b-");
        Thread first = start("named-b-1");
        assertThat(threads.find(1)).containsExactly(first);
        first.interrupt();
        first.join();
        Thread second = start("named-b-2");

        assertThat(threads.find(1)).containsExactly(second);
    }

    @Test
    void find_numbersDoNotAgree_searchesNowAndThen() {
        NamedThreads threads = new NamedThreads("named-c-");
        Thread first = start("named-c-1");
        assertThat(threads.find(2)).containsExactly(first);
        Thread second = start("named-c-2");

        for (int call = 0; call < 5; call++) {
            assertThat(threads.find(2)).containsExactly(first);
        }
        assertThat(threads.find(2)).containsExactlyInAnyOrder(first, second);
        assertThat(threads.doubt()).isEmpty();
    }

    @Test
    void doubt_threadsAreLostOrForeign_isSaidUntilTheNumbersAgree() {
        NamedThreads threads = new NamedThreads("named-d-");
        start("named-d-1");
        threads.find(2);
        assertThat(threads.doubt()).as("one may just be starting").isEmpty();
        for (int call = 0; call < 12; call++) {
            threads.find(2);
        }
        assertThat(threads.doubt()).hasValue("the pool has 2 threads, and the names of 1 begin with 'named-d-'");

        threads.find(1);
        assertThat(threads.doubt()).isEmpty();
    }
}
