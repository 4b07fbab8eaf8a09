package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.diagnosis.evidence.loop.EventLoopFrames;
import io.lifeguard.pool.tools.dumps.Selectors;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** A kind of thread pool, as the frames of its workers and their names tell it. */
@SuppressWarnings("ImmutableEnumChecker") // the predicates have no state
public enum PoolKind {
    CARRIERS("virtual threads' carriers", false, frame -> isCarrier(frame.getClassName())),
    EVENT_LOOPS("event loops", true, EventLoopFrames::isLoop),
    KAFKA("Kafka client", false, frame -> isKafka(frame.getClassName())),
    JETTY("Jetty", true, in("org.eclipse.jetty.util.thread.QueuedThreadPool", "run")),
    JBOSS("JBoss", true, in("org.jboss.threads.EnhancedQueueExecutor$ThreadBody", "run")),
    TOMCAT("Tomcat", true, in("org.apache.tomcat.util.threads.ThreadPoolExecutor", "runWorker")),
    FORK_JOIN("fork-join", true, in("java.util.concurrent.ForkJoinWorkerThread", "run")),
    QUARTZ("Quartz", true, in("org.quartz.simpl.SimpleThreadPool$WorkerThread", "run")),
    OWN_FORK_JOIN("fork-join", true, PoolKind::isForkJoinCopy),
    EXECUTOR("executor", true, in("java.util.concurrent.ThreadPoolExecutor", "runWorker")),
    TIMER("timer", true, in("java.util.TimerThread", "run")),
    KOTLIN("Kotlin coroutines", true, in("kotlinx.coroutines.scheduling.CoroutineScheduler$Worker", "run")),
    GRIZZLY("Grizzly", true, in("org.glassfish.grizzly.threadpool.AbstractThreadPool$Worker", "run")),
    DISRUPTOR(
            "Disruptor",
            true,
            in("com.lmax.disruptor.BatchEventProcessor", "run").or(in("com.lmax.disruptor.WorkProcessor", "run"))),
    CASSANDRA("Cassandra", true, in("org.apache.cassandra.concurrent.SEPWorker", "run")),
    CATS_EFFECT("Cats Effect", true, in("cats.effect.unsafe.WorkerThread", "run")),
    /** A pool of any other library, or of the user's own, which {@link ThreadShapes} recognises. */
    SHAPED("pool", true, frame -> false),
    /** Threads with names in common that are no pool as far as was seen. */
    THREADS("threads", false, frame -> false);

    private static final Predicate<StackTraceElement> REAPER = in("java.lang.ProcessHandleImpl", "waitForProcessExit0");

    private static final Predicate<StackTraceElement> IN_LIMITED_DISPATCHER =
            in("kotlinx.coroutines.internal.LimitedDispatcher", "run");

    private final String words;
    private final boolean isJudged;
    private final Predicate<StackTraceElement> frame;

    PoolKind(String words, boolean isJudged, Predicate<StackTraceElement> frame) {
        this.words = words;
        this.isJudged = isJudged;
        this.frame = frame;
    }

    /** {@return for instance {@code executor}} */
    public String words() {
        return words;
    }

    /** {@return whether rules judge it: those about event loops for event loops, otherwise those about pools} */
    public boolean isJudged() {
        return isJudged;
    }

    /** {@return the kind of pool that a thread works for; empty when it is no worker of a known kind} */
    static Optional<PoolKind> of(List<StackTraceElement> stack) {
        for (PoolKind kind : values()) {
            if (stack.stream().anyMatch(kind.frame)) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    private static Predicate<StackTraceElement> in(String type, String method) {
        return frame -> frame.getMethodName().equals(method)
                && (frame.getClassName().equals(type) || frame.getClassName().startsWith(type + "$"));
    }

    /**
     * {@return whether a worker of the kind serves the pool and takes no tasks meanwhile} A thread of Jetty's pool that
     * waits for events or connections does so for the others, and is leased from the pool. A thread that waits for the
     * end of a child process is the JVM's own.
     */
    boolean isServing(List<StackTraceElement> stack) {
        return (this == JETTY && Selectors.isSelecting(stack))
                || (this == EXECUTOR && stack.stream().anyMatch(REAPER));
    }

    /** {@return whether its idle moments are told by the shape of the stack, and not by frames that are known} */
    boolean hasOwnLoop() {
        return compareTo(EXECUTOR) > 0;
    }

    /**
     * {@return whether a worker runs a task of a dispatcher with a limit, as Kotlin's {@code Dispatchers.IO}} An idle
     * worker of the same threads does not help it.
     */
    boolean isInLimited(List<StackTraceElement> stack) {
        return this == KOTLIN && stack.stream().anyMatch(IN_LIMITED_DISPATCHER);
    }

    private static boolean isCarrier(String type) {
        return type.equals("jdk.internal.misc.CarrierThread") || type.equals("jdk.internal.vm.Continuation");
    }

    private static boolean isKafka(String type) {
        return type.equals("org.apache.kafka.clients.producer.internals.Sender")
                || type.startsWith("org.apache.kafka.clients.consumer.internals.AbstractCoordinator$HeartbeatThread")
                || type.equals("org.apache.kafka.clients.consumer.internals.ConsumerNetworkThread")
                || type.equals("org.apache.kafka.clients.admin.KafkaAdminClient$AdminClientRunnable")
                || type.equals("org.apache.kafka.streams.processor.internals.StreamThread");
    }

    /** Akka and Scala have had a fork-join pool of their own. Pekko and newer Akka use the JDK's. */
    private static boolean isForkJoinCopy(StackTraceElement frame) {
        return frame.getMethodName().equals("run")
                && (frame.getClassName().equals("akka.dispatch.forkjoin.ForkJoinWorkerThread")
                        || frame.getClassName().equals("scala.concurrent.forkjoin.ForkJoinWorkerThread"));
    }
}
