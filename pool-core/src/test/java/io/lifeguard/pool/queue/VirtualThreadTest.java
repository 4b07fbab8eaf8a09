package io.lifeguard.pool.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Waiting costs a virtual thread no carrier: more of them than there are carriers wait, and others still run. */
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualThreadTest {
    private static final int MANY = 512;

    @Test
    void take_moreWaitThanThereAreCarriers_producersStillRun() throws Exception {
        WorkQueue queue = WorkQueue.bounded(16);
        List<Future<Runnable>> taken = new ArrayList<>();
        List<Future<?>> put = new ArrayList<>();
        ExecutorService threads = perTask();
        try {
            for (int i = 0; i < MANY; i++) {
                taken.add(threads.submit(queue::take));
            }
            for (int i = 0; i < MANY; i++) {
                Runnable task = Tasks.single("task " + i);
                put.add(threads.submit(() -> {
                    queue.put(task);
                    return null;
                }));
            }
            joinAll(put);
            joinAll(taken);
        } finally {
            threads.shutdownNow();
        }
        assertThat(queue).isEmpty();
    }

    @Test
    void put_moreWaitThanThereAreCarriers_consumersStillRun() throws Exception {
        WorkQueue queue = WorkQueue.bounded(1);
        List<Future<?>> all = new ArrayList<>();
        ExecutorService threads = perTask();
        try {
            for (int i = 0; i < MANY; i++) {
                Runnable task = Tasks.single("task " + i);
                all.add(threads.submit(() -> {
                    queue.put(task);
                    return null;
                }));
            }
            for (int i = 0; i < MANY; i++) {
                all.add(threads.submit(queue::take));
            }
            joinAll(all);
        } finally {
            threads.shutdownNow();
        }
        assertThat(queue).isEmpty();
    }

    private static void joinAll(List<? extends Future<?>> futures) throws Exception {
        for (Future<?> future : futures) {
            future.get(TestThreads.LONG.toSeconds(), TimeUnit.SECONDS);
        }
    }

    /** Compiled for 17, which does not have it. */
    private static ExecutorService perTask() throws IllegalAccessException, NoSuchMethodException {
        try {
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (InvocationTargetException e) {
            throw new AssertionError(e);
        }
    }
}
