package io.lifeguard.pool.spring;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.diagnosis.external.PoolGauges;
import io.lifeguard.pool.diagnosis.external.PoolReader;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ApplicationContextEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.ContextStartedEvent;

/**
 * Has the request threads of web servers watched. Servers make their pools when they start, so they are asked for them when a context, or the child
 * context of the management port, has started, and when it starts again after a stop, with which Tomcat's pool ends. Thread-safe.
 */
final class WebServerPools implements ApplicationListener<ApplicationContextEvent> {

    private static final Logger LOG = LoggerFactory.getLogger(WebServerPools.class);

    private final List<Server> servers = new CopyOnWriteArrayList<>();

    /** A server that will start, and may do so again; its executor is null before it is there. */
    private record Server(Supplier<String> name, Supplier<@Nullable Executor> executor) {}

    private final BlindSpots blindSpots;

    WebServerPools(BlindSpots blindSpots) {
        this.blindSpots = blindSpots;
    }

    void willStart(Supplier<String> name, Supplier<@Nullable Executor> executor) {
        servers.add(new Server(name, executor));
    }

    @Override
    public void onApplicationEvent(ApplicationContextEvent event) {
        if (event instanceof ContextRefreshedEvent || event instanceof ContextStartedEvent) {
            servers.forEach(this::watch);
        }
    }

    /** Nothing happens if it is being watched already. */
    private void watch(Server server) {
        Executor executor = server.executor().get();
        if (executor != null) {
            watch(executor, server.name().get());
        }
    }

    private void watch(Executor executor, String name) {
        PoolReader<Executor> reader = readerOf(executor, name);
        if (executor instanceof InstrumentedPool) {
            LOG.debug("{}: the request threads are a pool of Lifeguard's own", name);
        } else if (executor instanceof ThreadPoolExecutor pool) {
            GlobalMonitor.ifOn(monitor -> monitor.watch(pool, name));
        } else if (reader != null) {
            GlobalMonitor.ifOn(monitor -> monitor.watch(executor, name, reader));
        } else {
            blindSpots.add(
                    name,
                    "requests run on " + executor.getClass().getName()
                            + ", which is no pool: there is no queue and no number of threads to watch");
        }
    }

    private static @Nullable PoolReader<Executor> readerOf(Executor executor, String name) {
        if (TomcatReader.isTomcats(executor)) {
            return new TomcatReader(name + "-exec-");
        }
        return JettyReader.isJettys(executor) ? new JettyReader(JettyReader.threadPrefix(executor)) : null;
    }

    /** What servers have in common: their threads are known by the beginning of their names. */
    abstract static class ByName implements PoolReader<Executor> {
        private final String prefix;

        ByName(String prefix) {
            this.prefix = prefix;
        }

        @Override
        public abstract PoolGauges read(Executor executor);

        @Override
        public List<Thread> workers(Executor executor) {
            return LiveThreads.named(prefix);
        }
    }
}
