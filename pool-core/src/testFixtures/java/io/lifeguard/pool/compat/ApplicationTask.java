package io.lifeguard.pool.compat;

import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;

/** A task, thread factory and handler in one class, which {@link ApplicationLoader} defines once more. */
public final class ApplicationTask implements Runnable, Callable<Object>, ThreadFactory, RejectedExecutionHandler {

    /** For {@link ApplicationLoader}. */
    public ApplicationTask() {}

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
