package io.lifeguard.pool.compat;

import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;

/** Everything an application hands to a pool, in one class that {@link ForeignLoader} defines once more. */
public final class ForeignTask implements Runnable, Callable<Object>, ThreadFactory, RejectedExecutionHandler {

    /** For {@link ForeignLoader}. */
    public ForeignTask() {}

    @Override
    public void run() {}

    @Override
    public Object call() {
        return getClass();
    }

    @Override
    public Thread newThread(Runnable work) {
        return new Thread(work);
    }

    @Override
    public void rejectedExecution(Runnable task, ThreadPoolExecutor pool) {}
}
