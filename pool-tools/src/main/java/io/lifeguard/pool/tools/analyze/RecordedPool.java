package io.lifeguard.pool.tools.analyze;

import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.tools.dumps.DumpedThread;
import io.lifeguard.pool.tools.dumps.ThreadDump;
import io.lifeguard.pool.tools.watch.AwaitedResults;
import io.lifeguard.pool.tools.watch.Picture;
import io.lifeguard.pool.tools.watch.PoolFinder.FoundPool;
import io.lifeguard.pool.tools.watch.PoolView;
import io.lifeguard.pool.tools.watch.WatchedPool;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One pool of a recording, and what its replay has shown. Not thread-safe. */
final class RecordedPool {

    private static final int JOINED = PoolWindow.HISTORY;

    private final FoundPool found;
    private final List<ThreadHistory> threads;
    private final WatchedPool watched;
    private final List<PoolWindow> windows = new ArrayList<>(); // not joined yet, earliest first
    private final List<PoolWindow> joined = new ArrayList<>(); // each of sixty, earliest first
    private final Map<Bottleneck, Integer> limits = new EnumMap<>(Bottleneck.class);
    private Set<String> missing = Set.of(); // for want of which the latest window could not be judged
    private int mostWorkers;
    private long looks;

    RecordedPool(FoundPool found, List<ThreadHistory> threads, Picture picture) {
        this.found = found;
        this.threads = threads;
        this.watched = new WatchedPool(found, picture, Optional.of(picture));
    }

    List<ThreadHistory> threads() {
        return threads;
    }

    FoundPool with(List<DumpedThread> workers) {
        return new FoundPool(found.name(), found.kind(), workers);
    }

    void see(FoundPool now, ThreadDump dump, AwaitedResults results, long nanos) {
        mostWorkers = Math.max(mostWorkers, now.workers().size());
        looks++;
        if (now.workers().isEmpty()) {
            watched.seeNobody();
        } else {
            watched.see(now, dump, results, nanos);
        }
    }

    void close(ProcessWindow process, Set<Long> moved, Instant end, long nanos, Optional<String> gap) {
        Optional<PoolWindow> before = watched.window();
        watched.close(process, Map.of(), moved, List.of(), Map.of(), end, nanos, gap);
        Optional<PoolWindow> window = watched.window();
        if (window.isPresent() && !window.equals(before)) {
            limits.merge(window.get().bottleneck(), 1, Integer::sum);
            missing = watched.view().missing();
            windows.add(window.get().toBuilder()
                    .earlier(List.of())
                    .minutes(List.of())
                    .build());
            if (windows.size() == JOINED) {
                joined.add(join(windows));
                windows.clear();
            }
        }
    }

    private static PoolWindow join(List<PoolWindow> parts) {
        List<PoolWindow> latestFirst = new ArrayList<>(parts);
        Collections.reverse(latestFirst);
        PoolWindow all = latestFirst.get(0).toBuilder()
                .earlier(latestFirst.subList(1, latestFirst.size()))
                .build()
                .last(latestFirst.size());
        return all.toBuilder().earlier(List.of()).build();
    }

    /** {@return the pool over the whole recording, limited by what limited it most often} */
    PoolView view() {
        List<PoolWindow> all = new ArrayList<>(joined);
        all.addAll(windows);
        Optional<PoolWindow> whole = all.isEmpty()
                ? Optional.empty()
                : Optional.of(join(all).toBuilder().bottleneck(limit()).build());
        return new PoolView(
                found.name(),
                found.kind(),
                mostWorkers,
                looks,
                whole,
                watched.view().findings(),
                missing);
    }

    private Bottleneck limit() {
        return limits.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse(Bottleneck.UNKNOWN);
    }
}
