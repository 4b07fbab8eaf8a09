package io.lifeguard.examples.stories;

import io.lifeguard.examples.Lookout;
import io.lifeguard.examples.Reports;
import io.lifeguard.examples.Terminal;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.report.LastMinute;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What a story works with: it feeds pools, reads the lifeguard's findings and prints the results. For one thread. */
final class Stage implements AutoCloseable {

    private static final int INDENT = 10;
    private static final int WIDTH = 110;

    private final Terminal terminal;
    private final Lookout lookout;
    private @Nullable LastMinute sick; // null until the cure begins
    private String title = "";
    private Instant cureStart = Instant.now();

    Stage(Terminal terminal, Lookout lookout) {
        this.terminal = terminal;
        this.lookout = lookout;
    }

    /**
     * Submits tasks from the calling thread for the given time, as fast as the pool accepts them, and shuts the pool
     * down. When the pool is full, its submitter must wait or run the task.
     */
    Act feed(String label, InstrumentedThreadPoolExecutor pool, Duration length, Runnable task)
            throws InterruptedException {
        long start = System.nanoTime();
        long end = start + length.toNanos();
        try {
            while (System.nanoTime() - end < 0) {
                pool.execute(task);
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
            return close(label, pool, start);
        } finally {
            pool.shutdownNow();
        }
    }

    /** Returns the measurements of a pool that has been busy since {@code startNanos}, and shuts the pool down. */
    Act close(String label, InstrumentedThreadPoolExecutor pool, long startNanos) throws InterruptedException {
        List<PoolWindow> windows = lookout.windows(pool.name());
        List<Finding> findings = lookout.findings(pool.name());
        PoolSnapshot last = pool.snapshot();
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        pool.shutdownNow();
        pool.awaitTermination(1, TimeUnit.MINUTES);
        return new Act(label, last.completed() + last.callerRuns(), seconds, last, findings, SystemUse.of(windows));
    }

    /** Watches the JDK's common pool under that name. */
    void watchCommonPool(String name) {
        lookout.watchCommonPool(name);
    }

    /** Returns the findings so far about the pool or thread of that name. */
    List<Finding> findings(String name) {
        return lookout.findings(name);
    }

    /** Returns all findings so far. */
    List<Finding> findings() {
        return lookout.findings();
    }

    /** The cure is next: what was recorded so far is the sick part of the report. */
    void cureBegins() {
        sick = lookout.lastMinute();
        cureStart = Instant.now();
    }

    /** Writes the page with the sick part and, where there is one, the cured part. Prints where the page is. */
    void report(String name) throws IOException {
        LastMinute all = lookout.lastMinute();
        if (sick == null) {
            Reports.write(terminal, name, title, all);
        } else {
            Reports.write(terminal, name, title, "sick", sick, "cured", all.since(cureStart));
        }
    }

    void title(String title, String... lines) {
        this.title = title;
        say("");
        say(title);
        say("-".repeat(title.length()));
        for (String line : lines) {
            say(line);
        }
        say("");
    }

    void say(String line) {
        terminal.print(line + System.lineSeparator());
    }

    /** Prints the throughput and the service time of one run. */
    void tell(String when, Act act) {
        told(
                when,
                String.format(
                        Locale.ROOT, "%s: %,.0f tasks/s, service time %s", act.label(), act.rate(), serviceTime(act)));
    }

    private static String serviceTime(Act act) {
        double micros = act.snapshot().serviceTime().mean().toNanos() / 1e3;
        return micros < 1_000
                ? String.format(Locale.ROOT, "%.0f µs", micros)
                : String.format(Locale.ROOT, "%.1f ms", micros / 1e3);
    }

    /** Prints a finding and its advice. */
    void tell(Finding finding) {
        told("finding", finding.id() + ": " + finding.summary());
        told("advice", finding.advice());
    }

    /** Prints the finding, or a line saying that it was not raised. */
    void tell(Optional<Finding> finding, String id) {
        finding.ifPresentOrElse(this::tell, () -> told("finding", id + " was not raised"));
    }

    /** Prints a word and a text beside it, in lines of at most 110 characters. */
    void told(String word, String text) {
        StringBuilder line = new StringBuilder(String.format("%-" + INDENT + "s", word));
        for (String next : text.split(" ", -1)) {
            if (line.length() + next.length() > WIDTH) {
                say(line.toString().stripTrailing());
                line.setLength(0);
                line.append(" ".repeat(INDENT));
            }
            line.append(next).append(' ');
        }
        say(line.toString().stripTrailing());
    }

    @Override
    public void close() {
        lookout.close();
    }
}
