package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.UserFrames;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.LogText;
import io.lifeguard.pool.text.Units;
import io.lifeguard.pool.tools.dumps.DumpedThread;
import io.lifeguard.pool.tools.dumps.Selectors;
import io.lifeguard.pool.tools.dumps.ThreadDump;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Whether a watch without a finding has seen enough to say that nothing is wrong. Stateless. */
final class Sight {

    /** Most rules want a sickness in three windows in a row. */
    private static final int FEWEST_WINDOWS = 3;

    /** A standstill, and what limits a pool now and then, is found within so many windows. */
    private static final int WINDOWS_OF_A_LIMITED_POOL = 6;

    /** Of the workers. What the others do is then the smaller part. */
    private static final double MOST_UNKNOWN = 0.5;

    /** Besides those that have one. Fewer may wait for a moment, as each thread does where others compute. */
    private static final double WAITING_PER_CPU = 1.2;

    /** Fewer threads of one name are no pool, or a small one. */
    private static final int FEWEST_SKIPPED = 4;

    private static final int LONGEST_LIST = 5; // of groups of threads

    private Sight() {}

    /**
     * {@return why "nothing is wrong" would be a guess; empty when enough was seen}
     *
     * @param pools what was seen of each pool
     * @param windows how many windows have ended
     * @param hasVirtualThreads whether virtual threads were seen, which are judged without a pool
     */
    static Optional<String> obstacle(List<PoolView> pools, long windows, ThreadDump latest, boolean hasVirtualThreads) {
        List<PoolView> judged =
                pools.stream().filter(pool -> pool.kind().isJudged()).toList();
        if (judged.isEmpty() && !hasVirtualThreads) {
            return Optional.of(Units.format(
                    "no pool was recognised among %s%s",
                    Counted.of(latest.threads().size(), "thread"), groups(latest)));
        }
        if (windows < FEWEST_WINDOWS) {
            return Optional.of(Units.format(
                    "the watch was too short: it saw %s of a second, and most findings need %d",
                    Counted.of(windows, "window"), FEWEST_WINDOWS));
        }
        return judged.stream()
                .flatMap(pool -> unknown(pool).stream())
                .findFirst()
                .or(() ->
                        judged.stream().flatMap(pool -> crowded(pool).stream()).findFirst())
                .or(() -> skipped(latest))
                .or(() -> windows < WINDOWS_OF_A_LIMITED_POOL
                        ? judged.stream()
                                .flatMap(pool -> limited(pool, windows).stream())
                                .findFirst()
                        : Optional.empty());
    }

    /** Busy threads that look like a pool, of a kind that is unknown. They are not judged. */
    static Optional<String> skipped(ThreadDump dump) {
        Map<String, List<DumpedThread>> groups = dump.threads().stream()
                .filter(thread -> UserFrames.hasUsersFrame(thread.stack()) && !PoolFinder.isWorker(thread.stack()))
                .collect(Collectors.groupingBy(
                        thread -> PoolFinder.name(thread.name()), LinkedHashMap::new, Collectors.toList()));
        String busy = groups.entrySet().stream()
                .filter(group -> group.getValue().size() >= FEWEST_SKIPPED
                        && 2 * group.getValue().stream().filter(Sight::isBusy).count()
                                >= group.getValue().size())
                .limit(LONGEST_LIST)
                .map(group -> Units.format("%d %s", group.getValue().size(), LogText.name(group.getKey())))
                .collect(Collectors.joining(", "));
        return busy.isEmpty()
                ? Optional.empty()
                : Optional.of("busy threads belong to no pool of a known kind: " + busy);
    }

    private static boolean isBusy(DumpedThread thread) {
        return switch (Selectors.doing(thread)) {
            case COMPUTING, WAITING_FOR_LOCK, WAITING_FOR_RESULT, WAITING_OUTSIDE -> true;
            case WAITING_IN_LINE -> DumpedLines.limitedResource(thread).isPresent(); // or for a message
            default -> false;
        };
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
