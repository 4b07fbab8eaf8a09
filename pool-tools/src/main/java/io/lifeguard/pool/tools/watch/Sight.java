package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.diagnosis.bottleneck.Standstill;
import io.lifeguard.pool.diagnosis.evidence.stack.Waits;
import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.diagnosis.seen.WaitChain;
import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown.Share;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.LogText;
import io.lifeguard.pool.text.Units;
import io.lifeguard.pool.tools.dumps.DumpedThread;
import io.lifeguard.pool.tools.dumps.ThreadDump;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Whether a watch without a finding has seen enough to say that nothing is wrong. Stateless. */
final class Sight {

    /** Most rules want a sickness in three windows in a row. */
    static final int FEWEST_WINDOWS = 3;

    /** A standstill, and what limits a pool now and then, is found within so many windows. */
    private static final int WINDOWS_OF_A_LIMITED_POOL = 6;

    /** Of the workers. What the others do is then the smaller part. */
    private static final double MOST_UNKNOWN = 0.5;

    /** Besides those that have one. Fewer may wait for a moment, as each thread does where others compute. */
    private static final double WAITING_PER_CPU = 1.2;

    /** A shorter time without an idle worker may lie between two tasks. */
    private static final Duration NEVER_IDLE = Duration.ofSeconds(3);

    /** A standstill is found once it has lasted for four seconds, and raised a window later. */
    static final Duration STANDSTILL = Duration.ofSeconds(5);

    /** Of the workers, in that time. */
    private static final double FEWEST_WAITING = 0.5;

    /** Of the workers, at one place. A smaller part may pause between steps. */
    private static final double FEWEST_ASLEEP = 0.9;

    private static final int SMALLEST_POOL = 2;

    private static final int LONGEST_LIST = 5; // of groups of threads

    private Sight() {}

    /**
     * {@return why "nothing is wrong" would be a guess; empty when enough was seen}
     *
     * @param needsNoPool whether virtual threads were seen, which are judged without a pool, or all groups are at rest
     * @param unjudged the busy threads that nobody judges, as a sentence; empty when there are none
     */
    static Optional<String> obstacle(
            List<PoolView> pools, long windows, ThreadDump latest, boolean needsNoPool, Optional<String> unjudged) {
        List<PoolView> judged =
                pools.stream().filter(pool -> pool.kind().isJudged()).toList();
        if (judged.isEmpty() && !needsNoPool && unjudged.isEmpty()) {
            return Optional.of(Units.format(
                    "no pool was recognised among %s%s",
                    Counted.of(latest.threads().size(), "thread"), groups(latest)));
        }
        if (windows < FEWEST_WINDOWS) {
            return Optional.of(Units.format(
                    "the watch was too short: it saw %s of a second, and most findings need %d",
                    Counted.of(windows, "window"), FEWEST_WINDOWS));
        }
        return first(judged, Sight::unknown)
                .or(() -> first(judged, Sight::crowded))
                .or(() -> first(judged, pool -> neverIdle(pool, latest)))
                .or(() -> unjudged)
                .or(() -> windows < WINDOWS_OF_A_LIMITED_POOL
                        ? first(judged, pool -> limited(pool, windows))
                        : Optional.empty());
    }

    private static Optional<String> first(List<PoolView> pools, Function<PoolView, Optional<String>> obstacle) {
        return pools.stream().flatMap(pool -> obstacle.apply(pool).stream()).findFirst();
    }

    /** {@return what threads do that are not idle, as the end of "8 of 8 threads"} */
    static String words(Doing doing) {
        return switch (doing) {
            case COMPUTING -> "compute";
            case WAITING_FOR_LOCK -> "wait for a lock";
            case WAITING_FOR_RESULT -> "wait for a result";
            case WAITING_OUTSIDE -> "wait outside";
            case SLEEPING -> "sleep";
            default -> "wait in line";
        };
    }

    /** {@return the end of a sentence about threads of which none has moved for so long} */
    static String still(Doing doing, Duration length) {
        boolean isForOthers =
                doing == Doing.WAITING_FOR_LOCK || doing == Doing.WAITING_FOR_RESULT || doing == Doing.SLEEPING;
        return Units.format(
                ", and none has moved for %s: %s",
                Units.time(length),
                isForOthers ? "dead, or waiting for something long" : "dead, or waiting for messages");
    }

    /** {@return whether a pool that is not found to stand still waits for so long that it would be by now} */
    static boolean mayStandStill(List<PoolView> pools, ThreadDump latest) {
        return pools.stream()
                .filter(pool ->
                        pool.kind().isJudged() && stoodStill(pool, STANDSTILL).isPresent())
                .anyMatch(pool -> neverIdle(pool, latest).isPresent());
    }

    private static Optional<Duration> stoodStill(PoolView pool, Duration atLeast) {
        return pool.window().flatMap(Standstill::stoodStill).filter(length -> length.compareTo(atLeast) >= 0);
    }

    /**
     * A pool whose workers were never idle, and mostly waited. Whether tasks queue cannot be seen from outside, so it
     * may stand still, or have as many tasks as threads.
     */
    private static Optional<String> neverIdle(PoolView pool, ThreadDump latest) {
        PoolWindow recent = pool.window()
                .map(window -> window.last(NEVER_IDLE))
                .filter(window -> pool.findings().isEmpty()
                        && window.lasts((double) NEVER_IDLE.toSeconds())
                        && window.breakdown().workers(Doing.IDLE, Doing.UNKNOWN).value() == 0)
                .orElse(null);
        if (recent == null) {
            return Optional.empty();
        }
        Optional<Duration> still = stoodStill(pool, NEVER_IDLE);
        TimeBreakdown times = recent.breakdown();
        double withCpu = times.workers() - times.workers(Doing.WAITING_FOR_CPU).value(); // others wake up
        List<Share> waits = times.shares().stream()
                .filter(share -> isWait(share, still.isPresent(), latest) || isAsleep(share, withCpu))
                .filter(share -> pool.workers() >= SMALLEST_POOL || isOfOne(share, still.isPresent()))
                .toList();
        double waiting =
                waits.stream().mapToDouble(share -> share.workers().value()).sum();
        if (waits.isEmpty() || waiting < FEWEST_WAITING * times.workers()) {
            return Optional.empty();
        }
        Share most = waits.get(0);
        Optional<String> thing = still.flatMap(known -> pool.window().flatMap(window -> window.seen(WaitChain.class)))
                .map(WaitChain::first)
                .filter(link ->
                        link.place().equals(most.place()) && !link.thing().isEmpty())
                .map(link -> "wait for " + link.thing());
        String text = Units.format(
                "%.0f of %s of pool %s %s at %s",
                most.workers().value(),
                Counted.of(pool.workers(), "thread"),
                LogText.name(pool.name()),
                thing.map(LogText::clean)
                        .orElseGet(() ->
                                Waits.forPipe(most.stack()) ? "wait for the other end of a pipe" : words(most.doing())),
                LogText.clean(most.place()));
        return Optional.of(text
                + still.map(length -> still(most.doing(), length))
                        .orElse(", none was ever idle, and whether tasks queue cannot be seen from outside"));
    }

    /**
     * The only thread of a pool: the task of a timer or scheduler, or a method that a task calls, holds up all later.
     */
    private static boolean isOfOne(Share share, boolean isStill) {
        return (isStill || share.doing() == Doing.SLEEPING)
                && (isInTask(share.stack())
                        || share.stack().stream()
                                .map(StackTraceElement::getClassName)
                                .anyMatch(type -> type.equals("java.util.TimerThread")
                                        || type.startsWith("java.util.concurrent.ScheduledThreadPoolExecutor$")));
    }

    /**
     * A wait that others end. Who takes from an empty queue, or waits for a notification for a limited time, waits for
     * a message. A task of an executor that takes from a queue may also wait for a connection that none gives back.
     */
    private static boolean isWait(Share share, boolean isStill, ThreadDump latest) {
        return switch (share.doing()) {
            case WAITING_FOR_LOCK, WAITING_FOR_RESULT, WAITING_OUTSIDE -> true;
            case WAITING_IN_LINE ->
                (share.awaited().orElse(null) instanceof Awaited.Line line && line.limited())
                        || (Waits.forPipe(share.stack()) && isInTask(share.stack())) // it looks once a second
                        || (isStill
                                && (Waits.takes(share.stack())
                                        ? isInTask(share.stack()) && !waitsForTheTime(share.stack())
                                        : latest.threads().stream()
                                                .noneMatch(thread -> thread.state() == Thread.State.TIMED_WAITING
                                                        && thread.place().equals(share.place()))));
            default -> false;
        };
    }

    /** An element of such a queue is not lent: it is taken once its time has come. */
    private static boolean waitsForTheTime(List<StackTraceElement> stack) {
        return stack.stream().anyMatch(frame -> frame.getClassName().equals("java.util.concurrent.DelayQueue"));
    }

    /** Tasks that wait until something is ready. */
    private static boolean isAsleep(Share share, double workers) {
        return share.doing() == Doing.SLEEPING
                && share.workers().value() >= FEWEST_ASLEEP * workers
                && isInTask(share.stack());
    }

    /**
     * Whether a user's code waits in a task of a pool. A task whose own {@code run} waits is a consumer or timer that
     * somebody gave to an executor.
     */
    private static boolean isInTask(List<StackTraceElement> stack) {
        List<StackTraceElement> below =
                stack.stream().dropWhile(UserFrames::isJdk).limit(2).toList();
        return below.size() == 2
                && !(isRun(below.get(0).getMethodName()) && UserFrames.isJdk(below.get(1)))
                && UserFrames.hasUsersFrame(stack)
                && PoolKind.of(stack).filter(PoolKind::isJudged).isPresent();
    }

    private static boolean isRun(String method) {
        return method.equals("run") || method.startsWith("lambda$");
    }

    private static Optional<String> unknown(PoolView pool) {
        double unknown = pool.threads(Doing.UNKNOWN).orElse(pool.workers());
        return pool.workers() > 0 && unknown >= MOST_UNKNOWN * pool.workers()
                ? Optional.of(Units.format(
                        "it is unknown what %.1f of %s of pool %s do",
                        unknown, Counted.of(pool.workers(), "thread"), LogText.name(pool.name())))
                : Optional.empty();
    }

    /** More threads than all CPUs can run wait for one, and no finding says that they are too many. */
    private static Optional<String> crowded(PoolView pool) {
        double waiting = pool.threads(Doing.WAITING_FOR_CPU).orElse(0);
        return pool.window()
                .filter(window -> pool.findings().isEmpty()
                        && window.bottleneck() == Bottleneck.CPU
                        && waiting > WAITING_PER_CPU * window.process().cores())
                .map(window -> Units.format(
                        "%.1f of %s of pool %s wait for a CPU, and it is unknown how many threads would be enough",
                        waiting, Counted.of(pool.workers(), "thread"), LogText.name(pool.name())));
    }

    /** A pool that computes is healthy until switches or waits for a CPU say otherwise, which takes no longer. */
    private static Optional<String> limited(PoolView pool, long windows) {
        Bottleneck limit = pool.window().map(PoolWindow::bottleneck).orElse(Bottleneck.UNKNOWN);
        boolean isHarmless = limit == Bottleneck.UNKNOWN || limit == Bottleneck.NONE || limit == Bottleneck.CPU;
        return isHarmless
                ? Optional.empty()
                : Optional.of(Units.format(
                        "pool %s is limited (%s), and %s are too few to say whether that stays",
                        LogText.name(pool.name()),
                        limit.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                        Counted.of(windows, "window")));
    }

    /** The threads that have a name in common are the best guess at a pool. */
    private static String groups(ThreadDump dump) {
        Map<String, Long> groups = dump.threads().stream()
                .map(DumpedThread::name)
                .collect(Collectors.groupingBy(PoolFinder::name, LinkedHashMap::new, Collectors.counting()));
        String largest = groups.entrySet().stream()
                .filter(group -> group.getValue() > 1)
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(LONGEST_LIST)
                .map(group -> Units.format("%d %s", group.getValue(), LogText.name(group.getKey())))
                .collect(Collectors.joining(", "));
        return largest.isEmpty() ? "" : ". The largest groups by name: " + largest;
    }
}
