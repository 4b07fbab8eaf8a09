package io.lifeguard.pool.spring.executor;

import io.lifeguard.pool.BlockingWaitPolicy;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.Tasks;
import io.lifeguard.pool.diagnosis.seen.Neighbours;
import io.lifeguard.pool.spring.properties.LifeguardBinding;
import io.lifeguard.pool.spring.properties.LifeguardProperties;
import io.lifeguard.pool.spring.properties.PoolProperties;
import io.lifeguard.pool.text.LogText;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.env.Environment;
import org.springframework.core.task.TaskDecorator;

/**
 * A pool that is declared by properties. Thread-safe. When the context stops, the pool is drained after the web server
 * has stopped. It accepts tasks until the beans are destroyed, because beans may submit tasks until then.
 */
class DeclaredPool extends InstrumentedThreadPoolExecutor implements DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(DeclaredPool.class);

    private final List<TaskDecorator> decorators;
    private final Duration shutdownWait;
    private final LongSupplier clock;

    private boolean isStopping; // guarded by this
    private long deadline; // in the clock's nanoseconds, set when the stop begins; guarded by this

    /**
     * For {@link #make} and tests.
     *
     * @param builder has size, queue and saturation policy
     * @param decorators decorate each task; the first is the outermost
     * @param shutdownWait how long a stop waits for tasks
     * @param clock like {@link System#nanoTime()}
     */
    DeclaredPool(Builder builder, List<TaskDecorator> decorators, Duration shutdownWait, LongSupplier clock) {
        super(builder);
        this.decorators = decorators;
        this.shutdownWait = shutdownWait;
        this.clock = clock;
    }

    /**
     * Makes the pool of a name. Called by the container: see {@link DeclaredPools}.
     *
     * @throws org.springframework.boot.context.properties.bind.BindException if the named decorator does not exist
     */
    static DeclaredPool make(String name, LifeguardProperties all, BeanFactory beans) {
        PoolProperties properties = all.pools().get(name);
        if (properties == null) {
            throw new IllegalStateException("lifeguard.pools." + name + " is no longer configured");
        }
        Builder builder = named(name).whenSaturated(policy(properties));
        Integer size = properties.size();
        if (size != null) {
            builder.size(size);
        }
        if (properties.queueCapacity() == Integer.MAX_VALUE) {
            builder.unboundedQueue();
        } else {
            builder.queueCapacity(properties.queueCapacity());
        }
        String prefix = properties.threadNamePrefix();
        if (prefix != null) {
            builder.threadFactory(threadsWithPrefix(prefix));
        }
        String keys = "lifeguard.pools." + name;
        Neighbours.put(
                name, new Neighbours.Setting(keys + ".size", keys + ".queue-capacity", keys + ".when-saturated", ""));
        return new DeclaredPool(
                builder, decorators(name, properties, beans), properties.shutdownWait(), System::nanoTime);
    }

    /**
     * Makes threads like the pool's default ones, except for the names: no daemons, even if a daemon thread makes them.
     */
    private static ThreadFactory threadsWithPrefix(String prefix) {
        ThreadFactory defaults = Executors.defaultThreadFactory();
        AtomicInteger number = new AtomicInteger();
        return body -> {
            Thread thread = defaults.newThread(body);
            thread.setName(prefix + number.incrementAndGet());
            return thread;
        };
    }

    private static RejectedExecutionHandler policy(PoolProperties properties) {
        Duration maxWait = properties.maxWait();
        return switch (properties.whenSaturated()) {
            case WAIT -> maxWait == null ? BlockingWaitPolicy.forever() : BlockingWaitPolicy.upTo(maxWait);
            case CALLER_RUNS -> new CallerRunsPolicy();
            case ABORT -> new AbortPolicy();
        };
    }

    private static List<TaskDecorator> decorators(String name, PoolProperties properties, BeanFactory beans) {
        String wanted = properties.taskDecorator();
        if (wanted == null) {
            return beans.getBeanProvider(TaskDecorator.class).orderedStream().toList();
        } else if (wanted.equals("none")) {
            return List.of();
        }
        try {
            return List.of(beans.getBean(wanted, TaskDecorator.class));
        } catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException e) {
            throw LifeguardBinding.reject(
                    beans.getBean(Environment.class),
                    "lifeguard.pools." + name + ".task-decorator",
                    "must name a bean of type TaskDecorator: declare one, write \"none\" for no decorator, or remove"
                            + " the property for all decorators of the application");
        }
    }

    /** Counts a decorated task under the class of the original. Otherwise all tasks would be of one kind. */
    @Override
    public void execute(Runnable command) {
        Runnable submitted = command == null ? command : SubmittedMethod.name(command);
        Runnable task = submitted;
        for (int i = decorators.size() - 1; i >= 0; i--) {
            task = decorators.get(i).decorate(task);
        }
        super.execute(task == submitted ? task : Tasks.inPlaceOf(submitted, task));
    }

    @Override
    protected <T> RunnableFuture<T> newTaskFor(Callable<T> callable) {
        return super.newTaskFor(SubmittedMethod.name(callable));
    }

    /** Waits until no task runs or waits, at most until {@code shutdown-wait} is over. Accepts tasks meanwhile. */
    void drain() throws InterruptedException {
        while ((getActiveCount() > 0 || !getQueue().isEmpty()) && nanosLeft() > 0) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    @Override
    public void destroy() {
        shutdown();
        try {
            if (!awaitTermination(nanosLeft(), TimeUnit.NANOSECONDS)) {
                giveUp();
            }
        } catch (InterruptedException e) {
            giveUp();
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the rest of {@code shutdown-wait}, which begins with the first call. */
    synchronized long nanosLeft() {
        if (!isStopping) {
            isStopping = true;
            deadline = clock.getAsLong() + shutdownWait.toNanos();
        }
        return Math.max(0, deadline - clock.getAsLong());
    }

    /** Called when the context starts again: the next stop has the whole {@code shutdown-wait}. */
    synchronized void resume() {
        isStopping = false;
    }

    private void giveUp() {
        int running = getActiveCount();
        int dropped = shutdownNow().size();
        LOG.warn(
                "pool {}: shutdown-wait={} is over; interrupted running tasks: {}, dropped waiting tasks: {}",
                LogText.name(name()),
                DurationStyle.SIMPLE.print(shutdownWait),
                running,
                dropped);
    }
}
