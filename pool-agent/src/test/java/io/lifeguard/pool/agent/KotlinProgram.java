package io.lifeguard.pool.agent;

import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlinx.coroutines.BuildersKt;
import kotlinx.coroutines.Dispatchers;
import kotlinx.coroutines.ExecutorsKt;

/** A program on Kotlin's dispatchers, as its compiler would make it. Ends after 60 s. */
final class KotlinProgram {

    private static final Object LOCK = new Object();

    private KotlinProgram() {}

    /** Runs it: {@code starved} on Dispatchers.Default, or {@code lock} on the 64 slots of Dispatchers.IO. */
    public static void main(String[] arguments) throws InterruptedException {
        boolean isLock = arguments[0].equals("lock");
        Executor dispatcher = ExecutorsKt.asExecutor(isLock ? Dispatchers.getIO() : Dispatchers.getDefault());
        for (int i = 0; i < 100; i++) {
            dispatcher.execute(isLock ? KotlinProgram::shareLock : KotlinProgram::waitForOwnTask);
        }
        Thread.sleep(60_000);
    }

    static void shareLock() {
        long end = System.nanoTime() + 60_000_000_000L;
        while (System.nanoTime() < end) {
            synchronized (LOCK) {
                LockSupport.parkNanos(5_000_000);
            }
        }
    }

    /** {@code runBlocking { withContext(Dispatchers.Default) { … } }} once all threads do the same. */
    static void waitForOwnTask() {
        LockSupport.parkNanos(500_000_000);
        try {
            BuildersKt.runBlocking(
                    EmptyCoroutineContext.INSTANCE,
                    (scope, after) -> BuildersKt.withContext(Dispatchers.getDefault(), (inner, then) -> "done", after));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
