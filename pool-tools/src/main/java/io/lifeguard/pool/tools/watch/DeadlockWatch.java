package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.PoolDiagnosis;
import io.lifeguard.pool.diagnosis.external.ExternalPool;
import io.lifeguard.pool.diagnosis.window.DeadlockCircle;
import io.lifeguard.pool.diagnosis.window.DeadlockCircle.Member;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.tools.dumps.DumpedThread;
import io.lifeguard.pool.tools.dumps.ThreadDump;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Judges the circles of threads that dumps of another JVM show. Not thread-safe. */
final class DeadlockWatch {

    private static final Duration USUAL = Duration.ofSeconds(1);

    private final PoolDiagnosis diagnosis;
    private @Nullable PoolSnapshot before;
    private @Nullable ThreadDump concludedFrom;
    private Set<Set<String>> candidates = Set.of(); // the locks of circles in that dump
    private List<List<DumpedThread>> concluded = List.of();

    DeadlockWatch(FindingListener listener) {
        this.diagnosis = new PoolDiagnosis(listener);
    }

    /** Judges the latest dump, and the latest one with virtual threads. */
    void close(ThreadDump latest, Optional<ThreadDump> virtual, ProcessWindow process, Instant end) {
        concludeFrom(virtual);
        List<DeadlockCircle> circles = Stream.of(
                        latest.deadlocks().stream().map(circle -> circle(circle, false)),
                        virtual.stream()
                                .flatMap(dump -> dump.deadlocks().stream())
                                .filter(circle -> circle.stream().anyMatch(DumpedThread::isVirtual))
                                .map(circle -> circle(circle, false)),
                        concluded.stream().map(circle -> circle(circle, true)))
                .flatMap(each -> each)
                .toList();
        PoolSnapshot after = ExternalPool.unmeasured("threads", 1, 1, 0, 0, new PoolSnapshot.Limits(1, 1, 0));
        PoolSnapshot begin = before;
        before = after;
        if (begin != null) {
            PoolWindow window = PoolWindow.between(begin, after)
                    .end(end)
                    .process(process)
                    .deadlocks(circles)
                    .build();
            diagnosis.enter(window, USUAL, true);
        }
    }

    /** A circle that is concluded from stacks counts when two dumps have shown it. Two dumps of a circle are equal. */
    @SuppressWarnings("ReferenceEquality")
    private void concludeFrom(Optional<ThreadDump> virtual) {
        ThreadDump dump = virtual.orElse(null);
        if (dump == null || dump == concludedFrom) {
            return;
        }
        List<List<DumpedThread>> circles = LikelyHolder.circles(dump);
        Set<Set<String>> earlier = candidates;
        candidates = circles.stream().map(DeadlockWatch::locks).collect(Collectors.toSet());
        concluded = circles.stream()
                .filter(circle -> earlier.contains(locks(circle)))
                .toList();
        concludedFrom = dump;
    }

    private static Set<String> locks(List<DumpedThread> circle) {
        return circle.stream()
                .flatMap(thread -> LikelyHolder.lock(thread).stream())
                .collect(Collectors.toSet());
    }

    private static DeadlockCircle circle(List<DumpedThread> threads, boolean isConcluded) {
        return new DeadlockCircle(threads.stream().map(DeadlockWatch::member).toList(), isConcluded);
    }

    private static Member member(DumpedThread thread) {
        return new Member(
                thread.nativeId().orElse(0),
                thread.name(),
                thread.isVirtual(),
                thread.waitsFor()
                        .map(lock -> lock.type() + '@' + lock.identity().replaceFirst("^.*@", ""))
                        .orElse(""),
                thread.place(),
                thread.stack().stream().map(StackTraceElement::toString).toList());
    }

    /** {@return what was found; empty while nothing is} */
    Optional<PoolView> view() {
        List<Finding> findings = diagnosis.findings();
        return findings.isEmpty()
                ? Optional.empty()
                : Optional.of(new PoolView("threads", PoolKind.CARRIERS, 0, 0, Optional.empty(), findings, Set.of()));
    }
}
