package io.lifeguard.pool.diagnosis.evidence.stack;

import static java.lang.Thread.State.BLOCKED;
import static java.lang.Thread.State.RUNNABLE;
import static java.lang.Thread.State.TIMED_WAITING;
import static java.lang.Thread.State.WAITING;
import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.diagnosis.system.OsState;
import io.lifeguard.pool.diagnosis.window.Doing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Stacks as the JDKs from 8 to 25 show them; those of the running JDK are tried with real threads in
 * {@link StackSamplerTest}.
 */
class StacksTest {

    private static final String PARK_8 = "sun.misc.Unsafe.park java.util.concurrent.locks.LockSupport.park";
    private static final String USER = " com.example.Orders.load";

    @ParameterizedTest
    @CsvSource({
        "java.util.concurrent.LinkedBlockingQueue.take java.util.concurrent.ThreadPoolExecutor.getTask, IDLE",
        "com.example.MyQueue.take java.util.concurrent.ThreadPoolExecutor.getTask, IDLE",
        "java.util.concurrent.ForkJoinPool.awaitWork java.util.concurrent.ForkJoinPool.runWorker, IDLE",
        "java.util.concurrent.ForkJoinPool.runWorker, IDLE",
        "org.apache.tomcat.util.threads.ThreadPoolExecutor.getTask, IDLE",
        "org.eclipse.jetty.util.BlockingArrayQueue.poll"
                + " org.eclipse.jetty.util.thread.QueuedThreadPool$Runner.idleJobPoll,"
                + " IDLE",
        "org.eclipse.jetty.util.thread.ReservedThreadExecutor$ReservedThread.waitForTask, IDLE",
        "java.util.concurrent.LinkedBlockingQueue.take io.netty.util.concurrent.SingleThreadEventExecutor.takeTask, IDLE",
        "org.jboss.threads.EnhancedQueueExecutor$PoolThreadNode.park"
                + " org.jboss.threads.EnhancedQueueExecutor$ThreadBody.run,"
                + " IDLE",
        "com.example.A.b org.jboss.threads.EnhancedQueueExecutor$Task.run"
                + " org.jboss.threads.EnhancedQueueExecutor$ThreadBody.run, WAITING_IN_LINE",
        "java.util.concurrent.FutureTask.awaitDone java.util.concurrent.FutureTask.get com.example.A.b,"
                + " WAITING_FOR_RESULT",
        "java.util.concurrent.CompletableFuture$Signaller.block java.util.concurrent.CompletableFuture.join"
                + " com.example.A.b, WAITING_FOR_RESULT",
        "java.util.concurrent.CountDownLatch.await com.example.A.b, WAITING_FOR_RESULT",
        "com.google.common.util.concurrent.AbstractFuture.get com.example.A.b, WAITING_FOR_RESULT",
        "java.util.concurrent.CompletableFuture.get jdk.internal.net.http.HttpClientImpl.send com.example.A.b,"
                + " WAITING_OUTSIDE",
        "java.lang.UNIXProcess.waitFor com.example.A.b, WAITING_OUTSIDE",
        "io.grpc.stub.ClientCalls$ThreadlessExecutor.waitAndDrain io.grpc.stub.ClientCalls.blockingUnaryCall"
                + " com.example.A.b, WAITING_OUTSIDE",
        "java.util.concurrent.ArrayBlockingQueue.take io.grpc.stub.ClientCalls$BlockingResponseStream.waitForNext"
                + " com.example.A.b, WAITING_OUTSIDE",
        "java.util.concurrent.CompletableFuture.timedGet io.lettuce.core.protocol.AsyncCommand.await com.example.A.b,"
                + " WAITING_OUTSIDE",
        "java.util.concurrent.CountDownLatch.await"
                + " org.apache.kafka.clients.producer.internals.ProduceRequestResult.await com.example.A.b,"
                + " WAITING_OUTSIDE",
        "com.example.A.b io.lettuce.core.protocol.AsyncCommand.await, WAITING_IN_LINE",
        "java.util.concurrent.locks.AbstractQueuedSynchronizer.acquireSharedInterruptibly"
                + " scala.concurrent.impl.Promise$DefaultPromise.tryAwait0 com.example.A.b, WAITING_FOR_RESULT",
        "java.util.concurrent.Semaphore.acquire"
                + " org.springframework.batch.infrastructure.repeat.support.ResultHolderResultQueue.expect"
                + " org.springframework.batch.core.step.tasklet.TaskletStep.doExecute, WAITING_FOR_RESULT",
        "java.util.concurrent.SynchronousQueue.poll com.zaxxer.hikari.util.ConcurrentBag.borrow com.example.A.b,"
                + " WAITING_IN_LINE",
        "com.example.A.b java.util.concurrent.FutureTask.run java.util.concurrent.ForkJoinPool.runWorker,"
                + " WAITING_IN_LINE",
    })
    void doing_parked_readsWhatItWaitsFor(String frames, Doing doing) {
        List<StackTraceElement> stack = stack(PARK_8 + " " + frames);

        assertThat(Stacks.doing(WAITING, stack, "")).isEqualTo(doing);
        assertThat(Stacks.doing(TIMED_WAITING, stack, "")).isEqualTo(doing);
    }

    /** One connection carries many calls, each of which waits on its own stream. */
    @Test
    void doing_waitsOnAStreamOfOkHttp_isOutside() {
        List<StackTraceElement> stack =
                stack("java.lang.Object.wait okhttp3.internal.http2.Http2Stream.waitForIo$okhttp"
                        + " okhttp3.internal.http2.Http2Stream.takeHeaders" + USER);

        assertThat(Stacks.doing(WAITING, stack, "okhttp3.internal.http2.Http2Stream"))
                .isEqualTo(Doing.WAITING_OUTSIDE);
    }

    /** Four threads that accept connections of one socket: three wait for the lock of the fourth. */
    @Test
    void doing_waitsForItsTurnToAccept_isOutside() {
        List<StackTraceElement> stack =
                stack("java.util.concurrent.locks.LockSupport.park java.util.concurrent.locks.ReentrantLock.lock"
                        + " sun.nio.ch.NioSocketImpl.accept java.net.ServerSocket.implAccept"
                        + " java.net.ServerSocket.accept" + USER);
        String lock = "java.util.concurrent.locks.ReentrantLock$NonfairSync";

        assertThat(Stacks.doing(WAITING, stack, lock)).isEqualTo(Doing.WAITING_OUTSIDE);
        assertThat(Stacks.doing(WAITING, stack.subList(0, 3), lock)).isEqualTo(Doing.WAITING_FOR_LOCK);
    }

    /** Jetty's selectors and acceptors are threads of its pool, and wait for what comes next. */
    @ParameterizedTest
    @CsvSource({
        "sun.nio.ch.EPoll.wait org.eclipse.jetty.io.ManagedSelector.nioSelect, IDLE",
        "sun.nio.ch.EPoll.wait sun.nio.ch.SelectorImpl.select org.eclipse.jetty.io.ManagedSelector.select, IDLE",
        "sun.nio.ch.Net.accept org.eclipse.jetty.server.ServerConnector.accept, IDLE",
        "com.example.A.b org.eclipse.jetty.io.ManagedSelector.select, COMPUTING",
        "sun.nio.ch.EPoll.wait com.example.A.b org.eclipse.jetty.util.thread.QueuedThreadPool.runJob, WAITING_OUTSIDE",
    })
    void doing_inNative_knowsJettysOwnThreads(String frames, Doing doing) {
        List<StackTraceElement> stack = new ArrayList<>(stack(frames));
        StackTraceElement top = stack.get(0);
        stack.set(0, new StackTraceElement(top.getClassName(), top.getMethodName(), null, -2));

        assertThat(Stacks.doing(RUNNABLE, stack, "")).isEqualTo(doing);
    }

    @ParameterizedTest
    @CsvSource({
        "java.util.concurrent.locks.ReentrantLock$FairSync, WAITING_FOR_LOCK",
        "java.util.concurrent.locks.ReentrantReadWriteLock$NonfairSync, WAITING_FOR_LOCK",
        "java.util.concurrent.locks.StampedLock, WAITING_FOR_LOCK",
        "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject, WAITING_IN_LINE",
        "java.util.concurrent.Semaphore$FairSync, WAITING_IN_LINE",
        "com.example.DefaultReadFuture, WAITING_FOR_RESULT",
        "com.example.Reply$PromiseImpl, WAITING_FOR_RESULT",
        "com.example.FutureOrders, WAITING_IN_LINE",
        "com.example.ReentrantLockOfOurs, WAITING_IN_LINE",
    })
    void doing_parkedOnAnObject_knowsLocks(String waitsFor, Doing doing) {
        assertThat(Stacks.doing(WAITING, stack(PARK_8 + USER), waitsFor)).isEqualTo(doing);
    }

    /** The dumps of Java 21 do not say for what a virtual thread waits. */
    @ParameterizedTest
    @CsvSource({
        "java.util.concurrent.locks.ReentrantLock.lock, WAITING_FOR_LOCK",
        "java.util.concurrent.locks.ReentrantReadWriteLock$ReadLock.lock, WAITING_FOR_LOCK",
        "java.util.concurrent.Semaphore.acquire, WAITING_IN_LINE",
        "com.example.Lock.lock, WAITING_IN_LINE",
    })
    void doing_parkedOnAnUnknownObject_knowsTheMethodsOfLocks(String taker, Doing doing) {
        assertThat(Stacks.doing(WAITING, stack(PARK_8 + " " + taker + USER), ""))
                .isEqualTo(doing);
    }

    @Test
    void doing_sleepingOrNotified_isNoLock() {
        assertThat(Stacks.doing(TIMED_WAITING, stack("java.lang.Thread.sleep" + USER), ""))
                .isEqualTo(Doing.SLEEPING);
        assertThat(Stacks.doing(TIMED_WAITING, stack("java.lang.Thread.sleep0 java.lang.Thread.sleep" + USER), ""))
                .isEqualTo(Doing.SLEEPING);
        assertThat(Stacks.doing(WAITING, stack("java.lang.Object.wait" + USER), "com.example.Orders"))
                .isEqualTo(Doing.WAITING_IN_LINE);
        assertThat(Stacks.doing(BLOCKED, stack("com.example.Orders.load"), "com.example.Orders"))
                .isEqualTo(Doing.WAITING_FOR_LOCK);
    }

    @Test
    void doing_runnableInNative_isToldByTheSystemOtherwiseByTheMethod() {
        List<StackTraceElement> read =
                stack("java.net.SocketInputStream.socketRead0! java.net.SocketInputStream.read" + USER);
        List<StackTraceElement> deflate = stack("java.util.zip.Deflater.deflateBytesBytes!" + USER);
        List<StackTraceElement> driver = stack("com.example.Native.call!" + USER);

        assertThat(runnable(read, OsState.UNKNOWN)).isEqualTo(Doing.WAITING_OUTSIDE);
        assertThat(runnable(read, OsState.RUNNING)).isEqualTo(Doing.COMPUTING);
        assertThat(runnable(deflate, OsState.UNKNOWN)).isEqualTo(Doing.COMPUTING);
        assertThat(runnable(driver, OsState.UNKNOWN)).isEqualTo(Doing.COMPUTING);
        assertThat(runnable(driver, OsState.WAITING)).isEqualTo(Doing.WAITING_OUTSIDE);
    }

    @Test
    void doing_runnableInJava_isRunning() {
        assertThat(runnable(stack("com.example.Orders.load"), OsState.WAITING)).isEqualTo(Doing.COMPUTING);
        assertThat(runnable(List.of(), OsState.WAITING)).isEqualTo(Doing.COMPUTING);
        assertThat(runnable(stack("java.lang.ref.Reference.waitForReferencePendingList!"), OsState.UNKNOWN))
                .isEqualTo(Doing.WAITING_IN_LINE);
    }

    @Test
    void place_ofAStack_isTheFirstFrameOfTheUsersOwn() {
        assertThat(UserFrames.place(stack(
                        PARK_8 + " com.zaxxer.hikari.pool.HikariPool.getConnection" + USER + " com.example.Main.run")))
                .isEqualTo("com.example.Orders.load(Orders.java:1)");
        assertThat(UserFrames.place(stack(
                        "io.lifeguard.pool.PoolWorker.run com.zaxxer.hikari.pool.PoolBase.check java.lang.Thread.run")))
                .isEqualTo("com.zaxxer.hikari.pool.PoolBase.check(PoolBase.java:1)");
        assertThat(UserFrames.place(stack("java.lang.Thread.run"))).isEqualTo("java.lang.Thread.run(Thread.java:1)");
        assertThat(UserFrames.place(List.of())).isEmpty();
        StackTraceElement modular = new StackTraceElement("app", "shop", "1", "shop.Orders", "load", "Orders.java", 7);
        assertThat(UserFrames.place(List.of(modular))).isEqualTo("shop.Orders.load(Orders.java:7)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.apache.kafka.clients.producer.KafkaProducer.send",
                "com.mongodb.internal.connection.DefaultServer.getConnection",
                "io.grpc.stub.ClientCalls.blockingUnaryCall",
                "dev.failsafe.internal.RetryPolicyExecutor.apply",
                "org.apache.mina.core.future.DefaultIoFuture.await0",
                "software.amazon.awssdk.services.s3.DefaultS3Client.getObject",
                "feign.SynchronousMethodHandler.invoke"
            })
    void place_belowAClientsFrames_isTheUsersOwn(String client) {
        assertThat(UserFrames.place(stack(PARK_8 + " " + client + USER)))
                .isEqualTo("com.example.Orders.load(Orders.java:1)");
    }

    private static Doing runnable(List<StackTraceElement> stack, OsState system) {
        return Stacks.doing(RUNNABLE, stack, "", system);
    }

    /** Frames by name, top first; with an exclamation mark native ones. */
    static List<StackTraceElement> stack(String frames) {
        return Arrays.stream(frames.trim().split(" ")).map(StacksTest::frame).toList();
    }

    private static StackTraceElement frame(String call) {
        boolean inNative = call.endsWith("!");
        String name = inNative ? call.substring(0, call.length() - 1) : call;
        String type = name.substring(0, name.lastIndexOf('.'));
        String file = type.substring(type.lastIndexOf('.') + 1) + ".java";
        return new StackTraceElement(type, name.substring(name.lastIndexOf('.') + 1), file, inNative ? -2 : 1);
    }
}
