package io.lifeguard.pool.tools.diagnosis;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.PoolDiagnosis;
import io.lifeguard.pool.diagnosis.window.Peer;
import io.lifeguard.pool.diagnosis.window.Peer.Use;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.recording.JudgedWindow;
import io.lifeguard.pool.recording.Observation;
import io.lifeguard.pool.recording.Observation.WindowEvidence;
import io.lifeguard.pool.tools.recording.EvidenceReader;
import io.lifeguard.pool.tools.recording.RecordingReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Applies the rules to the windows in a flight recording that was made with this library. Immutable.
 *
 * <p>The recording holds all that the monitor's rules were given, so the rules raise the same findings again. They know
 * nothing about the time before the recording began. Rules of users are asked if they are on the class path. A finding
 * that a user has switched off is raised here.
 *
 * <p>A black box is too small for the evidence of windows: it has {@linkplain #windows() no windows} here.
 */
public final class RecordingDiagnosis {

    private final List<Raised> findings;
    private final int windows;
    private final int unread;
    private final SortedSet<String> missing;

    private RecordingDiagnosis(Judge judge) {
        this.findings = judge.all.stream().map(Open::raised).toList();
        this.windows = judge.windows;
        this.unread = judge.unread;
        this.missing = judge.missing();
    }

    /**
     * Judges a recording.
     *
     * @param recording a file of the JDK's flight recorder, not null
     * @return what the rules find
     * @throws IOException if the file cannot be read, or is no flight recording
     */
    public static RecordingDiagnosis of(Path recording) throws IOException {
        return of(RecordingReader.read(Objects.requireNonNull(recording, "recording must not be null")));
    }

    /**
     * Judges what can be read of a recording that may be damaged or cut short.
     *
     * @param recording a file of the JDK's flight recorder, not null
     * @return what the rules find in what can be read of it
     * @throws IOException if the file cannot be opened, or is no flight recording
     */
    public static RecordingDiagnosis ofReadablePart(Path recording) throws IOException {
        Objects.requireNonNull(recording, "recording must not be null");
        return of(RecordingReader.readablePart(recording, other -> {}).observations());
    }

    private static RecordingDiagnosis of(List<Observation> recording) {
        Judge judge = new Judge();
        for (Observation each : recording) {
            if (each instanceof WindowEvidence evidence) {
                judge.enter(evidence);
            }
        }
        return new RecordingDiagnosis(judge);
    }

    /** {@return the findings in the order in which they were raised} */
    public List<Raised> findings() {
        return findings;
    }

    /** {@return how many windows of all pools were read} */
    public int windows() {
        return windows;
    }

    /**
     * {@return how many windows could not be read}
     *
     * <p>The first nine windows of a pool may build on one that the recording no longer has. Another version of the
     * library may have written windows that this version does not understand.
     */
    public int unreadWindows() {
        return unread;
    }

    /** {@return what rules lacked in the last windows of the pools, in their own words, sorted, unmodifiable} */
    public SortedSet<String> missing() {
        return missing;
    }

    /**
     * A finding, and the time for which it was raised. Immutable.
     *
     * @param finding with its latest numbers
     * @param raised the end of the window in which it was raised
     * @param over the end of the window in which it was resolved or ended; empty when it stands at the recording's end
     * @param resolved whether its rule saw that all is well
     */
    public record Raised(Finding finding, Instant raised, Optional<Instant> over, boolean resolved) {

        /** Refuses null. */
        public Raised {
            Objects.requireNonNull(finding, "finding must not be null");
            Objects.requireNonNull(raised, "raised must not be null");
            Objects.requireNonNull(over, "over must not be null");
        }
    }

    /** Enters the windows of all pools one after the other. Used by one thread. */
    private static final class Judge {
        private final EvidenceReader reader = new EvidenceReader();
        private final Map<String, PoolJudge> pools = new LinkedHashMap<>();
        private final List<Open> all = new ArrayList<>();
        private int windows;
        private int unread;

        void enter(WindowEvidence evidence) {
            if (evidence.content().isEmpty()) {
                PoolJudge ended = pools.remove(evidence.pool());
                if (ended != null) {
                    ended.end();
                }
                return;
            }
            Optional<JudgedWindow> window = reader.read(evidence);
            if (window.isEmpty()) {
                unread++;
                return;
            }
            windows++;
            pools.computeIfAbsent(evidence.pool(), name -> new PoolJudge(all)).enter(window.get(), this::peers);
        }

        /** The pools of the recorded process, as they were at the ends of their latest windows. */
        private List<Peer> peers() {
            return pools.values().stream().flatMap(pool -> pool.peer().stream()).toList();
        }

        SortedSet<String> missing() {
            SortedSet<String> missing = new TreeSet<>();
            pools.values().forEach(pool -> missing.addAll(pool.diagnosis.missing()));
            return Collections.unmodifiableSortedSet(missing);
        }
    }

    /** Enters the windows of one pool, or of one group of event loops. Used by one thread. */
    private static final class PoolJudge implements FindingListener {
        private final List<Open> all;
        private final Map<String, Open> open = new LinkedHashMap<>(); // by id
        private final PoolDiagnosis diagnosis = new PoolDiagnosis(this);
        private Instant now = Instant.EPOCH;
        private @Nullable JudgedWindow latest;

        PoolJudge(List<Open> all) {
            this.all = all;
        }

        void enter(JudgedWindow judged, Supplier<List<Peer>> peers) {
            PoolWindow window = judged.window().toBuilder().peers(peers).build();
            latest = judged;
            now = window.end();
            switch (judged.entry()) {
                case JUDGED -> diagnosis.enter(window, judged.usual(), judged.mayRaise());
                case STOOD_STILL -> diagnosis.enterUnseen(window, judged.usual(), JudgedWindow.STOOD_STILL);
                case NOT_JUDGED -> diagnosis.enterUnjudged(window, judged.usual(), JudgedWindow.STARVED_OF_CPU);
            }
        }

        /** Empty for event loops, and for external pools, which no list of instrumented pools has. */
        Optional<Peer> peer() {
            JudgedWindow known = latest;
            return known == null
                            || known.eventLoop().isPresent()
                            || !known.after().serviceTime().isKnown()
                    ? Optional.empty()
                    : Optional.of(new Peer(known.after().name(), known.scheduler(), () -> Use.of(known.after())));
        }

        /** The pool is no longer watched: as its monitor did, then. */
        void end() {
            if (latest != null && latest.eventLoop().isPresent()) {
                diagnosis.end(JudgedWindow.LOOP_ENDED);
            } else {
                diagnosis.end();
            }
        }

        @Override
        public void raised(Finding finding) {
            Open raised = new Open(finding, now);
            open.put(finding.id(), raised);
            all.add(raised);
        }

        @Override
        public void updated(Finding finding) {
            Open known = open.get(finding.id());
            if (known != null) {
                known.finding = finding;
            }
        }

        @Override
        public void resolved(Finding finding) {
            close(finding, true);
        }

        @Override
        public void ended(Finding finding, String why) {
            close(finding, false);
        }

        private void close(Finding finding, boolean isResolved) {
            Open known = open.remove(finding.id());
            if (known != null) {
                known.finding = finding;
                known.over = Optional.of(now);
                known.isResolved = isResolved;
            }
        }
    }

    /** A finding that may still change. Used by one thread. */
    private static final class Open {
        private final Instant raised;
        private Finding finding;
        private Optional<Instant> over = Optional.empty();
        private boolean isResolved;

        Open(Finding finding, Instant raised) {
            this.finding = finding;
            this.raised = raised;
        }

        Raised raised() {
            return new Raised(finding, raised, over, isResolved);
        }
    }
}
