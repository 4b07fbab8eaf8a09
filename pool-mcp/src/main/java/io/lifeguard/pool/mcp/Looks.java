package io.lifeguard.pool.mcp;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.tools.jvm.CannotLookException;
import io.lifeguard.pool.tools.watch.PoolView;
import io.lifeguard.pool.tools.watch.Target;
import io.lifeguard.pool.tools.watch.Watch;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/** Looks at JVMs, and remembers the latest {@value #REMEMBERED} looks. Thread-safe. */
final class Looks {

    static final int REMEMBERED = 16;
    static final int FEWEST_SECONDS = 3;
    static final int MOST_SECONDS = 30;
    static final int USUAL_SECONDS = 8;

    /** A first finding may become more severe, or be joined by others, in the windows that follow. */
    private static final int FEWEST_WINDOWS = 4;

    private static final FindingListener NOBODY = finding -> {};

    private final Deque<Look> latest = new ArrayDeque<>(); // guarded by this
    private int number; // guarded by this

    /**
     * Watches a JVM, and ends early when there is a finding.
     *
     * @param seconds how long to look at most
     */
    Look look(long pid, int seconds) throws CannotLookException, InterruptedException {
        Target target = Target.of(pid);
        Watch watch = new Watch(target, NOBODY);
        long began = System.nanoTime();
        long limit = Duration.ofSeconds(seconds).toNanos();
        int windows = 0;
        boolean isFound = false;
        while (System.nanoTime() - began < limit && !(isFound && windows >= FEWEST_WINDOWS)) {
            if (watch.look()) {
                windows++;
                isFound =
                        watch.pools().stream().anyMatch(pool -> !pool.findings().isEmpty());
            }
            Thread.sleep(watch.pause().toMillis());
        }
        return remember(watch, Duration.ofNanos(System.nanoTime() - began));
    }

    private synchronized Look remember(Watch watch, Duration length) {
        number++;
        List<Finding> findings = findings(watch.pools());
        Look look = new Look(
                "look-" + number,
                Instant.now().truncatedTo(ChronoUnit.MILLIS),
                length,
                watch.target().pid(),
                watch.target().program(),
                watch.pools(),
                findings,
                findings.isEmpty() ? watch.obstacle() : watch.blindness());
        latest.addLast(look);
        if (latest.size() > REMEMBERED) {
            latest.removeFirst();
        }
        return look;
    }

    private static List<Finding> findings(List<PoolView> pools) {
        return pools.stream()
                .flatMap(pool -> pool.findings().stream())
                .sorted(Comparator.comparing(Finding::severity).reversed().thenComparing(Finding::since))
                .toList();
    }

    /**
     * {@return a look by its name}
     *
     * @throws CannotLookException if there is none, or no longer
     */
    synchronized Look find(String name) throws CannotLookException {
        return latest.stream()
                .filter(look -> look.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new CannotLookException("there is no look '" + name + "'. Remembered are: "
                        + String.join(", ", latest.stream().map(Look::name).toList())
                        + ". look_at_jvm makes one."));
    }
}
