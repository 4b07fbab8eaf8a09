package io.lifeguard.pool.compat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;

/** A user's thread factory that records its threads and their uncaught exceptions. Thread-safe. */
class RecordingFactory implements ThreadFactory {

    final List<Thread> made = new CopyOnWriteArrayList<>();
    final List<Throwable> uncaught = new CopyOnWriteArrayList<>();

    @Override
    public Thread newThread(Runnable work) {
        Thread thread = new Thread(work, "user-" + (made.size() + 1));
        thread.setUncaughtExceptionHandler((t, e) -> uncaught.add(e));
        made.add(thread);
        return thread;
    }
}
