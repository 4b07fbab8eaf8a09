package io.lifeguard.pool.diagnosis.evidence.stack;

import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The latest stacks of the workers that have run one task for longest. Confined to the monitor's thread. */
public final class LongestRunning {

    /** A shorter task is nothing to worry about, so it gets no stack of its own. */
    private static final Duration LONG = Duration.ofSeconds(1);

    /** Stacks of one look: all threads stand still for about 60 µs for each. */
    private static final int AT_ONCE = 4;

    private final Map<Long, Running> known = new HashMap<>();

    /** {@return workers whose stack is wanted in addition to those of the sample; none once there are stacks} */
    List<WorkerState> wanted(List<WorkerState> all) {
        return known.isEmpty()
                ? all.stream()
                        .filter(worker -> worker.busy() && worker.runningFor().compareTo(LONG) > 0)
                        .sorted(Comparator.comparing(WorkerState::runningFor).reversed())
                        .limit(AT_ONCE)
                        .toList()
                : List.of();
    }

    void see(long threadId, Duration runningFor, List<StackTraceElement> stack) {
        known.put(threadId, new Running(runningFor, stack));
    }

    public Map<Long, List<StackTraceElement>> stacks() {
        List<Map.Entry<Long, Running>> longest = new ArrayList<>(known.entrySet());
        longest.sort(Comparator.comparing((Map.Entry<Long, Running> entry) -> entry.getValue().time)
                .reversed());
        return longest.stream()
                .limit(TimeBreakdown.LONGEST)
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().stack));
    }

    public void clear() {
        known.clear();
    }

    private record Running(Duration time, List<StackTraceElement> stack) {}
}
