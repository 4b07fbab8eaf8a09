package io.lifeguard.pool.diagnosis.evidence.loop;

import io.lifeguard.pool.diagnosis.seen.EventLoopLooks;
import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.os.Unknown;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Collects what thread dumps show of one group of event loops. Not thread-safe.
 *
 * <p>A dump tells what a handler waits for. It does not tell how much CPU time the thread has used in the system, so
 * that handlers that compute for too long are not found.
 */
public final class DumpedEventLoops {

    private final Map<Long, EventLoopWatch> loops = new LinkedHashMap<>(); // by the thread's number

    /**
     * One event loop in one dump.
     *
     * @param threadId a number of the thread that no other has
     * @param waitsFor the class of the object that it waits for; empty when there is none
     * @param lock the lock that it waits for; empty when it waits for none
     */
    public record Loop(
            String thread,
            long threadId,
            Thread.State state,
            List<StackTraceElement> stack,
            String waitsFor,
            Optional<Awaited.Lock> lock) {}

    /**
     * Adds one dump.
     *
     * @param nanos when it was taken, as {@link System#nanoTime}
     * @param all all loops of the group in it, not null
     */
    public void see(long nanos, List<Loop> all) {
        Set<Long> here = new HashSet<>();
        for (Loop loop : all) {
            here.add(loop.threadId());
            loops.computeIfAbsent(loop.threadId(), id -> new EventLoopWatch(loop.thread(), id, nanos))
                    .look(new LoopLook(
                            nanos,
                            loop.state(),
                            loop.stack(),
                            loop.waitsFor(),
                            loop.lock(),
                            Unknown.NUMBER,
                            Unknown.NUMBER));
        }
        loops.keySet().retainAll(here);
    }

    public EventLoopLooks looks() {
        return new EventLoopLooks(
                0, loops.values().stream().map(EventLoopWatch::loop).toList());
    }
}
