package io.lifeguard.pool.diagnosis.window;

import io.lifeguard.pool.PoolSnapshot;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What a window was told beside its snapshots, its history, and what was seen of its workers. A builder changes its own
 * copy; that of a window is not changed once the window is made.
 */
final class WindowFacts {

    Instant end = Instant.EPOCH;
    PoolState state = PoolState.RUNNING;
    Bottleneck bottleneck = Bottleneck.UNKNOWN;
    Map<String, Set<String>> waitsOfOthers = Map.of();
    Map<String, Integer> busyThreads = Map.of();

    OptionalLong freeHeap = OptionalLong.empty();
    List<WaitingThreads> waitingThreads = List.of();
    Map<Class<?>, Object> seen = Map.of(); // what else was seen, by its type
    Map<String, Double> thresholds = Map.of(); // those that were changed, by key
    List<PoolSnapshot.Unseen> failuresBefore; // before the windows right before this one that were not judged

    WindowFacts(List<PoolSnapshot.Unseen> failuresBefore) {
        this.failuresBefore = failuresBefore;
    }

    WindowFacts copy() {
        WindowFacts copy = new WindowFacts(failuresBefore);
        copy.end = end;
        copy.state = state;
        copy.bottleneck = bottleneck;
        copy.waitsOfOthers = waitsOfOthers;
        copy.busyThreads = busyThreads;
        copy.freeHeap = freeHeap;
        copy.waitingThreads = waitingThreads;
        copy.seen = seen;
        copy.thresholds = thresholds;
        return copy;
    }
}
