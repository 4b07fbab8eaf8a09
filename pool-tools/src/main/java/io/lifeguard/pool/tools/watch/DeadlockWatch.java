package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.PoolDiagnosis;
import io.lifeguard.pool.diagnosis.outside.ExternalPool;
import io.lifeguard.pool.diagnosis.seen.DeadlockCircle;
import io.lifeguard.pool.diagnosis.seen.DeadlockCircle.Member;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.tools.dumps.ThreadDump;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Judges the circles of threads that dumps of another JVM show. Not thread-safe. */
final class DeadlockWatch {

    private final PoolDiagnosis diagnosis;
    private @Nullable PoolSnapshot before;
    private @Nullable ThreadDump concludedFrom;
    private Set<Set<String>> candidates = Set.of(); // the locks of circles in that dump
    private List<DeadlockCircle> concluded = List.of();

    DeadlockWatch(FindingListener listener) {
        this.diagnosis = new PoolDiagnosis(listener);
    }

    /**
     * Judges the latest dump, and the latest one with virtual threads.
     *
     * @param unseen why no dump with virtual threads is taken, though there are some; empty otherwise
     */
    void close(ThreadDump latest, Optional<ThreadDump> virtual, String unseen, ProcessWindow process, Instant end) {
        concludeFrom(virtual);
        List<DeadlockCircle> circles = new ArrayList<>(latest.picture().deadlocks());
        virtual.ifPresent(dump -> dump.picture().deadlocks().stream()
                .filter(circle -> circle.members().stream().anyMatch(Member::isVirtual))
                .forEach(circles::add));
        circles.addAll(concluded);
        PoolSnapshot after = ExternalPool.unmeasured("threads", 1, 1, 0, 0, new PoolSnapshot.Limits(1, 1, 0));
        PoolSnapshot begin = before;
        before = after;
        if (begin != null) {
            PoolWindow window = PoolWindow.between(begin, after)
                    .end(end)
                    .process(process)
                    .subject(PoolWindow.Subject.THREADS)
                    .seen(DeadlockCircle.All.class, new DeadlockCircle.All(circles, unseen))
                    .build();
            diagnosis.enter(window, WatchedPool.WINDOW, true);
        }
    }

    /** A circle that is concluded from stacks counts when two dumps have shown it. Two dumps of a circle are equal. */
    @SuppressWarnings("ReferenceEquality")
    private void concludeFrom(Optional<ThreadDump> virtual) {
        ThreadDump dump = virtual.orElse(null);
        if (dump == null || dump == concludedFrom) {
            return;
        }
        List<DeadlockCircle> circles = dump.picture().likelyDeadlocks();
        Set<Set<String>> earlier = candidates;
        candidates = circles.stream().map(DeadlockWatch::locks).collect(Collectors.toSet());
        concluded = circles.stream()
                .filter(circle -> earlier.contains(locks(circle)))
                .toList();
        concludedFrom = dump;
    }

    private static Set<String> locks(DeadlockCircle circle) {
        return circle.members().stream().map(Member::lock).collect(Collectors.toSet());
    }

    /** {@return what was found; empty while nothing is} */
    Optional<PoolView> view() {
        List<Finding> findings = diagnosis.findings();
        return findings.isEmpty()
                ? Optional.empty()
                : Optional.of(new PoolView("threads", PoolKind.CARRIERS, 0, 0, Optional.empty(), findings, Set.of()));
    }
}
