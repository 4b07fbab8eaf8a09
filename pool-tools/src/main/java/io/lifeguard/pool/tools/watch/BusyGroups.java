package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.diagnosis.evidence.stack.Waits;
import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.lifeguard.pool.text.LogText;
import io.lifeguard.pool.text.Units;
import io.lifeguard.pool.tools.dumps.DumpedThread;
import io.lifeguard.pool.tools.dumps.Selectors;
import io.lifeguard.pool.tools.watch.PoolFinder.FoundPool;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The groups of threads with names in common that belong to no pool, and were busy in all dumps of the latest windows.
 * Nobody judges them, so a watch must not say that nothing is wrong. Of the threads of a dispatcher with a limit, which
 * are judged with their pool, only those are told of which none moves. Not thread-safe.
 */
final class BusyGroups {

    /** The windows that most rules need as well. */
    private static final int WINDOWS = 3;

    private static final int FEWEST = 2; // busy threads

    private static final int LONGEST_LIST = 3;

    private final Deque<Map<String, Seen>> earlier = new ArrayDeque<>(); // windows, latest last
    private Map<String, Seen> now = new LinkedHashMap<>(); // by the group's name
    private int dumps; // in this window
    private boolean areAtRest; // the threads of all groups of the latest dump, at least one
    private Map<String, Long> stillSince = new HashMap<>(); // the time of the clock, in nanoseconds

    /**
     * A group in the dumps of one window.
     *
     * @param threads in the latest dump
     * @param busy in the dump with fewest
     * @param looks how many dumps have shown it
     * @param isPart whether it is a part of a pool
     */
    private record Seen(List<DumpedThread> threads, long busy, int looks, boolean isPart) {

        Seen then(Seen later) {
            return new Seen(later.threads, Math.min(busy, later.busy), looks + later.looks, isPart);
        }

        boolean isBusy() {
            return busy >= FEWEST && 2 * busy >= threads.size();
        }
    }

    /** Adds the groups of a dump. */
    void see(List<FoundPool> groups) {
        dumps++;
        areAtRest = !groups.isEmpty();
        for (FoundPool group : groups) {
            areAtRest &= group.workers().stream().allMatch(thread -> Selectors.doing(thread) == Doing.IDLE);
            long busy = group.workers().stream().filter(BusyGroups::isBusy).count();
            now.merge(
                    group.name(),
                    new Seen(group.workers(), busy, 1, group.kind().isJudged()),
                    Seen::then);
        }
        now.values().removeIf(seen -> seen.looks < dumps || !seen.isBusy());
    }

    private static boolean isBusy(DumpedThread thread) {
        return UserFrames.hasUsersFrame(thread.stack())
                && switch (Selectors.doing(thread)) {
                    case COMPUTING, WAITING_FOR_LOCK, WAITING_FOR_RESULT, WAITING_OUTSIDE -> true;
                    case WAITING_IN_LINE ->
                        ThreadShapes.limitedResource(thread).isPresent() || !mayWaitForMessage(thread);
                    default -> false;
                };
    }

    private static boolean mayWaitForMessage(DumpedThread thread) {
        return thread.state() == Thread.State.TIMED_WAITING || Waits.takes(thread.stack());
    }

    /** Whether there are groups that are no pool, and all their threads are idle by their own frames. */
    boolean areAtRest() {
        return areAtRest;
    }

    /** The system's numbers of the threads. */
    Set<Long> threads() {
        return now.values().stream()
                .flatMap(seen -> WatchedPool.ids(seen.threads).stream())
                .collect(Collectors.toSet());
    }

    /**
     * Closes the window.
     *
     * @param times what the threads have used since the window before
     */
    void close(Map<Long, ThreadTimes> times, long begin) {
        Map<String, Long> still = new HashMap<>();
        now.forEach((name, seen) -> {
            if (WatchedPool.ids(seen.threads).stream().allMatch(id -> stood(times.get(id)))) {
                still.put(name, stillSince.getOrDefault(name, begin));
            }
        });
        stillSince = still;
        earlier.addLast(now);
        if (earlier.size() > WINDOWS) {
            earlier.removeFirst();
        }
        now = new LinkedHashMap<>();
        dumps = 0;
    }

    private static boolean stood(@Nullable ThreadTimes times) {
        return times != null && times.voluntarySwitches() + times.involuntarySwitches() == 0;
    }

    /**
     * {@return the groups that were busy in all dumps of the latest windows, and how long none of their threads has
     * moved; empty when there are none}
     */
    Optional<String> words(long nanos) {
        Map<String, Seen> last = earlier.isEmpty() ? now : earlier.getLast();
        List<String> busy = last.entrySet().stream()
                .filter(group -> earlier.stream().allMatch(window -> window.containsKey(group.getKey())))
                .filter(group -> !group.getValue().isPart || stillSince.containsKey(group.getKey()))
                .sorted(Comparator.comparingLong(group -> -group.getValue().busy()))
                .limit(LONGEST_LIST)
                .map(group -> words(group.getKey(), group.getValue(), nanos))
                .toList();
        return busy.isEmpty()
                ? Optional.empty()
                : Optional.of((last.values().stream().allMatch(Seen::isPart)
                                ? "a part of a pool may stand still: "
                                : "busy threads belong to no known pool and are not judged: ")
                        + String.join("; ", busy));
    }

    /** {@return whether none of the threads of a busy group has moved for as long as a standstill takes to be told} */
    boolean mayStandStill(long nanos) {
        return words(nanos).isPresent()
                && stillSince.values().stream().anyMatch(since -> nanos - since >= Sight.STANDSTILL.toNanos());
    }

    private String words(String name, Seen seen, long nanos) {
        List<DumpedThread> busy =
                seen.threads.stream().filter(BusyGroups::isBusy).toList();
        Doing doing = most(busy, Selectors::doing);
        List<DumpedThread> same =
                busy.stream().filter(thread -> Selectors.doing(thread) == doing).toList();
        String text = Units.format(
                "%d of %d %s %s at %s",
                seen.busy,
                seen.threads.size(),
                LogText.name(name),
                Sight.words(doing),
                LogText.clean(most(same, DumpedThread::place)));
        Long since = stillSince.get(name);
        return since == null ? text : text + Sight.still(doing, Duration.ofNanos(nanos - since));
    }

    private static <T> T most(List<DumpedThread> threads, Function<DumpedThread, T> key) {
        return threads.stream()
                .collect(Collectors.groupingBy(key, LinkedHashMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .max(Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
    }
}
