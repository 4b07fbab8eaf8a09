package io.lifeguard.pool.soak;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Waits for a thread as long as some number moves; when it stands still, writes down what every thread does. Stateless.
 */
final class Watchdog {

    private static final int MOST_FRAMES = 40;

    private Watchdog() {}

    /**
     * Waits for the end of the thread.
     *
     * @return empty when it has ended, and a dump of all threads when nothing moved for so long
     */
    static String await(Thread thread, LongSupplier progress, long stuckNanos) throws InterruptedException {
        long seen = progress.getAsLong();
        long since = System.nanoTime();
        while (thread.isAlive()) {
            thread.join(TimeUnit.NANOSECONDS.toMillis(Math.min(stuckNanos / 10, 500_000_000)));
            long now = progress.getAsLong();
            if (now != seen) {
                seen = now;
                since = System.nanoTime();
            } else if (thread.isAlive() && System.nanoTime() - since > stuckNanos) {
                return dump();
            }
        }
        return "";
    }

    /** All threads, with their stacks and locks. */
    static String dump() {
        StringBuilder text = new StringBuilder();
        for (ThreadInfo info : ManagementFactory.getThreadMXBean().dumpAllThreads(true, true, MOST_FRAMES)) {
            text.append('"').append(info.getThreadName()).append("\" ").append(info.getThreadState());
            text.append(info.getLockInfo() == null ? "" : " on " + info.getLockInfo());
            text.append(info.getLockOwnerName() == null ? "" : " held by \"" + info.getLockOwnerName() + '"');
            text.append(System.lineSeparator());
            for (StackTraceElement frame : info.getStackTrace()) {
                text.append("    at ").append(frame).append(System.lineSeparator());
            }
        }
        return text.toString();
    }
}
