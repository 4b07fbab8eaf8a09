package io.lifeguard.pool.diagnosis.log;

import io.lifeguard.pool.os.LibraryThread;
import io.lifeguard.pool.text.LogText;
import java.util.IdentityHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Calls rules and listeners, and logs the first failure of each class. What they throw does not reach the monitor.
 * Thread-safe.
 *
 * <p>What may never return is called on another thread, and the monitor goes on without it after three seconds. That
 * thread is lost then instead of the monitor's. One line of the log says who does not answer, and another takes that
 * back.
 */
public final class Guard extends LogLines.Failures implements ThreadFactory {

    /** Three times a second: a JVM that stood still for long takes one of them only. */
    private static final int WAITS = 3;

    // Has no thread while nobody is called, and loses one to each call that does not return.
    private final ThreadPoolExecutor callers =
            new ThreadPoolExecutor(0, Integer.MAX_VALUE, 2, TimeUnit.SECONDS, new SynchronousQueue<>(), this);

    // What has not returned, by what was called. Guarded by itself; written by the monitor's thread.
    private final IdentityHashMap<Object, FutureTask<?>> silent = new IdentityHashMap<>();

    @Override
    public Thread newThread(Runnable body) {
        return LibraryThread.daemon("lifeguard-question", body);
    }

    /** {@return whether the latest call of an object has not returned} Any thread. */
    public boolean isSilent(Object who) {
        synchronized (silent) {
            return silent.containsKey(who);
        }
    }

    /** No longer waits for what was called on behalf of an object. The monitor's thread only. */
    public void forget(Object who) {
        synchronized (silent) {
            silent.remove(who);
        }
    }

    /**
     * Calls, unless the latest call on behalf of that object has not returned. The monitor's thread only.
     *
     * @param who what is called, or on whose behalf
     * @param title who is called, for the log
     * @param loss what is missed meanwhile, as a clause
     * @return whether that call or the present one has returned, normally or not
     */
    public boolean hasReturned(Object who, Runnable call, Supplier<String> title, String loss) {
        FutureTask<?> before;
        synchronized (silent) {
            before = silent.get(who);
        }
        if (before != null) {
            if (!before.isDone()) {
                return false;
            }
            forget(who);
            String name = LogText.clean(title.get());
            LogLines.MONITOR.write(log -> log.warn("{} answers again", name));
        }
        FutureTask<?> task = new FutureTask<>(call, null);
        try {
            callers.execute(task);
        } catch (Error ignored) { // no memory for a thread
            call.run();
            return true;
        }
        for (int i = 0; i < WAITS && !task.isDone(); i++) {
            await(task);
        }
        if (task.isDone()) {
            return true;
        }
        synchronized (silent) {
            silent.put(who, task);
        }
        String name = LogText.clean(title.get());
        LogLines.MONITOR.write(
                log -> log.warn("{} has not answered for 3 s: until it does, {}. All else is watched on", name, loss));
        return false;
    }

    private static void await(FutureTask<?> task) {
        try {
            task.get(1, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException | InterruptedException ignored) {
            return; // that it throws is an answer
        }
    }
}
