package io.lifeguard.pool.diagnosis.evidence.stack;

import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The latest stacks of the workers that have run one task for longest. Confined to the monitor's thread. */
public final class LongestRunning {

    /** A shorter task is nothing to worry about, so it gets no stack of its own. */
    private static final Duration LONG = Duration.ofSeconds(1);

    /** Stacks of one look: all threads stand still for about 60 µs for each. */
    private static final int AT_ONCE = 4;

    private final Map<Long, Running> known = new HashMap<>();

    /** {@return workers whose stack is wanted in addition to those of the sample; none once there are stacks} */
    List<WorkerState> wanted(List<WorkerState> all) {
        List<WorkerState> wanted = new ArrayList<>();
        for (int i = 0; i < all.size() && known.isEmpty(); i++) {
            WorkerState worker = all.get(i);
            if (worker.busy() && worker.runningFor().compareTo(LONG) > 0) {
                wanted.add(worker);
            }
        }
        if (wanted.size() > AT_ONCE) {
            wanted.sort(Comparator.comparing(WorkerState::runningFor).reversed());
        }
        return wanted.subList(0, Math.min(AT_ONCE, wanted.size()));
    }

    void see(long threadId, Duration runningFor, List<StackTraceElement> stack) {
        known.put(threadId, new Running(runningFor, stack));
    }

    public Map<Long, List<StackTraceElement>> stacks() {
        List<Map.Entry<Long, Running>> longest = new ArrayList<>(known.entrySet());
        if (longest.size() > TimeBreakdown.LONGEST) {
            longest.sort(Comparator.comparing((Map.Entry<Long, Running> entry) -> entry.getValue().time)
                    .reversed());
        }
        Map<Long, List<StackTraceElement>> stacks = new HashMap<>();
        for (Map.Entry<Long, Running> one : longest.subList(0, Math.min(TimeBreakdown.LONGEST, longest.size()))) {
            stacks.put(one.getKey(), one.getValue().stack);
        }
        return stacks;
    }

    public void clear() {
        known.clear();
    }

    private record Running(Duration time, List<StackTraceElement> stack) {}
}
