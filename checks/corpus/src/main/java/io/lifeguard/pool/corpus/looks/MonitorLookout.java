package io.lifeguard.pool.corpus.looks;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import java.util.OptionalInt;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Looks at a monitor's findings four times a second, as a person with a dashboard would. Thread-safe. */
public final class MonitorLookout implements Lookout {

    private static final long EVERY_MILLIS = 250;

    private final PoolMonitor monitor;
    private final TakenLooks taken = new TakenLooks();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(body -> {
        Thread thread = new Thread(body, "lookout");
        thread.setDaemon(true);
        return thread;
    });

    /** Starts to look at this monitor's findings. */
    public MonitorLookout(PoolMonitor monitor) {
        this.monitor = monitor;
        var unused = timer.scheduleAtFixedRate(this::look, EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void look() {
        taken.add(monitor.findings().stream().map(this::standing).toList());
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

    @Override
    public void end(long zero) {
        timer.shutdownNow();
        taken.print(zero);
    }
}
