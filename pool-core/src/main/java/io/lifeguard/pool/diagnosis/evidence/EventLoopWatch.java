package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.PoolSnapshot.Limits;
import io.lifeguard.pool.diagnosis.external.ExternalPool;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.EventLoopLooks;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.UserFrames;
import java.lang.management.ThreadInfo;
import java.lang.ref.WeakReference;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Watches one event loop, and holds its thread weakly. Confined to the monitor's thread. */
public final class EventLoopWatch {

    /** The looks of 8 windows are judged together. */
    private static final int WINDOWS = 8;

    private static final Set<Doing> WAITS = Set.of(
            Doing.WAITING_FOR_LOCK,
            Doing.WAITING_FOR_RESULT,
            Doing.WAITING_OUTSIDE,
            Doing.SLEEPING,
            Doing.WAITING_IN_LINE);

    private final WeakReference<Thread> thread;
    private final long id;
    private final Deque<int[]> earlier = new ArrayDeque<>(); // looks and times it was held up, window by window
    private int looks;
    private int held;
    private Doing doing = Doing.IDLE;
    private List<StackTraceElement> stack = List.of();
    private String name;
    private PoolSnapshot before; // at the beginning of the window that is open

    @SuppressWarnings("deprecation") // threadId() exists since JDK 19
    EventLoopWatch(Thread thread) {
        this.thread = new WeakReference<>(thread);
        this.id = thread.getId();
        this.name = nameOf(thread);
        this.before = snapshot();
    }

    /** The thread's name, or its last one: a finding outlives its thread by a window. */
    String name() {
        Thread alive = thread.get();
        if (alive != null) {
            name = nameOf(alive);
        }
        return name;
    }

    /** Findings need a name, and threads may have none. */
    private String nameOf(Thread loop) {
        return loop.getName().isBlank() ? "event loop " + id : loop.getName();
    }

    long id() {
        return id;
    }

    boolean isAlive() {
        Thread loop = thread.get();
        return loop != null && loop.isAlive();
    }

    /** Whether it was held up in the latest windows. */
    boolean isSuspect() {
        return held > 0 || earlier.stream().anyMatch(window -> window[1] > 0);
    }

    /** Notes what it does now; null when it has ended. */
    void look(@Nullable ThreadInfo info) {
        if (info == null) {
            return;
        }
        looks++;
        List<StackTraceElement> now = Arrays.asList(info.getStackTrace());
        int loop = loopFrame(now);
        if (loop <= 0 || !UserFrames.hasUsersFrame(now.subList(0, loop))) {
            return;
        }
        String waitsFor = info.getLockInfo() == null ? "" : info.getLockInfo().getClassName();
        Doing seen = Stacks.doing(info.getThreadState(), now, waitsFor);
        if (WAITS.contains(seen)) {
            held++;
            doing = seen;
            stack = now.subList(0, loop);
        }
    }

    /** Forgets all looks, because a time without looks follows. */
    public void forget() {
        earlier.clear();
        looks = 0;
        held = 0;
    }

    /** Ends the window, and begins the next one. */
    public PoolWindow.Builder advance(Instant end) {
        earlier.addLast(new int[] {looks, held});
        while (earlier.size() > WINDOWS) {
            earlier.removeFirst();
        }
        looks = 0;
        held = 0;
        int looked = earlier.stream().mapToInt(window -> window[0]).sum();
        int seenHeld = earlier.stream().mapToInt(window -> window[1]).sum();
        PoolSnapshot after = snapshot();
        PoolWindow.Builder window = PoolWindow.between(before, after)
                .end(end)
                .eventLoop(new EventLoopLooks(looked, seenHeld, doing, stack));
        before = after;
        return window;
    }

    /** A loop is one thread, which is always at work. It has no visible queue. */
    private PoolSnapshot snapshot() {
        return ExternalPool.unmeasured(name, 1, 1, 0, 0, new Limits(1, 1, 0));
    }

    /**
     * {@return the index of the loop's own frame, above which is what it calls; -1 when this is no event loop's stack}
     */
    static int loopFrame(List<StackTraceElement> stack) {
        int loop = lowest(stack, EventLoopWatch::isNettysLoop);
        return loop >= 0 ? loop : lowest(stack, EventLoopWatch::isWorker);
    }

    static boolean isNettysLoop(StackTraceElement frame) {
        String type = frame.getClassName();
        return frame.getMethodName().equals("run")
                && type.contains("netty.channel.") // also where it is shaded
                && type.endsWith("EventLoop")
                && !type.endsWith("ThreadPerChannelEventLoop"); // meant to block
    }

    /** Reactor's loops are workers of the JDK's executor. */
    private static boolean isWorker(StackTraceElement frame) {
        return frame.getMethodName().equals("runWorker")
                && frame.getClassName().equals("java.util.concurrent.ThreadPoolExecutor");
    }

    private static int lowest(List<StackTraceElement> stack, Predicate<StackTraceElement> wanted) {
        for (int i = stack.size() - 1; i >= 0; i--) {
            if (wanted.test(stack.get(i))) {
                return i;
            }
        }
        return -1;
    }
}
