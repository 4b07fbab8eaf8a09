package io.lifeguard.pool.spring;

import io.lifeguard.pool.BlockingWaitPolicy;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.Tasks;
import io.lifeguard.pool.text.LogText;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionHandler;
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
import org.springframework.core.task.TaskDecorator;

/**
 * A pool that was declared by properties. Thread-safe. It accepts tasks for as long as its context has beans that may submit some: it is
 * drained when the context's lifecycle stops, after the web server, and shut down when the beans are destroyed.
 */
class DeclaredPool extends InstrumentedThreadPoolExecutor implements DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(DeclaredPool.class);

    private final List<TaskDecorator> decorators;
    private final Duration shutdownWait;
    private final LongSupplier clock;

    // guarded by this
    private boolean stopping;
    private long deadline; // of the clock; nobody waits any longer then, once the stop has begun

    /**
     * For {@link #make} and tests.
     *
     * @param builder what the pool is like
     * @param decorators of each task; the first is the outermost
     * @param shutdownWait for how long a stop may wait for tasks
     * @param clock as {@link System#nanoTime()}
     */
    DeclaredPool(Builder builder, List<TaskDecorator> decorators, Duration shutdownWait, LongSupplier clock) {
        super(builder);
        this.decorators = decorators;
        this.shutdownWait = shutdownWait;
        this.clock = clock;
    }

    /**
     * Makes the pool of that name. Called by the container: see {@link DeclaredPools}.
     *
     * @throws BadPropertyException if it names a decorator that does not exist
     */
    static DeclaredPool make(String name, LifeguardProperties all, BeanFactory beans) {
        PoolProperties properties = all.pools().get(name);
        if (properties == null) {
            throw new IllegalStateException("lifeguard.pools." + name + " is not configured any more");
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
            builder.threadFactory(threadsCalled(prefix));
        }
        return new DeclaredPool(
                builder, decorators(name, properties, beans), properties.shutdownWait(), System::nanoTime);
    }

    /** In all but their names what the pool's own would be: no daemons, though a server's request thread may be the one that makes them. */
    private static ThreadFactory threadsCalled(String prefix) {
        ThreadFactory usual = Executors.defaultThreadFactory();
        AtomicInteger number = new AtomicInteger();
        return body -> {
            Thread thread = usual.newThread(body);
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
        } catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException missing) {
            BadPropertyException bad = new BadPropertyException(
                    "lifeguard.pools." + name + ".task-decorator",
                    '"' + wanted + '"',
                    "name a bean of type TaskDecorator",
                    "Declare such a bean, write \"none\" for no decorator, or leave it out for the application's decorators.");
            bad.initCause(missing);
            throw bad;
        }
    }

    /** Decorated tasks are counted as what was decorated, or all would be of one kind. */
    @Override
    public void execute(Runnable command) {
        Runnable task = command;
        for (int i = decorators.size() - 1; i >= 0; i--) {
            task = decorators.get(i).decorate(task);
        }
        super.execute(task == command ? task : Tasks.inPlaceOf(command, task));
    }

    /** Waits until nothing runs or waits, for as long as {@code shutdown-wait} says; tasks are accepted all the while. */
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
        } catch (InterruptedException interrupted) {
            giveUp();
            Thread.currentThread().interrupt();
        }
    }

    /** Of the time that the stop may take, which begins with the first call. */
    synchronized long nanosLeft() {
        if (!stopping) {
            stopping = true;
            deadline = clock.getAsLong() + shutdownWait.toNanos();
        }
        return Math.max(0, deadline - clock.getAsLong());
    }

    /** The context runs again: its next stop has the whole time. */
    synchronized void resume() {
        stopping = false;
    }

    private void giveUp() {
        int running = getActiveCount();
        int dropped = shutdownNow().size();
        LOG.warn(
                "pool {}: {} still ran and {} waited after shutdown-wait={}; what ran was interrupted, what waited dropped",
                LogText.name(name()),
                Words.of(running, "task"),
                dropped,
                Words.of(shutdownWait));
    }
}
