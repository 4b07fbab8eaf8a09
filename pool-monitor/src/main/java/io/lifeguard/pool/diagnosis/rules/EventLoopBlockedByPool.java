package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.PoolSnapshot.EventLoop;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds event loops that were held up by a pool, whose tasks they ran or in whose queue they waited for room.
 * Stateless, thread-safe.
 *
 * <p><b>Formula.</b> The time that one event loop spent running tasks of the pool or waiting for room in it, as a share
 * of the window. In that time none of its connections was served.
 *
 * <p><b>Window.</b> The latest; where a run or a wait took longer, which is known when it ends, as many windows as it
 * took, at most ten.
 *
 * <p><b>Thresholds.</b> 5 % of the time: with random arrivals, one in twenty events finds the loop held up. Judgement;
 * Pekko warns when a loop is late by 100 ms, which is the same for one such delay in two windows of a second.
 *
 * <p><b>Closest healthy workload.</b> An event loop that now and then runs a task of microseconds because the pool is
 * full.
 */
public final class EventLoopBlockedByPool extends StandardRule {

    static final Threshold SHARE = new Threshold(
            EventLoopBlocked.ID + ".share",
            0.05,
            "share of the time that an event loop was held up; one in twenty events finds it so");

    private static final int MOST_WINDOWS = 10; // a run or a wait that takes longer counts in part

    public EventLoopBlockedByPool() {
        super(EventLoopBlocked.ID, SHARE);
    }

    @Override
    public Verdict examine(PoolWindow latest) {
        if (!latest.isMeasured()) {
            return UNMEASURED;
        }
        if (latest.after().saturation().eventLoops().isEmpty()) {
            return Verdict.clear();
        }
        PoolWindow window = latest.last(windowsFor(latest));
        List<EventLoop> loops = loopsIn(window);
        if (loops.isEmpty() || share(window, loops.get(0)) < window.threshold(SHARE)) {
            return Verdict.clear();
        }
        EventLoop worst = loops.get(0);
        boolean ran = worst.runTime().compareTo(worst.waitTime()) >= 0;
        return Verdict.found(Finding.of(EventLoopBlocked.ID, latest)
                .severity(Severity.CRITICAL)
                .summary(
                        "event loop %s %s for %s of %s because this pool was full; no other event or task of that"
                                + " loop was handled meanwhile%s",
                        worst.thread(),
                        ran
                                ? "ran " + worst.runs() + " of its tasks"
                                : "waited " + Counted.of(worst.waits(), "time") + " for room",
                        Units.time(share(window, worst) * window.seconds()),
                        Units.time(window.length()),
                        loops.size() == 1
                                ? ""
                                : " (" + Counted.of(loops.size() - 1, "more event loop was", "more event loops were")
                                        + " held up)")
                .advice(
                        ran
                                ? "Caller-runs is not for event loops: let the pool refuse them (BlockingWaitPolicy"
                                        + " does) and answer \"busy\", or hand over"
                                        + " from a thread that may wait."
                                : "Do not allow non-blocking threads to wait: let the policy refuse them and answer"
                                        + " \"busy\", or hand over from a thread that may wait.")
                .evidence("eventLoop", worst.thread())
                .evidence("eventLoops", loops.size())
                .evidence("tasksRun", worst.runs())
                .evidence("runTime", worst.runTime())
                .evidence("waits", worst.waits())
                .evidence("waitTime", worst.waitTime())
                .evidence("shareOfTime", share(window, worst))
                .build());
    }

    /**
     * Back to where the longest of the latest runs and waits began, as long as the windows in which it went on are the
     * latest.
     */
    private static int windowsFor(PoolWindow latest) {
        List<PoolWindow> all = latest.parts(MOST_WINDOWS);
        int most = 1;
        for (int i = 0; i < all.size(); i++) {
            int taken = windowsTaken(all.get(i));
            if (taken > Math.max(1, i)) {
                most = Math.max(most, i + taken);
            }
        }
        return Math.min(MOST_WINDOWS, most);
    }

    /** As many windows as a run or a wait that ended in this one took on average in the loop with the longest. */
    private static int windowsTaken(PoolWindow window) {
        double longest = loopsIn(window).stream()
                .mapToDouble(loop -> held(loop).toNanos() / 1e9 / (loop.runs() + loop.waits()))
                .max()
                .orElse(0);
        return (int) Math.min(MOST_WINDOWS, Math.ceil(longest / window.seconds()));
    }

    /** The loop that was held up longest comes first; the entry that stands for many loops comes last. */
    private static List<EventLoop> loopsIn(PoolWindow window) {
        Map<String, EventLoop> before = window.before().saturation().eventLoops().stream()
                .collect(Collectors.toMap(EventLoop::thread, Function.identity(), (one, other) -> one));
        return window.after().saturation().eventLoops().stream()
                .map(loop -> since(before.get(loop.thread()), loop))
                .filter(loop -> loop.runs() + loop.waits() > 0)
                .sorted(Comparator.comparing(EventLoop::isOther)
                        .thenComparing(EventLoopBlockedByPool::held, Comparator.reverseOrder()))
                .toList();
    }

    private static EventLoop since(@Nullable EventLoop before, EventLoop after) {
        return before == null
                ? after
                : new EventLoop(
                        after.thread(),
                        after.runs() - before.runs(),
                        after.runTime().minus(before.runTime()),
                        after.waits() - before.waits(),
                        after.waitTime().minus(before.waitTime()));
    }

    private static Duration held(EventLoop loop) {
        return loop.runTime().plus(loop.waitTime());
    }

    /** No loop is held up for longer than the window, even if it has been so before. */
    private static double share(PoolWindow window, EventLoop loop) {
        return Math.min(1, held(loop).toNanos() / 1e9 / window.seconds());
    }
}
