package io.lifeguard.pool.spring.web;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.diagnosis.external.PoolReader;
import io.lifeguard.pool.diagnosis.seen.Neighbours;
import io.lifeguard.pool.spring.monitor.GlobalMonitor;
import io.lifeguard.pool.spring.monitor.UnseenExecutors;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ApplicationContextEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.ContextStartedEvent;
import org.springframework.core.task.VirtualThreadTaskExecutor;

/**
 * Tells the monitor to watch the request threads of web servers. A server makes its pool when it starts, and Tomcat
 * makes another one when it starts again. So each server is asked for its pool whenever a context has started, also the
 * context of the management port. Thread-safe.
 */
public final class WebServerPools implements ApplicationListener<ApplicationContextEvent>, DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(WebServerPools.class);

    private final List<Server> servers = new CopyOnWriteArrayList<>();

    private final List<Listener> listeners = new ArrayList<>(); // guarded by known
    private final Map<String, Watched> known = new LinkedHashMap<>(); // by name; guarded by itself
    private final List<ExecutorService> measured = new CopyOnWriteArrayList<>(); // of servers with virtual threads

    private final UnseenExecutors unseen;

    /** Whether the executors of servers with virtual threads are replaced by measured ones. */
    private final boolean isMeasuring;

    /** Added to the advice of each finding about request threads. */
    private final String remark;

    /** Is told of each request pool that is read by a reader, and again when its server has started again. */
    @FunctionalInterface
    public interface Listener {

        /** The reader does not hold the executor. */
        void watched(String name, Executor executor, PoolReader<Executor> reader);
    }

    private record Watched(WeakReference<Executor> executor, PoolReader<Executor> reader) {}

    /** A server that may start several times. Its executor is null before the first start. */
    private record Server(
            Supplier<String> name, Supplier<@Nullable Executor> executor, LongSupplier requests, String setting) {}

    /**
     * For the autoconfiguration.
     *
     * @param isMeasuring whether servers with virtual threads get an executor that measures requests
     * @param hasOwnManagementPort whether the actuator answers on threads of its own
     */
    public WebServerPools(UnseenExecutors unseen, boolean isMeasuring, boolean hasOwnManagementPort) {
        this.unseen = unseen;
        this.isMeasuring = isMeasuring;
        this.remark = hasOwnManagementPort
                ? ""
                : "While all request threads are busy, the actuator waits for one too: management.server.port gives it"
                        + " threads of its own.";
    }

    /** {@return whether servers with virtual threads get an executor of {@link #virtualThreads}} */
    boolean isMeasuring() {
        return isMeasuring;
    }

    /**
     * {@return a measured executor that starts a virtual thread for each task, and ends with the context} Needs Java
     * 21. The server neither knows its type nor shuts it down, so it also serves a server that starts again.
     *
     * @param name its name, as that of other request threads
     * @param threadPrefix how the names of its threads begin, as the server has it
     */
    Executor virtualThreads(String name, String threadPrefix) {
        ExecutorService executor = InstrumentedExecutors.newThreadPerTaskExecutor(
                name, new VirtualThreadTaskExecutor(threadPrefix).getVirtualThreadFactory());
        measured.add(executor);
        return executor;
    }

    @Override
    public void destroy() {
        measured.forEach(ExecutorService::shutdown);
    }

    /**
     * Adds a server.
     *
     * @param name its name, once it has started
     * @param executor its executor; null before it has started
     * @param requests how many requests it has answered
     * @param setting the property that sets the number of its threads
     */
    void add(Supplier<String> name, Supplier<@Nullable Executor> executor, LongSupplier requests, String setting) {
        servers.add(new Server(name, executor, requests, setting));
    }

    @Override
    public void onApplicationEvent(ApplicationContextEvent event) {
        if (event instanceof ContextRefreshedEvent || event instanceof ContextStartedEvent) {
            for (Server server : servers) {
                watch(server);
            }
        }
    }

    /** Has no effect if the executor is already being watched. */
    private void watch(Server server) {
        Executor executor = server.executor().get();
        if (executor != null) {
            String name = server.name().get();
            if (!(executor instanceof InstrumentedPool)) { // the setting has no effect on virtual threads
                Neighbours.put(name, new Neighbours.Setting(server.setting(), remark));
            }
            watch(executor, name, server.requests());
        }
    }

    private void watch(Executor executor, String name, LongSupplier requests) {
        PoolReader<Executor> reader = readerOf(executor, name, requests);
        if (executor instanceof InstrumentedPool) {
            LOG.debug("{}: the request threads are an instrumented pool", name);
        } else if (executor instanceof ThreadPoolExecutor pool) {
            GlobalMonitor.ifOn(monitor -> monitor.watch(pool, name));
        } else if (reader != null) {
            GlobalMonitor.ifOn(monitor -> monitor.watch(executor, name, reader));
            tell(name, executor, reader);
        } else {
            unseen.add(
                    name,
                    "requests run on " + executor.getClass().getName()
                            + ", which is no pool: it has no queue and no number of threads to watch");
        }
    }

    /**
     * The first server of a name keeps it while it runs: a second one, such as that of the management, is not told of.
     */
    private void tell(String name, Executor executor, PoolReader<Executor> reader) {
        synchronized (known) {
            Watched before = known.get(name);
            Executor earlier = before == null ? null : before.executor().get();
            if (before == null || earlier == null || (earlier != executor && hasStopped(earlier, before.reader()))) {
                known.put(name, new Watched(new WeakReference<>(executor), reader));
                listeners.forEach(listener -> listener.watched(name, executor, reader));
            }
        }
    }

    private static boolean hasStopped(Executor executor, PoolReader<Executor> reader) {
        return executor instanceof ExecutorService service ? service.isShutdown() : reader.isTerminated(executor);
    }

    /** Adds a listener, and tells it of the pools that are known already. */
    public void onWatched(Listener listener) {
        synchronized (known) {
            listeners.add(listener);
            known.forEach((name, watched) -> {
                Executor executor = watched.executor().get();
                if (executor != null) {
                    listener.watched(name, executor, watched.reader());
                }
            });
        }
    }

    private static @Nullable PoolReader<Executor> readerOf(Executor executor, String name, LongSupplier requests) {
        if (ServerPoolReader.OfTomcat.canRead(executor)) {
            return new ServerPoolReader.OfTomcat(name + "-exec-", requests);
        }
        return ServerPoolReader.OfJetty.canRead(executor)
                ? new ServerPoolReader.OfJetty(executor, (JettyRequests) requests)
                : null;
    }
}
