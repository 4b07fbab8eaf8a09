package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.PoolSnapshot.EventLoop;
import io.lifeguard.pool.text.Counted;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An event loop was held up: by this pool, whose tasks it ran or in whose queue it waited for room, or by a call that blocks, in one of its own
 * handlers. Stateless, thread-safe.
 *
 * <p><b>Formula.</b> Time that one event loop spent in the pool's service, as a share of the window. Or, of all event loops of the process:
 * how often one was seen waiting for something other than events, with user's code below, as a share of the looks. As long, none of its
 * connections was served. A handler that computes for long is not found: a loop that is busy serving many looks the same.
 *
 * <p><b>Window.</b> For a pool the latest; where a run or a wait took longer than that, which is known when it ends, as many as it took, ten at most. Eight
 * for looks: one in each window, several in each from the first on in which it was held up.
 *
 * <p><b>Thresholds.</b> 5 % of the time: with random arrivals, one in twenty events finds the loop held up. Judgement; Pekko warns when a loop is
 * late by 100 ms, which in windows of a second and with one such delay in two of them is the same. 20 % of the looks, of five at least, and at least
 * three of them, since one look in ten may meet a short wait for a lock, as of a logger, by chance.
 *
 * <p><b>Closest healthy workload.</b> An event loop that now and then runs a task of microseconds because the pool is full, or whose
 * handlers wait for a lock for moments.
 */
final class EventLoopBlocked implements EventLoopRule {

    static final String ID = "event-loop-blocked";

    static final Threshold SHARE = new Threshold(
            ID + ".share", 0.05, "share of the time that an event loop was held up; one in twenty events finds it so");

    static final Threshold LOOKS = new Threshold(
            ID + ".looks",
            0.2,
            "share of the looks at an event loop in which a handler waited; one in five events finds it so");

    private static final int FEWEST_LOOKS = 5;
    private static final int FEWEST_HELD = 3;
    private static final int MOST_WINDOWS = 10;

    @Override
    public Optional<Finding> examine(EventLoopLooks looks, ToDoubleFunction<Threshold> thresholds) {
        double share = looks.looks() == 0 ? 0 : (double) looks.held() / looks.looks();
        if (looks.looks() < FEWEST_LOOKS || looks.held() < FEWEST_HELD || share < thresholds.applyAsDouble(LOOKS)) {
            return Optional.empty();
        }
        String place = Stacks.place(looks.stack());
        return Optional.of(Finding.of(ID, looks.thread(), looks.end())
                .severity(Severity.CRITICAL)
                .summary(
                        "event loop %s %s at %s: so it was seen in %d of the last %d looks; no connection of that loop is served meanwhile",
                        looks.thread(), words(looks.doing()), place, looks.held(), looks.looks())
                .advice(
                        "Give the blocking call a pool of its own (executeBlocking, publishOn, a bounded pool of ours), or use an asynchronous client.")
                .evidence("eventLoop", looks.thread())
                .evidence("doing", looks.doing().name())
                .evidence("place", place)
                .evidence("looks", looks.looks())
                .evidence("blockedLooks", looks.held())
                .evidence("shareOfLooks", share)
                .evidence("stack", StackLines.of(looks.stack()))
                .build());
    }

    private static String words(Doing doing) {
        return switch (doing) {
            case BLOCKED_ON_MONITOR, BLOCKED_ON_LOCK -> "waits for a lock";
            case WAITING_FOR_RESULT -> "waits for the result of another task";
            case WAITING_FOR_IO -> "waits for the network or a file";
            case SLEEPING -> "sleeps";
            default -> "waits";
        };
    }

    @Override
    public Optional<Finding> examine(PoolWindow latest) {
        PoolWindow window = latest.last(windowsFor(latest));
        List<EventLoop> loops = loopsIn(window);
        if (loops.isEmpty() || share(window, loops.get(0)) < window.threshold(SHARE)) {
            return Optional.empty();
        }
        EventLoop worst = loops.get(0);
        boolean ran = worst.runTime().compareTo(worst.waitTime()) >= 0;
        return Optional.of(Finding.of(ID, latest)
                .severity(Severity.CRITICAL)
                .summary(
                        "event loop %s %s for %s of %s because this pool was full; no connection of that loop was served meanwhile%s",
                        worst.thread(),
                        ran
                                ? "ran " + worst.runs() + " of its tasks"
                                : "waited " + Counted.of(worst.waits(), "time") + " for room",
                        Words.time(share(window, worst) * window.seconds()),
                        Words.time(window.length()),
                        loops.size() == 1
                                ? ""
                                : " (" + Counted.of(loops.size() - 1, "more event loop was", "more event loops were")
                                        + " held up)")
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

    /** Back to where the longest of the latest runs and waits began, as long as the windows in which it went on are the latest. */
    private static int windowsFor(PoolWindow latest) {
        if (latest.after().saturation().eventLoops().isEmpty()) {
            return 1;
        }
        List<PoolWindow> all = Stream.concat(Stream.of(latest), latest.earlier().stream())
                .limit(MOST_WINDOWS)
                .toList();
        int most = 1;
        for (int i = 0; i < all.size(); i++) {
            int taken = windowsTaken(all.get(i));
            if (taken > Math.max(1, i)) {
                most = Math.max(most, i + taken);
            }
        }
        return Math.min(MOST_WINDOWS, most);
    }

    /** As many windows as a run or a wait that ended in this one took, in the mean of the loop with the longest. */
    private static int windowsTaken(PoolWindow window) {
        double longest = loopsIn(window).stream()
                .mapToDouble(loop -> held(loop).toNanos() / 1e9 / (loop.runs() + loop.waits()))
                .max()
                .orElse(0);
        return (int) Math.min(MOST_WINDOWS, Math.ceil(longest / window.seconds()));
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

    /** No loop is held up for longer than the window, even if it has been so before. */
    private static double share(PoolWindow window, EventLoop loop) {
        return Math.min(1, held(loop).toNanos() / 1e9 / window.seconds());
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
        return Set.of(SHARE, LOOKS);
    }
}
