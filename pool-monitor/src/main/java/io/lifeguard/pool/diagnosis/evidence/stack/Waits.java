package io.lifeguard.pool.diagnosis.evidence.stack;

import io.lifeguard.pool.diagnosis.seen.UserFrames;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells which frames mean which wait, in JDK 8 to 25 and some libraries. Stateless. */
public final class Waits {

    private static final String CONCURRENT = "java.util.concurrent.";
    private static final String JETTY = "org.eclipse.jetty.";
    private static final String JBOSS = "org.jboss.threads.EnhancedQueueExecutor";
    private static final String QUARTZ = "org.quartz.simpl.SimpleThreadPool$WorkerThread";
    private static final String FORK_JOIN = CONCURRENT + "ForkJoinPool";

    /** The classes of locks, as a waiting thread shows them, with their nested classes. */
    private static final List<String> LOCKS = List.of(
            CONCURRENT + "locks.ReentrantLock",
            CONCURRENT + "locks.ReentrantReadWriteLock",
            CONCURRENT + "locks.StampedLock");

    /** Their methods that take them. */
    private static final Set<String> LOCK_METHODS =
            Set.of("lock", "lockInterruptibly", "tryLock", "readLock", "writeLock");

    /** Waits of one thread for the work of others. */
    private static final Set<String> RESULTS = Set.of(
            CONCURRENT + "FutureTask.get",
            CONCURRENT + "FutureTask.awaitDone",
            CONCURRENT + "CompletableFuture.get",
            CONCURRENT + "CompletableFuture.join",
            CONCURRENT + "CompletableFuture.waitingGet",
            CONCURRENT + "CompletableFuture.timedGet",
            CONCURRENT + "ForkJoinTask.get",
            CONCURRENT + "ForkJoinTask.join",
            CONCURRENT + "ForkJoinTask.invoke",
            CONCURRENT + "ForkJoinTask.invokeAll",
            CONCURRENT + "ForkJoinTask.awaitDone",
            CONCURRENT + "ForkJoinTask.externalAwaitDone",
            CONCURRENT + "ForkJoinPool.awaitJoin",
            CONCURRENT + "ForkJoinPool.invoke",
            CONCURRENT + "ForkJoinPool.awaitQuiescence",
            CONCURRENT + "AbstractExecutorService.invokeAll",
            CONCURRENT + "AbstractExecutorService.invokeAny",
            CONCURRENT + "ExecutorCompletionService.take",
            CONCURRENT + "ExecutorCompletionService.poll",
            CONCURRENT + "CountDownLatch.await",
            CONCURRENT + "CyclicBarrier.await",
            CONCURRENT + "Phaser.awaitAdvance",
            CONCURRENT + "Phaser.arriveAndAwaitAdvance",
            CONCURRENT + "Exchanger.exchange",
            CONCURRENT + "ThreadPoolExecutor.awaitTermination",
            CONCURRENT + "ForkJoinPool.awaitTermination",
            CONCURRENT + "StructuredTaskScope.join",
            CONCURRENT + "StructuredTaskScopeImpl.join",
            "java.lang.Thread.join",
            "com.google.common.util.concurrent.AbstractFuture.get",
            "io.netty.util.concurrent.DefaultPromise.await",
            "org.apache.hc.core5.concurrent.BasicFuture.get",
            "org.apache.http.concurrent.BasicFuture.get",
            "scala.concurrent.impl.Promise$DefaultPromise.tryAwait",
            "scala.concurrent.impl.Promise$DefaultPromise.tryAwait0",
            "kotlinx.coroutines.BlockingCoroutine.joinBlocking",
            "org.springframework.batch.infrastructure.repeat.support.ResultHolderResultQueue.expect", // Spring Batch 6
            "org.springframework.batch.repeat.support.ResultHolderResultQueue.expect",
            "reactor.core.publisher.BlockingSingleSubscriber.blockingGet");

    /** Waits for I/O in which a thread is parked, and not in a native method; those of clients, too. */
    private static final List<String> IO_IN_JAVA = List.of(
            "jdk.internal.net.http.HttpClientImpl.send",
            "jdk.internal.net.http.common.",
            "jdk.internal.net.http.ResponseSubscribers$HttpResponseInputStream.",
            "java.lang.ProcessImpl.waitFor",
            "java.lang.UNIXProcess.waitFor",
            "java.lang.ProcessHandleImpl.",
            "sun.nio.ch.",
            "io.grpc.stub.ClientCalls$", // ThreadlessExecutor and BlockingResponseStream, new ones for each call
            "okhttp3.internal.http2.",
            "io.lettuce.core.",
            "org.apache.kafka.clients.producer.KafkaProducer.",
            "org.apache.kafka.clients.producer.internals.FutureRecordMetadata.",
            "org.apache.kafka.clients.producer.internals.ProduceRequestResult.",
            "org.apache.kafka.clients.producer.internals.ProducerMetadata.",
            "org.apache.kafka.common.utils.SystemTime.waitObject"); // for the producer's metadata

    /**
     * Queues of the JDK with a bound. A {@code SynchronousQueue} has no room that could be full: a thread that waits
     * there may only be a moment earlier than the thread at the other end.
     */
    private static final List<String> ROOM_CLASSES = List.of(
            CONCURRENT + "ArrayBlockingQueue", CONCURRENT + "LinkedBlockingQueue", CONCURRENT + "LinkedBlockingDeque");

    /** Their methods that wait for room. */
    private static final Set<String> ROOM_METHODS =
            Set.of("put", "putFirst", "putLast", "offer", "offerFirst", "offerLast");

    /** Their methods that wait for an element. */
    private static final Set<String> TAKE_METHODS =
            Set.of("take", "takeFirst", "takeLast", "poll", "pollFirst", "pollLast");

    private static final List<String> ACCEPTORS =
            List.of("java.net.ServerSocket", "sun.nio.ch.ServerSocketChannelImpl");

    private static final List<String> IO_CLASSES = List.of(
            "sun.nio.ch.",
            "sun.nio.fs.",
            "java.net.",
            "java.io.File",
            "java.io.RandomAccessFile",
            "java.io.UnixFileSystem",
            "java.io.WinNTFileSystem",
            "java.lang.ProcessImpl",
            "java.lang.ProcessHandleImpl",
            "java.lang.UNIXProcess",
            "sun.net.",
            "jdk.net.",
            "io.netty.channel.epoll.Native",
            "io.netty.channel.kqueue.Native",
            "io.netty.channel.uring.Native",
            "io.netty.channel.unix.");

    private Waits() {}

    /**
     * The idle moments of the pools of the JDK, Tomcat, Jetty and JBoss. Jetty's acceptors, selectors and reserved
     * threads are threads of its pool, too, and wait for connections, events and tasks.
     */
    public static boolean forTask(List<StackTraceElement> stack) {
        for (StackTraceElement frame : stack) {
            if (isForTask(frame, stack)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isForTask(StackTraceElement frame, List<StackTraceElement> stack) {
        String type = frame.getClassName();
        return switch (frame.getMethodName()) {
            case "getTask" -> type.endsWith("ThreadPoolExecutor");
            case "awaitWork" -> type.equals(FORK_JOIN);
            case "runWorker" -> type.equals(FORK_JOIN) && parksInPool(stack);
            case "idleJobPoll" -> type.startsWith(JETTY + "util.thread.QueuedThreadPool"); // 9 to 12
            case "reservedWait", "waitForTask" -> type.startsWith(JETTY + "util.thread.ReservedThreadExecutor");
            case "nioSelect", "select" -> type.startsWith(JETTY + "io.ManagedSelector") && isInJdk(stack, frame);
            case "accept" -> type.startsWith(JETTY + "server.ServerConnector") && isInJdk(stack, frame);
            case "takeTask" -> type.endsWith("netty.util.concurrent.SingleThreadEventExecutor");
            case "park" -> type.equals(JBOSS + "$PoolThreadNode");
            case "run" -> // JBoss' spins, then parks; Quartz' waits on a monitor
                (type.equals(JBOSS + "$ThreadBody") || type.equals(QUARTZ)) && isInJdk(stack, frame);
            default -> false;
        };
    }

    /** Whether there are none but frames of the JDK above. */
    private static boolean isInJdk(List<StackTraceElement> stack, StackTraceElement frame) {
        for (StackTraceElement above : stack) {
            if (above.equals(frame)) {
                return true;
            }
            if (!UserFrames.isJdk(above)) {
                return false;
            }
        }
        return true;
    }

    /** Whether a text begins with one of these. */
    static boolean startsWithAny(String text, List<String> beginnings) {
        for (String beginning : beginnings) {
            if (text.startsWith(beginning)) {
                return true;
            }
        }
        return false;
    }

    /** The first frame above the user's and the libraries' that is such a call; null where there is none. */
    private static @Nullable StackTraceElement inJdk(
            List<StackTraceElement> stack, Set<String> methods, List<String> classes) {
        for (StackTraceElement frame : stack) {
            if (!UserFrames.isJdk(frame)) {
                return null;
            }
            if (methods.contains(frame.getMethodName()) && classes.contains(frame.getClassName())) {
                return frame;
            }
        }
        return null;
    }

    private static Optional<String> classOf(@Nullable StackTraceElement frame) {
        return frame == null ? Optional.empty() : Optional.of(frame.getClassName());
    }

    /** JDK 9 to 11 park in {@code runWorker} itself. In all JDKs a worker that runs a task has other frames above. */
    private static boolean parksInPool(List<StackTraceElement> stack) {
        for (StackTraceElement frame : stack) {
            String type = frame.getClassName();
            if (type.equals(FORK_JOIN)) {
                return frame.getMethodName().equals("runWorker");
            }
            if (!type.equals(CONCURRENT + "locks.LockSupport") && !type.endsWith("misc.Unsafe")) {
                return false;
            }
        }
        return false;
    }

    public static boolean forLock(String waitsFor) {
        if (!waitsFor.startsWith(CONCURRENT)) {
            return false; // most waits, asked about at each look
        }
        int nested = waitsFor.indexOf('$');
        return LOCKS.contains(nested < 0 ? waitsFor : waitsFor.substring(0, nested));
    }

    /** Whether several threads can have a lock of this class at a time, as readers. */
    public static boolean mayBeShared(String lock) {
        return lock.contains("ReentrantReadWriteLock") || lock.contains("StampedLock");
    }

    /** Whether a thread takes a lock. The dumps of JDK 21 show the method and not the lock. */
    static boolean takesLock(List<StackTraceElement> stack) {
        for (StackTraceElement frame : stack) {
            if (!UserFrames.isJdk(frame)) {
                return false;
            }
            if (LOCK_METHODS.contains(frame.getMethodName()) && forLock(frame.getClassName())) {
                return true;
            }
        }
        return false;
    }

    /** Threads that accept connections of one socket do so in turn: each waits for the next connection. */
    static boolean forConnection(List<StackTraceElement> stack) {
        return inJdk(stack, Set.of("accept"), ACCEPTORS) != null;
    }

    static boolean forTime(StackTraceElement frame) {
        return frame.getClassName().equals("java.lang.Thread")
                && (frame.getMethodName().equals("sleep")
                        || frame.getMethodName().equals("sleep0")
                        || frame.getMethodName().equals("sleepNanos"));
    }

    /** A thread that code outside of the JDK parks for a time, on no object: a rate limiter. */
    public static boolean forTimeOnly(List<StackTraceElement> stack) {
        boolean isTimed = false;
        for (StackTraceElement frame : stack) {
            String method = frame.getMethodName();
            if (frame.getClassName().equals(CONCURRENT + "locks.LockSupport")) {
                isTimed |= method.equals("parkNanos") || method.equals("parkUntil");
            } else if (!frame.getClassName().endsWith("misc.Unsafe")) {
                return isTimed && !UserFrames.isJdk(frame);
            }
        }
        return false;
    }

    static boolean forIo(StackTraceElement frame) {
        return startsWithAny(call(frame), IO_IN_JAVA);
    }

    /** Whether a publisher waits for room in a ring buffer of the LMAX Disruptor, which parks for a time. */
    static boolean forRoomInRing(List<StackTraceElement> stack) {
        for (StackTraceElement frame : stack) {
            if (!UserFrames.isJdk(frame)) {
                String type = frame.getClassName();
                return type.startsWith("com.lmax.disruptor.")
                        && type.endsWith("Sequencer")
                        && frame.getMethodName().equals("next");
            }
        }
        return false;
    }

    /** The class of the bounded queue, of the JDK or the LMAX Disruptor, into which a waiting thread puts something. */
    public static Optional<String> fullQueue(List<StackTraceElement> stack) {
        if (forRoomInRing(stack)) {
            return Optional.of("com.lmax.disruptor.RingBuffer");
        }
        return classOf(inJdk(stack, ROOM_METHODS, ROOM_CLASSES));
    }

    /** What a thread waits for that puts something into a queue: room, or a thread that takes it. */
    public static Optional<String> handOver(List<StackTraceElement> stack) {
        Optional<String> full = fullQueue(stack);
        if (full.isPresent()) {
            return Optional.of("room in a full " + full.get());
        }
        StackTraceElement hands = inJdk(stack, ROOM_METHODS, List.of(CONCURRENT + "SynchronousQueue"));
        StackTraceElement frame =
                hands != null ? hands : inJdk(stack, Set.of("transfer"), List.of(CONCURRENT + "LinkedTransferQueue"));
        return frame == null ? Optional.empty() : Optional.of("a thread that takes from a " + frame.getClassName());
    }

    /** Whether a thread waits for the other end of a pipe within the process, which it looks at once a second. */
    public static boolean forPipe(List<StackTraceElement> stack) {
        return stack.stream()
                .takeWhile(UserFrames::isJdk)
                .anyMatch(frame -> frame.getClassName().startsWith("java.io.Piped"));
    }

    /** Whether a thread waits for a limited time, so that it goes on by itself. */
    public static boolean forLimitedTime(List<StackTraceElement> stack) {
        int waits = 0; // Object.wait() calls Object.wait(0)
        for (StackTraceElement frame : stack) {
            if (!UserFrames.isJdk(frame)) {
                break;
            }
            if (frame.getMethodName().equals("parkNanos")) {
                return true;
            }
            waits += call(frame).equals("java.lang.Object.wait") ? 1 : 0;
        }
        return waits == 1;
    }

    /** What a waiting thread gets from others: a result, an element, an answer or a notification. */
    public static String brought(List<StackTraceElement> stack) {
        return awaitedResult(stack).orElseGet(() -> {
            StackTraceElement takes = inJdk(stack, TAKE_METHODS, ROOM_CLASSES);
            return takes != null
                    ? "an element of a " + takes.getClassName()
                    : stack.stream().takeWhile(UserFrames::isJdk).anyMatch(Waits::forIo)
                            ? "an answer from outside"
                            : "a notification";
        });
    }

    /** The class whose result a thread waits for, such as a future, a latch or a phaser. */
    public static Optional<String> awaitedResult(List<StackTraceElement> stack) {
        return stack.stream()
                .takeWhile(frame -> UserFrames.isJdk(frame) || inLibrary(frame))
                .filter(Waits::forResult)
                .reduce((above, below) -> below)
                .map(frame -> "results (" + frame.getClassName() + '.' + frame.getMethodName() + ')');
    }

    /** The class of the queue of the JDK from which a waiting thread takes an element. */
    public static Optional<String> emptyQueue(List<StackTraceElement> stack) {
        return classOf(inJdk(stack, TAKE_METHODS, ROOM_CLASSES));
    }

    /** Whether a thread takes an element from a queue of the JDK, or waits for one, of whatever class. */
    public static boolean takes(List<StackTraceElement> stack) {
        return stack.stream()
                .takeWhile(UserFrames::isJdk)
                .anyMatch(frame -> TAKE_METHODS.contains(frame.getMethodName()) && isQueue(frame.getClassName()));
    }

    private static boolean isQueue(String type) {
        return type.startsWith(CONCURRENT) && (type.endsWith("Queue") || type.endsWith("Deque"));
    }

    static boolean forResult(StackTraceElement frame) {
        return RESULTS.contains(call(frame));
    }

    /**
     * Whether the object that a thread waits on is the result of another's work, as far as the name of its class tells:
     * most libraries call it a future or a promise.
     */
    static boolean forResult(String waitsFor) {
        String name = waitsFor.endsWith("Impl") ? waitsFor.substring(0, waitsFor.length() - 4) : waitsFor;
        return name.endsWith("Future") || name.endsWith("Promise");
    }

    /** A result that only a task brings. A {@code CompletableFuture} or a latch may mean anything. */
    static boolean forResultOfTask(StackTraceElement frame) {
        return forResult(frame)
                && frame.getClassName().startsWith("java.")
                && !frame.getClassName().equals(CONCURRENT + "CompletableFuture")
                && !frame.getClassName().equals(CONCURRENT + "CountDownLatch");
    }

    /** Frames that may stand between the JDK's wait and the call that tells the reason. */
    static boolean inLibrary(StackTraceElement frame) {
        String type = frame.getClassName();
        return type.startsWith("com.google.common.util.concurrent.")
                || type.startsWith("io.netty.util.concurrent.")
                || type.startsWith("org.apache.hc.core5.concurrent.")
                || type.startsWith("org.apache.http.concurrent.")
                || type.startsWith("scala.concurrent.impl.Promise")
                || type.startsWith("kotlinx.coroutines.Blocking")
                || type.endsWith("repeat.support.ResultHolderResultQueue")
                || type.startsWith("reactor.core.publisher.");
    }

    static boolean forIoInNative(StackTraceElement top) {
        return startsWithAny(top.getClassName(), IO_CLASSES);
    }

    /** {@return whether a frame is a native method, and not one in which the JDK lets a thread wait} */
    public static boolean isForeignCode(StackTraceElement frame) {
        String type = frame.getClassName();
        return frame.isNativeMethod()
                && !type.equals("jdk.internal.misc.Unsafe")
                && !type.equals("java.lang.Thread")
                && !type.equals("java.lang.Object");
    }

    /** A native method of a driver, or one of the JDK for the network and files. Others of the JDK compute. */
    public static boolean mayWaitInNative(StackTraceElement top) {
        return top.isNativeMethod() && (!UserFrames.isJdk(top) || forIoInNative(top));
    }

    /** Native methods in which the JVM's own threads rest. */
    static boolean forNothingInNative(StackTraceElement top) {
        return call(top).equals("java.lang.ref.Reference.waitForReferencePendingList");
    }

    private static String call(StackTraceElement frame) {
        return frame.getClassName() + '.' + frame.getMethodName();
    }
}
