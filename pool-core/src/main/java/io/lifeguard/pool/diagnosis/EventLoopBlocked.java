package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.PoolSnapshot.EventLoop;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An event loop was held up by this pool: it ran the pool's tasks, or waited for room in its queue. Stateless, thread-safe.
 *
 * <p><b>Formula.</b> Time that one event loop spent so, as a share of the window. As long, none of its connections was served.
 *
 * <p><b>Window.</b> The latest.
 *
 * <p><b>Threshold.</b> 5 % of the time: with random arrivals, one in twenty events finds the loop held up. Judgement; Pekko warns when a loop is
 * late by 100 ms, which in windows of a second and with one such delay in two of them is the same.
 *
 * <p><b>Closest healthy workload.</b> An event loop that now and then runs a task of microseconds because the pool is full.
 */
final class EventLoopBlocked implements Rule {

    static final String ID = "event-loop-blocked";

    static final Threshold SHARE = new Threshold(
            ID + ".share", 0.05, "share of the time that an event loop was held up; one in twenty events finds it so");

    @Override
    public Optional<Finding> examine(PoolWindow window) {
        List<EventLoop> loops = loopsIn(window);
        if (loops.isEmpty() || share(window, loops.get(0)) < window.threshold(SHARE)) {
            return Optional.empty();
        }
        EventLoop worst = loops.get(0);
        boolean ran = worst.runTime().compareTo(worst.waitTime()) >= 0;
        return Optional.of(Finding.of(ID, window)
                .severity(Severity.CRITICAL)
                .summary(
                        "event loop %s %s for %s of %s because this pool was full; no connection of that loop was served meanwhile%s",
                        worst.thread(),
                        ran ? "ran " + worst.runs() + " of its tasks" : "waited " + worst.waits() + " times for room",
                        Words.time(held(worst)),
                        Words.time(window.length()),
                        loops.size() == 1 ? "" : " (" + (loops.size() - 1) + " more event loops were held up)")
                .advice(
                        ran
                                ? "Caller-runs is not for event loops: let the pool refuse them (BlockingWaitPolicy does) and answer \"busy\", or hand over"
                                        + " from a thread that may wait."
                                : "Do not allow non-blocking threads to wait: let the policy refuse them and answer \"busy\", or hand over from a thread that may wait.")
                .evidence("eventLoop", worst.thread())
                .evidence("eventLoops", loops.size())
                .evidence("tasksRun", worst.runs())
                .evidence("runTime", worst.runTime())
                .evidence("waits", worst.waits())
                .evidence("waitTime", worst.waitTime())
                .evidence("shareOfTime", share(window, worst))
                .build());
    }

    private static List<EventLoop> loopsIn(PoolWindow window) {
        Map<String, EventLoop> before = window.before().saturation().eventLoops().stream()
                .collect(Collectors.toMap(EventLoop::thread, Function.identity(), (one, other) -> one));
        return window.after().saturation().eventLoops().stream()
                .map(loop -> since(before.get(loop.thread()), loop))
                .filter(loop -> loop.runs() + loop.waits() > 0)
                .sorted(Comparator.comparing(EventLoopBlocked::held).reversed())
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

    private static double share(PoolWindow window, EventLoop loop) {
        return held(loop).toNanos() / 1e9 / window.seconds();
    }

    @Override
    public int windowsToRaise() {
        return 2;
    }

    @Override
    public Set<String> ids() {
        return Set.of(ID);
    }

    @Override
    public Set<Threshold> thresholds() {
        return Set.of(SHARE);
    }
}
