package io.lifeguard.pool.corpus.run;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.PoolDiagnosis;
import io.lifeguard.pool.diagnosis.window.Peer;
import io.lifeguard.pool.diagnosis.window.Peer.Use;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.recording.JudgedWindow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the windows that a monitor gives to its rules, and lets the rules judge them once more. Thread-safe.
 *
 * <p>What a monitor finds without a window of a pool is not found again: deadlocks of threads outside pools, and what
 * concerns virtual threads.
 */
final class JudgedAgain implements JudgedWindow.Listener {

    private final List<Entry> entries = new ArrayList<>(); // guarded by this

    /** A window of a pool; empty when it is no longer watched. */
    private record Entry(String pool, Optional<JudgedWindow> window) {}

    @Override
    public synchronized void judged(JudgedWindow window) {
        entries.add(new Entry(window.window().pool(), Optional.of(window)));
    }

    @Override
    public synchronized void ended(String pool) {
        entries.add(new Entry(pool, Optional.empty()));
    }

    /** {@return how many windows of all pools there are} */
    synchronized long windows() {
        return entries.stream().filter(entry -> entry.window.isPresent()).count();
    }

    /** {@return what the rules find in the windows, as it was raised, in that order} */
    synchronized List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        Map<String, PoolJudge> pools = new LinkedHashMap<>();
        Supplier<List<Peer>> peers = () ->
                pools.values().stream().flatMap(pool -> pool.peer().stream()).toList();
        for (Entry entry : entries) {
            if (entry.window.isPresent()) {
                pools.computeIfAbsent(entry.pool, name -> new PoolJudge(findings))
                        .enter(entry.window.get(), peers);
            } else if (pools.containsKey(entry.pool)) {
                pools.remove(entry.pool).end();
            }
        }
        return findings;
    }

    /** Enters the windows of one pool, or of one group of event loops. Used by one thread. */
    private static final class PoolJudge implements FindingListener {
        private final List<Finding> all;
        private final PoolDiagnosis diagnosis = new PoolDiagnosis(this);
        private @Nullable JudgedWindow latest;

        PoolJudge(List<Finding> all) {
            this.all = all;
        }

        void enter(JudgedWindow judged, Supplier<List<Peer>> peers) {
            PoolWindow window = judged.window().toBuilder().peers(peers).build();
            latest = judged;
            switch (judged.entry()) {
                case JUDGED -> diagnosis.enter(window, judged.usual(), judged.mayRaise());
                case STOOD_STILL -> diagnosis.enterUnseen(window, judged.usual(), JudgedWindow.STOOD_STILL);
                case NOT_JUDGED -> diagnosis.enterUnjudged(window, judged.usual(), JudgedWindow.STARVED_OF_CPU);
            }
        }

        /** Empty for event loops, and for external pools, which no list of instrumented pools has. */
        Optional<Peer> peer() {
            JudgedWindow known = latest;
            if (known == null
                    || known.window().eventLoop().isPresent()
                    || !known.window().after().serviceTime().isKnown()) {
                return Optional.empty();
            }
            return Optional.of(new Peer(
                    known.window().pool(),
                    known.scheduler(),
                    () -> Use.of(known.window().after())));
        }

        /** The pool is no longer watched: as its monitor did, then. */
        void end() {
            if (latest != null && latest.window().eventLoop().isPresent()) {
                diagnosis.end(JudgedWindow.LOOP_ENDED);
            } else {
                diagnosis.end();
            }
        }

        @Override
        public void raised(Finding finding) {
            all.add(finding);
        }
    }
}
