package io.lifeguard.examples.jaraudit;

import io.lifeguard.examples.Terminal;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Shows how far a run is. On a terminal it overwrites one line; otherwise it prints a line every 5 s. It has its own
 * thread, so that the run does not wait for the terminal. Thread-safe.
 */
final class Progress implements AutoCloseable {

    private static final long INTERACTIVE_MILLIS = 100;
    private static final long FIRST_MILLIS = 1_000;
    private static final long SPARSE_MILLIS = 5_000;
    private static final int BAR = 10;
    private static final int WIDTH = 79;

    private final Terminal terminal;
    private final String label;
    private final ResultSheet results;
    private final ThreadPoolExecutor pool;
    private final Stopwatch stopwatch = Stopwatch.start();
    private final ScheduledExecutorService ticker = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "progress");
        thread.setDaemon(true);
        return thread;
    });

    /** The length of the line to overwrite. Guarded by this. */
    private int shown;

    /** Whether nothing may be printed any longer. Guarded by this. */
    private boolean closed;

    Progress(Terminal terminal, String label, ResultSheet results, ThreadPoolExecutor pool) {
        this.terminal = terminal;
        this.label = label;
        this.results = results;
        this.pool = pool;
    }

    /** Shows the progress of a run until {@link #close}. */
    @SuppressWarnings("FutureReturnValueIgnored") // an error of the terminal ends the progress lines, not the run
    static Progress start(Terminal terminal, String label, ResultSheet results, ThreadPoolExecutor pool) {
        Progress progress = new Progress(terminal, label, results, pool);
        long period = terminal.interactive() ? INTERACTIVE_MILLIS : SPARSE_MILLIS;
        progress.ticker.scheduleWithFixedDelay(
                progress::tick, Math.min(period, FIRST_MILLIS), period, TimeUnit.MILLISECONDS);
        return progress;
    }

    /** Prints how far the run is now. */
    synchronized void tick() {
        if (closed) {
            return;
        }
        String line = line();
        if (terminal.interactive()) {
            overwrite(line);
        } else {
            terminal.err().println(line);
        }
    }

    /** Prints that the run is over, and how long it took. */
    synchronized void done(long elapsedNanos) {
        clear();
        terminal.err()
                .printf(
                        "%-16s %s in %s%n",
                        label, Printable.count(results.size(), "audit"), Printable.seconds(elapsedNanos));
        closed = true;
    }

    /** Stops printing. */
    @Override
    public synchronized void close() {
        ticker.shutdownNow();
        clear();
        closed = true;
    }

    /* A longer line would wrap, and then it could not be overwritten. */
    private String line() {
        String line = terminal.interactive() ? shortLine() : longLine();
        return line.length() <= WIDTH ? line : line.substring(0, WIDTH);
    }

    private String shortLine() {
        int bar = (int) ((long) results.filled() * BAR / results.size());
        return String.format(
                Locale.ROOT,
                "%-27s [%s%s] %d/%d audits, %s, %d/%d busy",
                label,
                "#".repeat(bar),
                ".".repeat(BAR - bar),
                results.filled(),
                results.size(),
                Printable.seconds(stopwatch.elapsedNanos()),
                pool.getActiveCount(),
                pool.getMaximumPoolSize());
    }

    private String longLine() {
        return String.format(
                Locale.ROOT,
                "%-27s %d of %s, %s, %d of %d workers busy",
                label,
                results.filled(),
                Printable.count(results.size(), "audit"),
                Printable.seconds(stopwatch.elapsedNanos()),
                pool.getActiveCount(),
                pool.getMaximumPoolSize());
    }

    private void overwrite(String line) {
        terminal.err().print("\r" + line + " ".repeat(Math.max(0, shown - line.length())));
        terminal.err().flush();
        shown = line.length();
    }

    private void clear() {
        if (shown > 0) {
            overwrite("");
            terminal.err().print("\r");
            terminal.err().flush();
            shown = 0;
        }
    }
}
