package io.lifeguard.pool.agent.inside;

import io.lifeguard.pool.diagnosis.external.PoolReader;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of executors that libraries bring, each with the getters that say what a pool does. A getter is a path such
 * as {@code getQueue.size}; empty where there is none.
 */
enum ExecutorKind {
    /** Tomcat's request threads; the class is a copy of the JDK's. */
    TOMCAT(
            "org.apache.tomcat.util.threads.ThreadPoolExecutor",
            "getPoolSize",
            "getActiveCount",
            "getQueue.size",
            "getCompletedTaskCount",
            "getCorePoolSize",
            "getMaximumPoolSize",
            ""),
    /** Jetty's threads. Acceptors and selectors are leased, and no workers. */
    JETTY(
            "org.eclipse.jetty.util.thread.QueuedThreadPool",
            "getThreads-getLeasedThreads",
            "getUtilizedThreads",
            "getQueueSize",
            "",
            "getMinThreads-getLeasedThreads",
            "getMaxAvailableThreads",
            ""),
    /** The executor of Quarkus, WildFly and Undertow. By default it counts no tasks. */
    JBOSS(
            "org.jboss.threads.EnhancedQueueExecutor",
            "getPoolSize",
            "getActiveCount",
            "getQueueSize",
            "getCompletedTaskCount",
            "getCorePoolSize",
            "getMaximumPoolSize",
            "org.jboss.threads.EnhancedQueueExecutor$PoolThreadNode.park"),
    /** The threads of Grizzly, which GlassFish and Payara serve requests with. */
    GRIZZLY(
            "org.glassfish.grizzly.threadpool.AbstractThreadPool",
            "getSize",
            "",
            "getQueue.size",
            "",
            "getConfig.getCorePoolSize",
            "getConfig.getMaxPoolSize",
            "org.glassfish.grizzly.threadpool.AbstractThreadPool$Worker.getTask"),
    /** The threads of Kotlin's Dispatchers.Default and Dispatchers.IO, which share one scheduler. */
    KOTLIN(
            "kotlinx.coroutines.scheduling.CoroutineScheduler",
            "",
            "",
            "globalCpuQueue.getSize+globalBlockingQueue.getSize",
            "",
            "corePoolSize",
            "",
            "kotlinx.coroutines.scheduling.CoroutineScheduler$Worker.park");

    private final String type;
    final String size;
    final String active;
    final String queued;
    final String completed;
    final String core;
    final String most;
    final String idle; // the method in which a worker without a task waits; empty where the pool counts busy workers

    ExecutorKind(
            String type,
            String size,
            String active,
            String queued,
            String completed,
            String core,
            String most,
            String idle) {
        this.type = type;
        this.size = size;
        this.active = active;
        this.queued = queued;
        this.completed = completed;
        this.core = core;
        this.most = most;
        this.idle = idle;
    }

    static boolean isKnown(Executor executor) {
        return executor instanceof ThreadPoolExecutor || executor instanceof ForkJoinPool || of(executor) != null;
    }

    private static @Nullable ExecutorKind of(Executor executor) {
        for (Class<?> type = executor.getClass(); type != null; type = type.getSuperclass()) {
            for (ExecutorKind kind : values()) {
                if (kind.type.equals(type.getName())) {
                    return kind;
                }
            }
        }
        return null;
    }

    /** {@return a reader of an executor of a known kind} */
    static PoolReader<Executor> reader(Executor executor, FoundExecutor found) {
        ExecutorKind kind = of(executor);
        if (kind == null) {
            throw new IllegalArgumentException("executor must be of a known kind (was "
                    + executor.getClass().getName() + ")");
        }
        return new GetterReader(kind, found);
    }
}
