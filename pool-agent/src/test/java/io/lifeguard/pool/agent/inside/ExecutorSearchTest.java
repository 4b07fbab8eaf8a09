package io.lifeguard.pool.agent.inside;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Supplier;
import org.jboss.threads.EnhancedQueueExecutor;
import org.junit.jupiter.api.Test;

/** The way from a thread to its executor. Surefire opens java.lang and java.util.concurrent, as the agent does. */
class ExecutorSearchTest {

    @Test
    void executorOf_workerOfThreadPool_isThePool() throws Exception {
        ThreadPoolExecutor pool = (ThreadPoolExecutor) Executors.newFixedThreadPool(1);

        assertThat(executorOfWorker(pool)).isSameAs(pool);
    }

    /** As tracing libraries and factories of frameworks do. */
    @Test
    void executorOf_workerInTwoWrappers_isThePool() throws Exception {
        ThreadFactory factory = worker -> {
            Runnable inner = worker::run;
            return new Thread(() -> inner.run());
        };
        ThreadPoolExecutor pool = (ThreadPoolExecutor) Executors.newFixedThreadPool(1, factory);

        assertThat(executorOfWorker(pool)).isSameAs(pool);
    }

    /** As the thread factory of WildFly's request threads does. */
    @Test
    void executorOf_workerInWrapperOfAnonymousClass_isThePool() throws Exception {
        ThreadFactory factory = worker -> new Supplier<Thread>() {
            @Override
            public Thread get() {
                return new Thread(new Runnable() {
                    @Override
                    public void run() {
                        worker.run();
                    }
                });
            }
        }.get();
        ThreadPoolExecutor pool = (ThreadPoolExecutor) Executors.newFixedThreadPool(1, factory);

        assertThat(executorOfWorker(pool)).isSameAs(pool);
    }

    @Test
    void executorOf_workerOfScheduledOrForkJoinPool_isThePool() throws Exception {
        ThreadPoolExecutor scheduled = (ThreadPoolExecutor) Executors.newScheduledThreadPool(1);
        ForkJoinPool forkJoin = new ForkJoinPool(1);

        assertThat(executorOfWorker(scheduled)).isSameAs(scheduled);
        assertThat(executorOfWorker(forkJoin)).isSameAs(forkJoin);
    }

    @Test
    void executorOf_workerOfJBoss_isTheExecutor() throws Exception {
        EnhancedQueueExecutor executor = new EnhancedQueueExecutor.Builder()
                .setCorePoolSize(1)
                .setMaximumPoolSize(2)
                .build();

        assertThat(executorOfWorker(executor)).isSameAs(executor);
    }

    /** A dispatcher is no worker, although its task holds the pool. */
    @Test
    void executorOf_threadThatSubmits_isNone() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        CountDownLatch end = new CountDownLatch(1);
        Thread dispatcher = new Thread(new Dispatcher(pool, end));
        dispatcher.start();
        try {
            assertThat(ExecutorSearch.executorOf(dispatcher)).isNull();
        } finally {
            end.countDown();
            dispatcher.join();
            pool.shutdown();
        }
    }

    @Test
    void threads_ofPool_areItsWorkers() throws Exception {
        ThreadPoolExecutor pool = (ThreadPoolExecutor) Executors.newFixedThreadPool(3);
        try {
            pool.prestartAllCoreThreads();

            assertThat(WorkerFields.threads(pool))
                    .hasSize(3)
                    .allMatch(thread -> ExecutorSearch.executorOf(thread) == pool);
        } finally {
            pool.shutdown();
        }
    }

    private static Executor executorOfWorker(ExecutorService pool) throws Exception {
        try {
            Supplier<Executor> own = () -> ExecutorSearch.executorOf(Thread.currentThread());
            Future<Executor> found = pool.submit(own::get);
            return found.get();
        } finally {
            pool.shutdown();
        }
    }

    private record Dispatcher(ExecutorService pool, CountDownLatch end) implements Runnable {
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
