package io.lifeguard.pool.tools.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.tools.dumps.ThreadDumps;
import io.lifeguard.pool.tools.watch.PoolFinder.FoundPool;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which threads of a dump are found to be whose workers. */
class PoolFinderTest {

    @ParameterizedTest
    @CsvSource({
        "orders-7, java.util.concurrent.ThreadPoolExecutor.runWorker, EXECUTOR, orders",
        "pool-1-thread-3, java.util.concurrent.ThreadPoolExecutor.runWorker, EXECUTOR, pool-1",
        "vert.x-worker-thread-0, java.util.concurrent.ThreadPoolExecutor$Worker.runWorker, EXECUTOR, vert.x-worker",
        "http-nio-8080-exec-12, org.apache.tomcat.util.threads.ThreadPoolExecutor.runWorker, TOMCAT,"
                + " http-nio-8080-exec",
        "qtp1585787493-25, org.eclipse.jetty.util.thread.QueuedThreadPool$Runner.run, JETTY, qtp1585787493",
        "qtp15-25-acceptor-0@7a0b, org.eclipse.jetty.util.thread.QueuedThreadPool$Runner.run, JETTY, qtp15",
        "XNIO-1 task-2, org.jboss.threads.EnhancedQueueExecutor$ThreadBody.run, JBOSS, XNIO-1 task",
        "XNIO-1 I/O-2, org.xnio.nio.WorkerThread.run, EVENT_LOOPS, XNIO-1 I/O",
        "vert.x-eventloop-thread-1, io.netty.channel.nio.NioEventLoop.run, EVENT_LOOPS, vert.x-eventloop",
        "grpc-1, io.grpc.netty.shaded.io.netty.channel.epoll.EpollEventLoop.run, EVENT_LOOPS, grpc",
        "ForkJoinPool.commonPool-worker-1, java.util.concurrent.ForkJoinWorkerThread.run, FORK_JOIN,"
                + " ForkJoinPool.commonPool",
        "app-pekko.actor.default-dispatcher-5, java.util.concurrent.ForkJoinWorkerThread.run, FORK_JOIN,"
                + " app-pekko.actor.default-dispatcher",
        "kafka-producer-network-thread | producer-1, org.apache.kafka.clients.producer.internals.Sender.run, KAFKA,"
                + " kafka-producer-network-thread | producer"
    })
    void find_worker_isOfItsKind(String thread, String frame, PoolKind kind, String pool) {
        List<FoundPool> found = find(thread(thread, frame));

        assertThat(found).hasSize(1);
        assertThat(found.get(0).kind()).isEqualTo(kind);
        assertThat(found.get(0).name()).isEqualTo(pool);
    }

    @Test
    void find_threadOfNoPool_isNoWorker() {
        assertThat(find(thread("main", "com.example.Main.main"))).isEmpty();
    }

    /** The JDK runs them in an executor, one for each child process, as long as the process lives. */
    @Test
    void find_threadsThatWaitForChildProcesses_areNoPool() {
        String reaper = """
                "process reaper (pid %d)" #%d daemon prio=10 os_prio=0 tid=0x1 nid=0x%d runnable
                   java.lang.Thread.State: RUNNABLE
                \tat java.lang.ProcessHandleImpl.waitForProcessExit0(java.base@17.0.15/Native Method)
                \tat java.lang.ProcessHandleImpl$1.run(java.base@17.0.15/ProcessHandleImpl.java:150)
                \tat java.util.concurrent.ThreadPoolExecutor.runWorker(java.base@17.0.15/ThreadPoolExecutor.java:1136)
                \tat java.util.concurrent.ThreadPoolExecutor$Worker.run(java.base@17.0.15/ThreadPoolExecutor.java:635)
                \tat java.lang.Thread.run(java.base@17.0.15/Thread.java:840)

                """;

        assertThat(find(reaper.formatted(4711, 20, 20) + reaper.formatted(4712, 21, 21)))
                .isEmpty();
    }

    @Test
    void find_carriers_areOnePoolWithTheIdleOnes() {
        List<FoundPool> found = find(thread("ForkJoinPool-1-worker-1", "java.util.concurrent.ForkJoinWorkerThread.run")
                + thread("ForkJoinPool-1-worker-2", "jdk.internal.vm.Continuation.run"));

        assertThat(found).hasSize(1);
        assertThat(found.get(0).kind()).isEqualTo(PoolKind.CARRIERS);
        assertThat(found.get(0).workers()).hasSize(2);
    }

    @Test
    void find_twoKindsOfOneName_haveNamesOfTheirOwn() {
        List<FoundPool> found = find(thread("orders-1", "java.util.concurrent.ThreadPoolExecutor.runWorker")
                + thread("orders-2", "java.util.concurrent.ForkJoinWorkerThread.run"));

        assertThat(found).extracting(FoundPool::name).doesNotHaveDuplicates().hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({
        "orders-7, orders",
        "orders, orders",
        "orders7, orders",
        "orders-1-2, orders-1",
        "orders-worker-7, orders",
        "orders thread # 7, orders",
        "thread-thread-7, thread",
        "ordersthread7, orders",
        "orders(7), orders",
        "orders[7], orders",
        "orders #7 prio, orders prio",
        "http-thread-pool::http-listener(12), http-thread-pool::http-listener",
        "HikariPool-1 housekeeper, HikariPool-1 housekeeper",
        "Thread-7, Thread",
        "Thread-7 (ActiveMQ-server-ActiveMQServerImpl::name=shop), ActiveMQ-server-ActiveMQServerImpl::name=shop",
        "Thread-x (pool), Thread-x (pool)",
        "thread-7, thread-7",
        "worker7, worker7",
        "42, 42",
        "-7, -7",
        "7-x, 7-x"
    })
    void name_numberAtTheEnd_isLeftOut(String thread, String pool) {
        assertThat(PoolFinder.name(thread)).isEqualTo(pool);
    }

    @ParameterizedTest
    @CsvSource({"worker 7 of orders, worker of orders", "7-x, x", "h2 mv, h2 mv", "orders-7, orders", "x, x"})
    void nameWithoutAnyNumber_numberBetweenWords_isLeftOut(String thread, String pool) {
        assertThat(PoolFinder.nameWithoutAnyNumber(thread)).isEqualTo(pool);
    }

    /** Any program may call a thread so, and each look at it asks for the names of all its threads. */
    @ParameterizedTest
    @CsvSource({"1, x", "-, x", "-1, x", "thread-, x", "1, ''", "-, ''", "[, x", "1x, x"})
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void name_isLong_takesNoTimePerPairOfLetters(String part, String end) {
        String name = part.repeat(300_000) + end;

        assertThat(PoolFinder.name(name)).isEqualTo(name);
        assertThat(PoolFinder.nameWithoutAnyNumber(name)).isNotEmpty();
    }

    @Test
    void find_threadsOfJava17AndLater_haveTheirNativeIds() {
        assertThat(ids("nid=0x1a2b")).containsExactly(6699L);
        assertThat(ids("nid=6699")).containsExactly(6699L);
    }

    private static List<Long> ids(String nid) {
        String text = thread("orders-1", "java.util.concurrent.ThreadPoolExecutor.runWorker")
                .replace("nid=0x7", nid);
        return find(text).get(0).workers().stream()
                .map(worker -> worker.nativeId().getAsLong())
                .toList();
    }

    private static List<FoundPool> find(String threads) {
        return PoolFinder.find(ThreadDumps.parse("test", "Full thread dump\n" + threads)
                .dumps()
                .get(0));
    }

    private static String thread(String name, String frame) {
        return """
            "%s" #1 prio=5 os_prio=0 cpu=1.00ms elapsed=1.00s tid=0x00007f nid=0x7 runnable
               java.lang.Thread.State: RUNNABLE
            \tat com.example.Orders.load(Orders.java:42)
            \tat %s(Unknown Source)

            """.formatted(name, frame);
    }
}
