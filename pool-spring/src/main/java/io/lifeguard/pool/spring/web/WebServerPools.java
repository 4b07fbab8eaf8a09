package io.lifeguard.pool.spring.web;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.diagnosis.external.PoolReader;
import io.lifeguard.pool.spring.monitor.GlobalMonitor;
import io.lifeguard.pool.spring.monitor.UnseenExecutors;
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
 * Tells the monitor to watch the request threads of web servers. A server makes its pool when it starts, and Tomcat
 * makes another one when it starts again. So each server is asked for its pool whenever a context has started, also the
 * context of the management port. Thread-safe.
 */
public final class WebServerPools implements ApplicationListener<ApplicationContextEvent> {

    private static final Logger LOG = LoggerFactory.getLogger(WebServerPools.class);

    private final List<Server> servers = new CopyOnWriteArrayList<>();

    private final UnseenExecutors unseen;

    /** A server that may start several times. Its executor is null before the first start. */
    private record Server(Supplier<String> name, Supplier<@Nullable Executor> executor) {}

    /** For the autoconfiguration. */
    public WebServerPools(UnseenExecutors unseen) {
        this.unseen = unseen;
    }

    void add(Supplier<String> name, Supplier<@Nullable Executor> executor) {
        servers.add(new Server(name, executor));
    }

    @Override
    public void onApplicationEvent(ApplicationContextEvent event) {
        if (event instanceof ContextRefreshedEvent || event instanceof ContextStartedEvent) {
            servers.forEach(this::watch);
        }
    }

    /** Has no effect if the executor is already being watched. */
    private void watch(Server server) {
        Executor executor = server.executor().get();
        if (executor != null) {
            watch(executor, server.name().get());
        }
    }

    private void watch(Executor executor, String name) {
        PoolReader<Executor> reader = readerOf(executor, name);
        if (executor instanceof InstrumentedPool) {
            LOG.debug("{}: the request threads are an instrumented pool", name);
        } else if (executor instanceof ThreadPoolExecutor pool) {
            GlobalMonitor.ifOn(monitor -> monitor.watch(pool, name));
        } else if (reader != null) {
            GlobalMonitor.ifOn(monitor -> monitor.watch(executor, name, reader));
        } else {
            unseen.add(
                    name,
                    "requests run on " + executor.getClass().getName()
                            + ", which is no pool: it has no queue and no number of threads to watch");
        }
    }

    private static @Nullable PoolReader<Executor> readerOf(Executor executor, String name) {
        if (ServerPoolReader.OfTomcat.canRead(executor)) {
            return new ServerPoolReader.OfTomcat(name + "-exec-");
        }
        return ServerPoolReader.OfJetty.canRead(executor) ? new ServerPoolReader.OfJetty(executor) : null;
    }
}
