package io.lifeguard.pool.diagnosis.log;

import io.lifeguard.pool.os.LibraryThread;
import io.lifeguard.pool.text.LogText;
import io.lifeguard.pool.text.UserCode;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes lines to the log on a daemon thread of its own, in order. A slow or stuck appender therefore does not stop the
 * monitor, which may be about to find that very appender. Thread-safe.
 *
 * <p>The thread starts with the first line, and ends after a second without one. A full backlog drops lines and counts
 * them; the log says how many as soon as it takes lines again.
 */
public final class LogLines
        implements Consumer<Consumer<Logger>>,
                BiConsumer<System.Logger.Level, String>,
                ThreadFactory,
                RejectedExecutionHandler {

    /** What the monitors of this JVM say: findings, failures of rules, and what they cannot see. */
    public static final LogLines MONITOR = new LogLines(new Supplier<>() {
        @Override
        public Logger get() {
            return LoggerFactory.getLogger("io.lifeguard.pool.diagnosis");
        }
    });

    /** Lines that may wait. A round rarely has more than one for each pool. */
    private static final int BACKLOG = 1_024;

    /** A stuck appender must not hold up the end of a program. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Supplier<Logger> log; // asked with the first line, which loads the logging library
    private final UserCode guard = new Failures();
    private final AtomicLong dropped = new AtomicLong(); // since the log said so; by any writer, and by the thread
    private final ThreadPoolExecutor thread;

    public LogLines(Supplier<Logger> log) {
        this.log = log;
        this.thread = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(BACKLOG), this, this);
        thread.allowCoreThreadTimeOut(true);
    }

    @Override
    public Thread newThread(Runnable body) {
        return LibraryThread.daemon("lifeguard-log", body);
    }

    @Override
    public void rejectedExecution(Runnable line, ThreadPoolExecutor full) {
        dropped.incrementAndGet();
    }

    /** Writes a line soon, or drops it if the backlog is full. Does not wait. */
    public void write(Consumer<Logger> line) {
        try {
            thread.execute(new Line(line));
        } catch (Error ignored) { // no memory for a thread: a later line may get one
            dropped.incrementAndGet();
        }
    }

    /** Writes a line soon, as {@link #write(Consumer)}. Those that are no warnings are information. */
    public void write(System.Logger.Level level, String line) {
        write(level.compareTo(System.Logger.Level.WARNING) >= 0 ? log -> log.warn(line) : log -> log.info(line));
    }

    @Override
    public void accept(Consumer<Logger> line) {
        write(line);
    }

    @Override
    public void accept(System.Logger.Level level, String line) {
        write(level, line);
    }

    /** Takes no more lines, and waits until those that were taken are written, for at most {@link #PATIENCE}. */
    public void close() {
        thread.shutdown();
        try {
            thread.awaitTermination(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the thread writes on, if its program does
        }
    }

    private final class Line implements Runnable {
        private final Consumer<Logger> text;

        Line(Consumer<Logger> text) {
            this.text = text;
        }

        @Override
        public void run() {
            writeNow(text);
        }
    }

    private void writeNow(Consumer<Logger> line) {
        try {
            line.accept(log.get());
        } catch (Throwable e) {
            guard.failed(this, e);
        }
        long lost = dropped.getAndSet(0);
        if (lost > 0) {
            guard.run(
                    this,
                    () -> log.get()
                            .atWarn()
                            .addKeyValue("dropped", lost)
                            .log("{} lines were dropped, because the log was too slow for them", lost));
        }
    }

    /**
     * Logs the first failure of each class of users' code. A failure of the library's own code is one line in the
     * user's log; its stack is logged at the level debug. Users need the stack of their own code's failure.
     */
    static class Failures extends UserCode {

        private static final String LIBRARY = "io.lifeguard.pool.";

        @Override
        protected void report(String who, Throwable failure) {
            if (who.startsWith(LIBRARY)) {
                StackTraceElement[] stack = failure.getStackTrace();
                MONITOR.write(log -> {
                    log.warn(
                            "{} failed and is ignored this time; further failures of it are not logged: {}, at {}",
                            who,
                            LogText.clean(String.valueOf(failure)),
                            stack.length == 0 ? "an unknown place" : stack[0]);
                    log.debug("{} failed", who, failure);
                });
            } else {
                MONITOR.write(log -> log.warn(
                        "{} failed and is ignored this time; further failures of it are not logged", who, failure));
            }
        }
    }
}
