package io.lifeguard.pool.corpus.looks;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Looks at a monitor's findings four times a second, as a person with a dashboard would. Thread-safe. */
public final class Lookout {

    private static final long EVERY_MILLIS = 250;

    private final PoolMonitor monitor;
    private final List<Taken> taken = new ArrayList<>(); // guarded by itself
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(body -> {
        Thread thread = new Thread(body, "lookout");
        thread.setDaemon(true);
        return thread;
    });

    /** Starts to look at this monitor's findings. */
    public Lookout(PoolMonitor monitor) {
        this.monitor = monitor;
        var unused = timer.scheduleAtFixedRate(this::look, EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void look() {
        long now = System.nanoTime();
        List<Standing> standing =
                monitor.findings().stream().map(this::standing).toList();
        synchronized (taken) {
            taken.add(new Taken(now, standing));
        }
    }

    private Standing standing(Finding finding) {
        OptionalInt size = monitor.windows(finding.pool()).stream()
                .limit(1)
                .mapToInt(window -> window.after().limits().maximumSize())
                .filter(maximum -> maximum > 0)
                .findFirst();
        return new Standing(
                finding.id(),
                finding.pool(),
                finding.recommendedSize(),
                size,
                finding.summary() + " | " + finding.advice() + " | " + finding.evidence());
    }

    /**
     * Stops, and prints all looks for {@link Course#parse}.
     *
     * @param zero the {@link System#nanoTime()} from which the looks count
     */
    public void end(long zero) {
        timer.shutdownNow();
        synchronized (taken) {
            for (Taken each : taken) {
                long millis = Math.floorDiv(each.nanoTime - zero, 1_000_000L);
                new Look(millis, each.findings).lines().forEach(System.out::println);
            }
        }
    }

    private record Taken(long nanoTime, List<Standing> findings) {}
}
