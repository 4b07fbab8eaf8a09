package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.seen.DeadlockCircle;
import io.lifeguard.pool.diagnosis.seen.DeadlockCircle.Member;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.PoolWindow.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Finds threads that wait for each other's locks in a circle, and therefore forever. Stateless.
 *
 * <p><b>Formula.</b> Each thread waits, without a time limit, for a monitor or a lock of {@code java.util.concurrent}
 * that the next one holds.
 *
 * <p><b>Window.</b> The latest one. A circle that contains virtual threads was the same in the window before.
 *
 * <p><b>Thresholds.</b> None, because nothing is estimated. Where stacks tell who holds a lock, the texts say so.
 *
 * <p><b>Closest healthy workload.</b> Threads that queue for one lock, which is no circle; {@code tryLock} with a time
 * limit, which ends by itself.
 */
public final class Deadlock extends StandardRule {

    static final String ID = "deadlock";

    public Deadlock() {
        super(ID);
    }

    @Override
    public Subject examines() {
        return Subject.THREADS;
    }

    /** A circle does not end, so one window is enough. */
    @Override
    public int windowsToRaise() {
        return 1;
    }

    @Override
    public Verdict examine(PoolWindow window) {
        DeadlockCircle.All all = window.seen(DeadlockCircle.All.class).orElse(null);
        if (all == null) {
            return Verdict.unknown("who holds which lock");
        }
        List<DeadlockCircle> circles = all.circles();
        if (circles.isEmpty() && !all.unseen().isEmpty()) {
            return Verdict.unknown(all.unseen());
        }
        return circles.isEmpty() ? Verdict.clear() : Verdict.found(finding(window, circles));
    }

    private static Finding finding(PoolWindow window, List<DeadlockCircle> circles) {
        List<Member> members = circles.get(0).members();
        boolean isConcluded = circles.get(0).isConcluded();
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < members.size(); i++) {
            Member next = members.get((i + 1) % members.size());
            lines.add(clause(members.get(i)) + ", held by " + next.title() + (isConcluded ? " (by its stack)" : ""));
        }
        Finding.Builder finding = Finding.of(ID, window)
                .severity(Severity.CRITICAL)
                .summary(
                        "%d threads wait for each other forever%s: %s%s",
                        members.size(),
                        isConcluded ? " (by their stacks)" : "",
                        members.stream().map(Deadlock::clause).collect(Collectors.joining("; ")),
                        circles.size() == 1 ? "" : "; and " + (circles.size() - 1) + " more such circles")
                .advice("Take these locks in the same order everywhere, or use tryLock with a time limit. These threads"
                        + " never go on: restart the process.")
                .evidence("threads", members.size())
                .evidence("circles", circles.size())
                .evidence("virtual", members.stream().filter(Member::isVirtual).count())
                .evidence("circle", lines);
        for (int i = 0; i < members.size(); i++) {
            finding.evidence(
                    "stack" + (i + 1), members.get(i).stack().stream().limit(16).toList());
        }
        return finding.build();
    }

    private static String clause(Member member) {
        return member.title() + " waits for " + member.lock() + " at " + member.place();
    }
}
