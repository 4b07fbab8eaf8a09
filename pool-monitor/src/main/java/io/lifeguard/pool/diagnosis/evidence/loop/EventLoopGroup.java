package io.lifeguard.pool.diagnosis.evidence.loop;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.PoolSnapshot.Limits;
import io.lifeguard.pool.diagnosis.outside.ExternalPool;
import io.lifeguard.pool.diagnosis.seen.EventLoopLooks;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinWorkerThread;

/**
 * The event loops whose names differ in the number at the end only, as those of one server do. Confined to the
 * monitor's thread.
 */
public final class EventLoopGroup {

    private final String name;
    private final boolean shared;
    private final List<EventLoopWatch> loops = new ArrayList<>();
    private PoolSnapshot before; // at the beginning of the window that is open

    EventLoopGroup(String name, boolean shared) {
        this.name = name;
        this.shared = shared;
        this.before = snapshot();
    }

    public static String nameOf(String thread) {
        int end = thread.length();
        while (end > 0 && Character.isDigit(thread.charAt(end - 1))) {
            end--;
        }
        while (end > 0 && end < thread.length() && "-_# ".indexOf(thread.charAt(end - 1)) >= 0) {
            end--;
        }
        return end == 0 ? thread : thread.substring(0, end);
    }

    /** {@return the name in place of a pool's} */
    public String name() {
        return name;
    }

    List<EventLoopWatch> loops() {
        return loops;
    }

    public PoolWindow.Builder advance(Instant end) {
        PoolSnapshot after = snapshot();
        PoolWindow.Builder window = PoolWindow.between(before, after)
                .end(end)
                .subject(PoolWindow.Subject.EVENT_LOOPS)
                .seen(
                        EventLoopLooks.class,
                        new EventLoopLooks(
                                shared ? sharers() : 0,
                                loops.stream().map(EventLoopWatch::loop).toList()));
        before = after;
        return window;
    }

    /** A dispatcher starts its threads as it needs them. */
    private int sharers() {
        int most = loops.size();
        for (EventLoopWatch loop : loops) {
            if (loop.thread().orElse(null) instanceof ForkJoinWorkerThread worker) {
                most = Math.max(most, worker.getPool().getParallelism());
            }
        }
        return most;
    }

    /** A loop is one thread, which is always at work. It has no visible queue. */
    private PoolSnapshot snapshot() {
        int size = loops.size();
        return ExternalPool.unmeasured(name, size, size, 0, 0, new Limits(size, size, 0));
    }
}
