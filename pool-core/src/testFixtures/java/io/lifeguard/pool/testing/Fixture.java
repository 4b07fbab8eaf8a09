package io.lifeguard.pool.testing;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * What every check works with: it makes gates, threads and pools, waits with a limit, and when it is closed shuts all
 * of them down and fails on a thread that was left over or on an error that another thread met. Used by one thread,
 * except where a method says otherwise.
 */
public class Fixture implements AutoCloseable {

    private final Duration patience;
    private final ThreadGroup group = Thread.currentThread().getThreadGroup();
    private final Set<Thread> before = new HashSet<>(threads());
    private final List<Gate> gates = new CopyOnWriteArrayList<>();
    private final List<Thread> helpers = new CopyOnWriteArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    /** Weak, because some checks want to see a pool collected. A pool that has a thread is not collected. */
    private final List<WeakReference<ExecutorService>> pools = new CopyOnWriteArrayList<>();

    public Fixture() {
        this(Delays.PATIENCE);
    }

    public Fixture(Duration patience) {
        this.patience = patience;
    }

    /** Shuts {@code pool} down at the end. May be called by any thread. */
    public final <P extends ExecutorService> P closing(P pool) {
        pools.add(new WeakReference<>(pool));
        return pool;
    }

    public final Gate gate() {
        Gate gate = new Gate();
        gates.add(gate);
        return gate;
    }

    public final HeldTask heldTask() {
        return new HeldTask(gate());
    }

    /** Keeps one worker of {@code pool} busy; returns when it is. */
    public final HeldTask occupy(Executor pool) {
        HeldTask task = heldTask();
        pool.execute(task);
        await("start of the task that occupies a worker", task.started);
        return task;
    }

    /** Runs {@code work} on a thread of its own. What it throws fails the check at its end. */
    public final Thread thread(Work work) {
        return thread("submitter", work);
    }

    /** Runs {@code work} on a thread of that name. What it throws fails the check at its end. */
    public final Thread thread(String name, Work work) {
        Runnable guarded = () -> {
            try {
                work.run();
            } catch (Throwable e) {
                failures.add(e);
            }
        };
        Thread thread = new Thread(group, guarded, name);
        helpers.add(thread);
        thread.start();
        return thread;
    }

    /** Calls on a thread of its own, and fails when that takes too long: something it needs is held. */
    public final <T> T within(String what, Callable<T> call) {
        AtomicReference<T> result = new AtomicReference<>();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        CountDownLatch done = new CountDownLatch(1);
        thread(() -> {
            try {
                result.set(call.call());
            } catch (Throwable e) {
                thrown.set(e);
            } finally {
                done.countDown();
            }
        });
        await(what, done);
        if (thrown.get() != null) {
            throw new AssertionError(what + " threw", thrown.get());
        }
        return result.get();
    }

    public final void within(String what, Runnable action) {
        Boolean done = within(what, () -> {
            action.run();
            return true;
        });
        Assertions.assertThat(done).isTrue();
    }

    public final void await(String what, CountDownLatch latch) {
        try {
            if (!latch.await(patience.toNanos(), NANOSECONDS)) {
                throw new AssertionError("Waited in vain for: " + what + dump());
            }
        } catch (InterruptedException e) {
            throw new AssertionError("Interrupted while waiting for: " + what, e);
        }
    }

    public final void eventually(String what, BooleanSupplier condition) {
        try {
            Awaitility.await(what)
                    .pollInSameThread()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .atMost(patience)
                    .until(condition::getAsBoolean);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("Waited in vain for: " + what + dump(), e);
        }
    }

    /** The result of a task, waited for with a limit. */
    public final <T> T get(Future<T> future) throws ExecutionException, InterruptedException {
        try {
            return future.get(patience.toNanos(), NANOSECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("Waited in vain for the result of " + future + dump(), e);
        }
    }

    /** Fails when {@code event} becomes true within {@link Delays#QUIET}. */
    public final void never(String event, BooleanSupplier condition) {
        long end = System.nanoTime() + Delays.QUIET.toNanos();
        eventually("the end of the time given to: " + event, () -> {
            Assertions.assertThat(condition.getAsBoolean()).as(event).isFalse();
            return System.nanoTime() - end >= 0;
        });
    }

    /** Waits until nothing keeps what {@code reference} points to. */
    public final void collected(String what, WeakReference<?> reference) {
        eventually("collection of " + what, () -> {
            if (reference.get() != null) {
                System.gc();
            }
            return reference.get() == null;
        });
    }

    public static boolean isWaiting(Thread thread) {
        Thread.State state = thread.getState();
        return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
    }

    public final Duration patience() {
        return patience;
    }

    @Override
    public final void close() {
        boolean interrupted = Thread.interrupted();
        List<AssertionError> errors = new ArrayList<>();
        gates.forEach(Gate::open);
        for (WeakReference<ExecutorService> reference : pools) {
            ExecutorService pool = reference.get();
            if (pool != null) {
                attempt(errors, () -> end(pool));
            }
        }
        for (Thread helper : helpers) {
            attempt(errors, () -> eventually("end of test thread " + helper, () -> !helper.isAlive()));
        }
        attempt(errors, this::failOnLeakedThreads);
        failures.forEach(e -> errors.add(new AssertionError("A test thread failed", e)));
        if (interrupted) {
            errors.add(new AssertionError("The check left its own thread interrupted"));
        }
        if (!errors.isEmpty()) {
            AssertionError first = errors.get(0);
            errors.subList(1, errors.size()).forEach(first::addSuppressed);
            throw first;
        }
    }

    private void end(ExecutorService pool) {
        pool.shutdownNow();
        try {
            if (!pool.awaitTermination(patience.toNanos(), NANOSECONDS)) {
                throw new AssertionError("Did not terminate: " + pool + dump());
            }
        } catch (InterruptedException e) {
            throw new AssertionError("Interrupted while waiting for the end of " + pool, e);
        }
    }

    private void failOnLeakedThreads() {
        List<Thread> leaked = new ArrayList<>();
        try {
            eventually("end of all threads", () -> {
                leaked.clear();
                leaked.addAll(threads());
                leaked.removeAll(before);
                leaked.removeIf(Fixture::isShared);
                return leaked.isEmpty();
            });
        } catch (AssertionError e) {
            throw new AssertionError("Leaked threads: " + leaked, e);
        }
    }

    /** Shared by all pools or all tests, so that no test can end it. */
    private static boolean isShared(Thread thread) {
        String name = thread.getName();
        return name.startsWith("ForkJoinPool.commonPool")
                || name.startsWith("junit-")
                || name.equals("lifeguard-events")
                || name.equals("lifeguard-log") // ends by itself after a second without a line
                || name.equals("lifeguard-watch") // ends by itself after five seconds without an executor to watch
                || name.startsWith("globalEventExecutor") // Netty's, ends by itself after a second
                || !thread.isAlive();
    }

    private List<Thread> threads() {
        Thread[] found = new Thread[group.activeCount() * 2 + 16];
        int count = group.enumerate(found);
        return Arrays.asList(found).subList(0, count);
    }

    private static void attempt(List<AssertionError> errors, Runnable step) {
        try {
            step.run();
        } catch (AssertionError e) {
            errors.add(e);
        } catch (RuntimeException | Error e) {
            errors.add(new AssertionError("Closing the fixture failed", e));
        }
    }

    /** The stacks of the threads that the check started. */
    private String dump() {
        StringBuilder text = new StringBuilder();
        for (Thread thread : threads()) {
            if (!before.contains(thread)) {
                text.append("\n  ").append(thread).append(' ').append(thread.getState());
                for (StackTraceElement frame : thread.getStackTrace()) {
                    text.append("\n    at ").append(frame);
                }
            }
        }
        return text.toString();
    }

    /** What a test thread does. */
    public interface Work {
        void run() throws Exception;
    }
}
