package io.lifeguard.pool.tools.analyze;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.recording.Observation;
import io.lifeguard.pool.text.Units;
import io.lifeguard.pool.tools.analyze.ThreadHistory.Moment;
import io.lifeguard.pool.tools.analyze.ThreadHistory.Stay;
import io.lifeguard.pool.tools.dumps.DumpedThread;
import io.lifeguard.pool.tools.dumps.ThreadDump;
import io.lifeguard.pool.tools.watch.AwaitedResults;
import io.lifeguard.pool.tools.watch.Picture;
import io.lifeguard.pool.tools.watch.PoolFinder;
import io.lifeguard.pool.tools.watch.PoolFinder.FoundPool;
import io.lifeguard.pool.tools.watch.PoolView;
import io.lifeguard.pool.tools.watch.WatchedPool;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Replays a recording as a sequence of thread dumps, ten a second, and has each second judged. Not thread-safe.
 *
 * <p>So the rules are given the same as by a watch, with one difference: of some threads it is unknown what they do.
 */
public final class Replay {

    /** What the names of the library's own threads begin with. */
    private static final String LIBRARY = "lifeguard-";

    private static final int LOOKS = 10; // in a window
    private static final long WINDOW = WatchedPool.WINDOW.toNanos();
    private static final long STEP = WINDOW / LOOKS;

    private final FlightRecording recording;
    private final Picture picture;
    private final List<RecordedFinding> findings = new ArrayList<>();
    private final List<RecordedPool> pools = new ArrayList<>();
    private final List<ThreadHistory> others = new ArrayList<>(); // threads of no pool
    private final Map<String, TreeMap<Long, Long>> owners = new HashMap<>(); // of a lock, by the end of a wait for it
    private final Map<Long, String> names = new HashMap<>();
    private Instant now = Instant.EPOCH;

    /**
     * Prepares a replay.
     *
     * @param known names of threads of pools that need no replay, not null
     */
    public Replay(FlightRecording recording, Set<String> known) {
        this.recording = recording;
        this.picture = new Picture(new Listener());
        findPools(known);
        for (ThreadHistory thread : recording.threads()) {
            names.put(thread.id, thread.name);
            for (Stay stay : thread.stays()) {
                if (stay.owner() != 0) {
                    stay.look()
                            .waitsFor()
                            .ifPresent(lock -> owners.computeIfAbsent(lock.identity(), key -> new TreeMap<>())
                                    .put(stay.end(), stay.owner()));
                }
            }
        }
    }

    /**
     * Finds the pools among the threads. A thread of which one stack shows a worker is one all the time, and so is a
     * thread of such a name: deep stacks are recorded without the frames at the bottom, which show a worker.
     */
    private void findPools(Set<String> ownWorkers) {
        List<DumpedThread> workers = new ArrayList<>();
        Map<Long, ThreadHistory> byId = new HashMap<>();
        for (ThreadHistory thread : recording.threads()) {
            byId.put(thread.id, thread);
            thread.looks().stream()
                    .filter(look -> PoolFinder.isWorker(look.stack()))
                    .findFirst()
                    .ifPresent(look -> workers.add(new DumpedThread(
                            thread.name,
                            OptionalLong.of(thread.id),
                            look.state(),
                            look.stack(),
                            look.doing(),
                            Optional.empty())));
        }
        Set<Long> known = new HashSet<>();
        Map<String, List<ThreadHistory>> byName = new HashMap<>();
        for (FoundPool pool : PoolFinder.find(new ThreadDump("the recording", workers, Map.of()))) {
            List<ThreadHistory> threads = new ArrayList<>();
            boolean isOwn = pool.name().startsWith(LIBRARY)
                    || pool.workers().stream().anyMatch(worker -> ownWorkers.contains(worker.name()));
            pool.workers()
                    .forEach(worker -> worker.nativeId().ifPresent(id -> {
                        known.add(id);
                        threads.add(byId.get(id));
                    }));
            if (isOwn) {
                others.addAll(threads);
            } else {
                pools.add(new RecordedPool(pool, threads, picture));
                byName.put(pool.name(), threads);
            }
        }
        for (ThreadHistory thread : recording.threads()) {
            if (!known.contains(thread.id)) {
                byName.getOrDefault(PoolFinder.name(thread.name), others).add(thread);
            }
        }
    }

    /** Runs it, once. */
    public void run() {
        OptionalLong before = OptionalLong.empty();
        for (Map.Entry<Long, Long> span : recording.spans().entrySet()) {
            run(span.getKey(), span.getValue(), before);
            before = OptionalLong.of(span.getValue());
        }
    }

    /** Replays what was recorded without a gap. The window that begins in a gap is not judged. */
    private void run(long first, long end, OptionalLong before) {
        Optional<String> gap = before.isEmpty()
                ? Optional.empty()
                : Optional.of(Units.format(
                        "nothing was recorded for %s", Units.time(Duration.ofNanos(first - before.getAsLong()))));
        for (long begin = first; end - begin >= WINDOW / 2; begin += WINDOW) {
            long until = Math.min(end, begin + WINDOW);
            for (long time = begin + STEP / 2; time < until; time += STEP) {
                look(time);
            }
            close(begin, until, gap);
            gap = Optional.empty();
        }
    }

    private void look(long time) {
        picture.now(time);
        boolean isFull = recording.process().isFull(time);
        long period = recording.samplePeriod();
        List<DumpedThread> all = new ArrayList<>();
        Map<String, String> holders = new HashMap<>();
        Map<RecordedPool, FoundPool> found = new LinkedHashMap<>();
        for (RecordedPool pool : pools) {
            List<DumpedThread> workers = new ArrayList<>();
            for (ThreadHistory thread : pool.threads()) {
                if (thread.isAlive(time)) {
                    workers.add(look(thread.at(time, isFull, period), time, holders));
                }
            }
            all.addAll(workers);
            found.put(pool, pool.with(workers));
        }
        for (ThreadHistory thread : others) {
            if (thread.isAlive(time)) {
                DumpedThread look = look(thread.at(time, isFull, period), time, holders);
                if (!look.stack().isEmpty()) {
                    all.add(look);
                }
            }
        }
        ThreadDump dump = new ThreadDump("the recording", all, holders);
        List<FoundPool> present = found.values().stream()
                .filter(pool -> !pool.workers().isEmpty())
                .toList();
        AwaitedResults results = new AwaitedResults();
        results.see(dump, present, pool -> false); // a recording does not say which workers got results
        found.forEach((pool, workers) -> pool.see(workers, dump, results, time));
    }

    /** Notes who holds the lock that a thread waits for: the one that the next to get it has got it from. */
    private DumpedThread look(Moment moment, long time, Map<String, String> holders) {
        moment.stay().flatMap(stay -> stay.look().waitsFor()).ifPresent(lock -> {
            TreeMap<Long, Long> handOvers = owners.get(lock.identity());
            Map.Entry<Long, Long> next = handOvers == null ? null : handOvers.ceilingEntry(time);
            if (next != null && names.containsKey(next.getValue())) {
                holders.put(lock.identity(), names.get(next.getValue()));
            }
        });
        return moment.look();
    }

    private void close(long begin, long until, Optional<String> gap) {
        now = instant(until);
        picture.now(until);
        var process = recording.process().window(begin, until);
        for (RecordedPool pool : pools) {
            Set<Long> moved = pool.threads().stream()
                    .filter(thread -> thread.hasMoved(begin, until))
                    .map(thread -> thread.id)
                    .collect(Collectors.toSet());
            pool.close(process, moved, now, until, gap);
        }
    }

    private static Instant instant(long nanos) {
        return Instant.ofEpochSecond(0, nanos);
    }

    /** {@return the pools over the whole recording} */
    public List<PoolView> pools() {
        return pools.stream().map(RecordedPool::view).toList();
    }

    /** {@return what was found, in the order in which it was} */
    public List<RecordedFinding> findings() {
        return List.copyOf(findings);
    }

    /** {@return what a report draws} */
    public List<Observation> observations() {
        return picture.observations();
    }

    /** Remembers when findings were raised and resolved. */
    private final class Listener implements FindingListener {

        @Override
        public void raised(Finding finding) {
            findings.add(new RecordedFinding(finding, finding.since(), Optional.empty()));
        }

        @Override
        public void updated(Finding finding) {
            replace(finding, known -> new RecordedFinding(finding, known.from(), known.until()));
        }

        @Override
        public void resolved(Finding finding) {
            replace(finding, known -> new RecordedFinding(known.finding(), known.from(), Optional.of(now)));
        }

        @Override
        public void ended(Finding finding, String why) {
            resolved(finding);
        }

        private void replace(Finding finding, UnaryOperator<RecordedFinding> change) {
            findings.replaceAll(known -> known.until().isEmpty()
                            && known.finding().id().equals(finding.id())
                            && known.finding().pool().equals(finding.pool())
                    ? change.apply(known)
                    : known);
        }
    }
}
