package io.lifeguard.pool.corpus.run;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.Pools;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import jdk.jfr.Recording;

/** A monitor like a user's, with shorter windows, and a record of the findings that it raised. Thread-safe. */
final class Watcher implements FindingListener {

    /** The system property with the file for a flight recording of the workload, for pictures. */
    static final String RECORDING = "corpus.recording";

    private static final int WINDOWS_SHOWN = 20;

    private final PoolMonitor monitor;
    private final Duration window;
    private final List<Raised> raised = new CopyOnWriteArrayList<>();
    private final Optional<Path> file =
            Optional.ofNullable(System.getProperty(RECORDING)).map(Path::of);
    private final Optional<Recording> recording = file.map(wanted -> new Recording());

    Watcher(Duration window) {
        this.window = window;
        PoolMonitor.Builder builder = PoolMonitor.builder().window(window).listener(this);
        TimeScale.thresholds().forEach(builder::threshold);
        this.monitor = builder.build();
    }

    /** Warms the monitor up. Its findings do not count in this time, and it is not recorded. */
    void warmUp() throws InterruptedException {
        WarmUp.of(monitor, window);
        recording.ifPresent(Recording::start);
    }

    @Override
    public void raised(Finding finding) {
        if (!finding.pool().equals(WarmUp.POOL)) {
            raised.add(new Raised(finding, System.nanoTime()));
        }
    }

    /** The ids of what was raised until now. */
    Set<String> found() {
        Set<String> ids = new HashSet<>();
        raised.forEach(each -> ids.add(each.finding.id()));
        return ids;
    }

    /** Stops watching, before the end of the workload could look like a finding. */
    List<Sighting> end(long sickSince) throws IOException {
        if (file.isPresent()) { // the JVM will be halted, so the recorder would not write it by itself
            recording.orElseThrow().dump(file.get());
        }
        monitor.close();
        List<Sighting> sightings = new ArrayList<>();
        raised.forEach(each -> sightings.add(Sighting.of(each.finding, each.nanoTime - sickSince, window.toNanos())));
        for (String pool : pools()) {
            for (String text : Agreement.contradictions(monitor.windows(pool), window)) {
                sightings.add(new Sighting(Agreement.CONTRADICTION, pool, 0, 0, text));
            }
        }
        return sightings;
    }

    private static Set<String> pools() {
        Set<String> names = new TreeSet<>();
        for (InstrumentedPool pool : Pools.live()) {
            names.add(pool.name());
        }
        names.remove(WarmUp.POOL);
        return names;
    }

    /** The last windows of each pool, which show why a finding was raised or not. */
    List<String> windows() {
        List<String> lines = new ArrayList<>();
        for (String name : pools()) {
            monitor.windows(name).stream().limit(WINDOWS_SHOWN).forEach(each -> lines.add(describe(each)));
        }
        return lines;
    }

    private static String describe(PoolWindow window) {
        return window + ", service " + window.serviceTime().meanSeconds() * 1e3 + " ms, cpu "
                + window.cpuTime().map(span -> span.meanSeconds() * 1e3) + " ms, " + window.process() + ", "
                + window.workerTimes() + ", "
                + window.bottleneck() + ", " + describe(window.breakdown());
    }

    private static String describe(TimeBreakdown times) {
        List<String> shares = times.shares().stream()
                .map(share -> share.workers().value() + " ± " + share.workers().error() + " " + share.doing() + " at "
                        + share.place() + " for " + share.awaited())
                .toList();
        return times.looks() + " looks, " + times.stacks() + " stacks: " + shares;
    }

    private record Raised(Finding finding, long nanoTime) {}
}
