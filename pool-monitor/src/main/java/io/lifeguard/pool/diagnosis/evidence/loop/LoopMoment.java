package io.lifeguard.pool.diagnosis.evidence.loop;

import io.lifeguard.pool.diagnosis.evidence.stack.Stacks;
import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Doing;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What an event loop did at the moment of one look. Confined to the monitor's thread. */
final class LoopMoment {

    private static final Set<Doing> WAITS = Set.of(
            Doing.WAITING_FOR_LOCK,
            Doing.WAITING_FOR_RESULT,
            Doing.WAITING_OUTSIDE,
            Doing.SLEEPING,
            Doing.WAITING_IN_LINE);

    /** A handler that computes uses a CPU nearly all the time. The rest is for the collector's pauses. */
    private static final double OF_WALL_TIME = 0.8;

    private final LoopLook look;
    private final Doing doing;
    private final List<StackTraceElement> stack; // above the loop's own frame; empty when no handler was on it
    private final String place;
    private final String handler;
    private @Nullable LoopMoment runStart; // where the long run of one handler began that this look belongs to

    private LoopMoment(LoopLook look, Doing doing, List<StackTraceElement> stack) {
        this.look = look;
        this.doing = doing;
        this.stack = List.copyOf(stack);
        this.place = doing == Doing.IDLE ? "" : UserFrames.place(stack);
        this.handler = doing == Doing.COMPUTING ? lowestOfUser(stack) : "";
    }

    /**
     * {@return what a look shows}
     *
     * @param isYoung whether the loop is so young that it still loads classes
     */
    static LoopMoment of(LoopLook look, boolean isYoung) {
        List<StackTraceElement> above = EventLoopFrames.aboveLoop(look.stack());
        boolean isIdle = !EventLoopFrames.hasHandler(above) || (isYoung && EventLoopFrames.isClassLoading(above));
        Doing doing = isIdle ? Doing.IDLE : doing(look, above);
        return new LoopMoment(look, doing, doing == Doing.IDLE ? List.of() : above);
    }

    private static Doing doing(LoopLook look, List<StackTraceElement> above) {
        Doing doing = Stacks.doing(look.state(), look.stack(), look.waitsFor());
        if (look.state() == Thread.State.RUNNABLE
                && doing == Doing.WAITING_OUTSIDE
                && EventLoopFrames.isFrameworksIo(above)) {
            return Doing.IDLE;
        }
        return look.lock().isPresent() && WAITS.contains(doing) ? Doing.WAITING_FOR_LOCK : doing;
    }

    /** The handler's first method: what it calls changes while it computes. */
    private static String lowestOfUser(List<StackTraceElement> stack) {
        for (int i = stack.size() - 1; i >= 0; i--) {
            if (UserFrames.hasUsersFrame(stack.subList(i, i + 1))) {
                return stack.get(i).getClassName() + '.' + stack.get(i).getMethodName();
            }
        }
        return "";
    }

    LoopLook look() {
        return look;
    }

    Doing doing() {
        return doing;
    }

    /**
     * The handler's first method that has a name of its own, so that no lambda is named where it calls another method;
     * empty when no handler computes.
     */
    String part() {
        String lambda = "";
        for (int i = handler.isEmpty() ? -1 : stack.size() - 1; i >= 0; i--) {
            StackTraceElement frame = stack.get(i);
            if (UserFrames.hasUsersFrame(stack.subList(i, i + 1))) {
                String method = frame.getClassName() + '.' + frame.getMethodName();
                if (!frame.getMethodName().startsWith("lambda$")) {
                    return method;
                }
                lambda = lambda.isEmpty() ? method : lambda;
            }
        }
        return lambda;
    }

    String place() {
        return place;
    }

    List<StackTraceElement> stack() {
        return stack;
    }

    /** The lock that the loop waits for; empty when it waits for none, or that is unknown. */
    Optional<Awaited.Lock> lock() {
        return doing == Doing.WAITING_FOR_LOCK ? look.lock() : Optional.empty();
    }

    boolean isWait() {
        return WAITS.contains(doing);
    }

    /** Whether a handler of the user's computes there, and the thread's CPU time is known. */
    boolean isInHandler() {
        return !handler.isEmpty() && look.cpuNanos() >= 0 && look.userNanos() >= 0;
    }

    /** Whether the thread may have been in the same handler since an earlier look, and never waited for events. */
    boolean mayContinue(LoopMoment earlier) {
        long wall = look.nanos() - earlier.look.nanos();
        return handler.equals(earlier.handler) && look.cpuNanos() - earlier.look.cpuNanos() >= OF_WALL_TIME * wall;
    }

    /** Whether the thread worked all the time since an earlier look, and was out of its handlers at this one. */
    boolean showsShortHandlers(LoopMoment earlier) {
        long wall = look.nanos() - earlier.look.nanos();
        return doing == Doing.IDLE
                && look.cpuNanos() >= 0
                && earlier.look.cpuNanos() >= 0
                && look.cpuNanos() - earlier.look.cpuNanos() >= OF_WALL_TIME * wall;
    }

    void inRunSince(LoopMoment start) {
        runStart = start;
    }

    boolean isInLongRun() {
        return runStart != null;
    }

    boolean isInSameRun(LoopMoment other) {
        return runStart != null && runStart == other.runStart;
    }

    /** For how long it had been in its handler. */
    long runNanos() {
        return runStart == null ? 0 : look.nanos() - runStart.look.nanos();
    }
}
