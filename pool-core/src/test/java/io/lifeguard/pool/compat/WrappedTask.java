package io.lifeguard.pool.compat;

/** The wrapper that a naive instrumented pool puts around a task. As thread-safe as the task. */
class WrappedTask implements Runnable {

    final Runnable task;

    WrappedTask(Runnable task) {
        this.task = task;
    }

    @Override
    public void run() {
        task.run();
    }
}
