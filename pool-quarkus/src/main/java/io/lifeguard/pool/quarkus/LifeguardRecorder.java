package io.lifeguard.pool.quarkus;

import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.external.PoolReader;
import io.lifeguard.pool.diagnosis.external.PoolReaders;
import io.lifeguard.pool.diagnosis.seen.Neighbours;
import io.quarkus.runtime.ExecutorRecorder;
import io.quarkus.runtime.RuntimeValue;
import io.quarkus.runtime.ShutdownContext;
import io.quarkus.runtime.annotations.Recorder;
import io.quarkus.runtime.util.ForwardingExecutorService;
import java.lang.reflect.Method;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the watch when the application starts. Called by code that Quarkus generates. Stateless but for the
 * configuration.
 */
@Recorder
public class LifeguardRecorder {

    /** The name of Quarkus' worker pool in findings and meters, as in the names of its threads. */
    static final String WORKERS = "executor-thread";

    private static final Logger LOG = LoggerFactory.getLogger(LifeguardRecorder.class);

    private final RuntimeValue<LifeguardConfig> config;

    /**
     * Made by Quarkus.
     *
     * @param config the properties, not null
     */
    public LifeguardRecorder(RuntimeValue<LifeguardConfig> config) {
        this.config = config;
    }

    /**
     * Watches Quarkus' worker pool and data sources. The monitor finds event loops and the scheduler of virtual threads
     * by itself.
     *
     * @param context of the application; when it ends, its data sources are forgotten
     * @param hasDataSources whether the application uses Agroal
     */
    public void start(ShutdownContext context, boolean hasDataSources) {
        LifeguardConfig wanted = config.getValue();
        if (!wanted.enabled() || "off".equals(System.getProperty(PoolMonitor.PROPERTY))) {
            return;
        }
        PoolMonitor monitor = PoolMonitor.global();
        try {
            apply(wanted, monitor);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("a property below quarkus.lifeguard is wrong: " + e.getMessage(), e);
        }
        Executor workers = workers();
        PoolReader<Executor> reader = reader(workers);
        if (reader != null) {
            Neighbours.put(
                    WORKERS,
                    new Neighbours.Setting(
                            "quarkus.thread-pool.max-threads", "quarkus.thread-pool.queue-size", "", ""));
            monitor.watch(workers, WORKERS, reader);
        }
        if (hasDataSources) {
            AgroalLender.addAll(context);
        }
    }

    /** {@return the worker pool, behind what keeps the application from shutting it down} */
    static Executor workers() {
        Executor workers = ExecutorRecorder.getCurrent();
        try {
            Method delegate = ForwardingExecutorService.class.getDeclaredMethod("delegate");
            delegate.setAccessible(true);
            while (workers instanceof ForwardingExecutorService) {
                workers = (Executor) delegate.invoke(workers);
            }
        } catch (ReflectiveOperationException | RuntimeException ignored) { // its reader says what is wrong
            return workers;
        }
        return workers;
    }

    /** {@return a reader of the worker pool; null if Quarkus has another one than it used to have} */
    static @Nullable PoolReader<Executor> reader(Executor workers) {
        try {
            return PoolReaders.of(workers);
        } catch (IllegalArgumentException e) {
            LOG.warn("the worker pool of Quarkus is not watched: {}", e.getMessage());
            return null;
        }
    }

    private static void apply(LifeguardConfig wanted, PoolMonitor monitor) {
        wanted.window().ifPresent(monitor::window);
        wanted.logReminder().ifPresent(monitor::reminder);
        wanted.blackBoxDirectory().ifPresent(monitor::blackBox);
        wanted.thresholds().forEach(monitor::threshold);
        wanted.rules().forEach((id, isOn) -> {
            if (isOn) {
                monitor.switchOn(id);
            } else {
                monitor.switchOff(id);
            }
        });
    }
}
