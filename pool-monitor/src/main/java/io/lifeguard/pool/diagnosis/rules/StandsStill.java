package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.bottleneck.Standstill;
import io.lifeguard.pool.diagnosis.bottleneck.WaitingWorkers;
import io.lifeguard.pool.diagnosis.seen.Neighbours;
import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.diagnosis.seen.WaitChain;
import io.lifeguard.pool.diagnosis.seen.WaitChain.End;
import io.lifeguard.pool.diagnosis.seen.WaitChain.Link;
import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolState;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown.Share;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds pools for which tasks or callers wait and that complete nothing, and says for what their workers wait, to the
 * end. Stateless, thread-safe.
 *
 * <p><b>Formula.</b> The pool {@linkplain Standstill#of stands still}. The sentence follows the largest group of
 * workers that wait alike ({@link WaitChain}): from a lock to its holder, from a result to the pool that has its task,
 * and so on. It names no size and no gain, and no other finding of a pool that stands still does. Where
 * {@code starved-by-own-tasks} or {@code waits-on-another-pool} is critical, that says the same with more detail, and
 * this is clear. A pool that was shut down is left to {@code pool-leaked}.
 *
 * <p><b>Window.</b> As long as nothing is completed.
 *
 * <p><b>Thresholds.</b> Those of {@link Standstill}: 2 s where tasks have been completed before, otherwise 4 s, and
 * twice as long as a task takes on average. Where all workers compute or sleep, those of tasks that are lost
 * ({@code stuck-task.lostSeconds}, {@code stuck-task.lostTimesMean}).
 *
 * <p><b>Closest healthy workload.</b> Tasks that take seconds and all wait for the same slow answer; consumers that
 * wait for messages, for whom no task queues.
 */
public final class StandsStill extends StandardRule {

    static final String ID = "stands-still";

    private static final String INITIALISERS =
            "This class is never initialised: restart the process. Then let no static initialiser need another class that"
                    + " needs this one, nor wait for a thread.";

    private static final List<Rule> OTHERS = List.of(new StarvedByOwnTasks(), new WaitsOnAnotherPool());

    public StandsStill() {
        super(ID);
    }

    @Override
    public Verdict examine(PoolWindow window) {
        Optional<Duration> length = Standstill.of(window);
        if (length.isEmpty() && StuckTask.areAllLost(window)) {
            length = Standstill.stoodStill(window);
        }
        boolean isOver = window.state() == PoolState.SHUTTING_DOWN && window.countsTasks();
        if (length.isEmpty() || isOver || isToldByAnother(window)) {
            return Verdict.clear();
        }
        return Verdict.found(finding(window, length.get()));
    }

    private static boolean isToldByAnother(PoolWindow window) {
        return OTHERS.stream()
                .flatMap(rule -> rule.examine(window).finding().stream())
                .anyMatch(finding -> finding.severity() == Severity.CRITICAL);
    }

    private static Finding finding(PoolWindow window, Duration length) {
        Finding.Builder finding = Finding.of(ID, window);
        String beginning = NothingMoves.mark(finding, window, length);
        finding.evidence("workers", window.after().size());
        if (window.countsQueue()) {
            finding.evidence("queued", window.after().queued());
        }
        WaitChain chain = window.seen(WaitChain.class).orElse(null);
        boolean isHeld =
                chain != null && chain.end() == End.MOVING && chain.last().startsWith("it is held by");
        boolean isSignalOfWorkers =
                chain != null && chain.end() == End.SIGNAL && chain.links().size() == 1;
        Told told = chain == null || isSignalOfWorkers || (chain.end() == End.MOVING && !isHeld)
                ? Told.ofGroup(window)
                : Told.ofChain(chain);
        Optional<Awaited.Line> line = line(window);
        if (told.end == End.NONE_LEFT || told.end == End.ROOM) {
            line.ifPresent(known -> {
                finding.evidence("resource", known.name());
                known.capacity().ifPresent(capacity -> finding.evidence("capacity", capacity));
            });
        }
        finding.evidence("waitingWorkers", told.waiting)
                .evidence("end", told.end.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .evidence("chain", told.lines);
        if (!told.place.isEmpty()) {
            finding.place(told.place);
        }
        if (!told.stack.isEmpty()) {
            finding.stack(lines(told.stack));
        }
        return finding.summary("%s", beginning + inUse(told, line) + String.join("; ", told.lines))
                .advice("%s", advice(told, window, line))
                .build();
    }

    /** What lends out the connections or permits that workers wait for, where one is known. */
    private static Optional<Awaited.Line> line(PoolWindow window) {
        return Limits.recent(window)
                .places(Doing.WAITING_IN_LINE)
                .flatMap(share -> share.awaited().stream())
                .filter(Awaited.Line.class::isInstance)
                .map(Awaited.Line.class::cast)
                .findFirst();
    }

    private static String inUse(Told told, Optional<Awaited.Line> line) {
        return line.filter(known -> told.end == End.NONE_LEFT
                        && known.capacity().isPresent()
                        && known.inUse().isPresent())
                .map(known -> Units.format(
                        "%d of %d connections of %s are in use: ",
                        known.inUse().getAsInt(), known.capacity().getAsInt(), known.name()))
                .orElse("");
    }

    private static String advice(Told told, PoolWindow window, Optional<Awaited.Line> line) {
        return switch (told.end) {
            case CIRCLE ->
                told.lines.get(0).contains("the initialisation of class")
                        ? INITIALISERS
                        : "They wait for each other and never go on: restart the process. Then break the circle: hold no lock while"
                                + " waiting for a task or another lock, or give the awaited tasks a pool of their own.";
            case ENDED_OWNER ->
                "Nobody can release this lock any more: restart the process. Then release it in a finally block, in the"
                        + " thread that took it.";
            case UNKNOWN_OWNER ->
                "Look for a thread that took this lock and waits for a task that needs it, or that did not give it back."
                        + " Do not wait for other tasks while holding it. More workers would only wait as well.";
            case OWN_TASK ->
                "Do not wait for tasks of this pool where only its workers can run them: give these tasks a pool of their"
                        + " own, or continue with thenCompose or thenCombine. A larger pool only postpones it.";
            case COMMON_POOL ->
                "Give tasks that wait an executor of their own (supplyAsync(task, executor)): the common pool has one"
                        + " thread less than there are CPUs, at least one, and all parallel streams share it.";
            case RESULT ->
                "Look at what brings that. If tasks of this pool do, give those tasks a pool of"
                        + " their own, or continue with thenCompose or thenCombine instead of waiting.";
            case PARTY ->
                "Look for the parties that have not come: one that failed before it counted down, or tasks that queue"
                        + " behind those that wait. Count down in a finally block, wait with a time-out, and let no more"
                        + " parties meet than there are workers.";
            case OWN_PORT, UNREAD ->
                "Do not ask this process over its own port in a thread that serves it: call the code itself, or let other"
                        + " threads serve these requests. Give each call a time-out.";
            case INITIALISER -> INITIALISERS;
            case NONE_LEFT -> adviceOfNoneLeft(told, window, line);
            case ROOM ->
                "Look who takes from that queue. If it is the queue of this very pool, its own workers would have to make"
                        + " room, and wait for it: nothing will ever run again. Do not wait in a task for room in the"
                        + " pool that runs it: run the part at once, or give the parts a pool of their own.";
            case OUTSIDE ->
                "Give each of these calls a time-out, and look at what they wait for. More workers would only wait as well.";
            case MOVING ->
                told.lines.size() > 1
                        ? "Look at the holder: it does not give the lock back. More workers would only wait as well."
                        : "Such tasks took a hundredth of that before. Look at this line: correct the loop, or give the"
                                + " wait a limit. More workers would only be lost as well.";
            case SIGNAL ->
                "Look at the threads that provide it: those that notify, signal, put or give back."
                        + (told.lines.size() > 1 ? " They may need what the waiting thread holds." : "");
        };
    }

    private static String adviceOfNoneLeft(Told told, PoolWindow window, Optional<Awaited.Line> line) {
        if (line.filter(Awaited.Line::isLocked).isPresent()) {
            return "Look for a transaction that has not ended: nothing runs until it is committed or rolled back."
                    + " Growing the pool will not help.";
        }
        String limit = line.flatMap(known -> Neighbours.lender(known.name()))
                .map(lender -> " (" + lender.setting() + ")")
                .orElse("");
        int workers = window.after().size();
        boolean mayHold = line.flatMap(
                        known -> known.capacity().stream().boxed().findFirst())
                .filter(capacity -> capacity <= told.waiting)
                .isPresent();
        return "Look for what was taken and not given back: give it back in a finally block. Nothing runs until it is."
                + (mayHold
                        ? " If each task holds one and asks for a second, the limit" + limit
                                + " cannot stand still from " + (workers + 1) + " on: " + workers + " × (2 − 1) + 1."
                        : "");
    }

    @Override
    public Set<Evidence> needs(PoolWindow window) {
        return Standstill.hasStopped(window) ? Set.of(Evidence.STACKS) : Set.of();
    }

    /** What is said of the workers: clauses, first the workers' own. */
    private record Told(double waiting, End end, List<String> lines, String place, List<StackTraceElement> stack) {

        static Told ofChain(WaitChain chain) {
            List<String> lines = new ArrayList<>();
            for (Link link : chain.links()) {
                boolean isFirst = lines.isEmpty();
                String who = isFirst
                        ? (chain.waiting() == chain.workers() && chain.workers() > 1
                                        ? "all "
                                        : chain.waiting() + " of ")
                                + Counted.of(chain.workers(), "worker")
                        : link.who();
                boolean isOne = isFirst
                        ? chain.workers() == 1 || chain.waiting() == 1
                        : !link.who().contains("workers");
                lines.add(who
                        + (isOne ? " waits for " : " wait for ")
                        + link.thing()
                        + (link.place().isEmpty() ? "" : " at " + link.place()));
            }
            if (!chain.last().isEmpty()) {
                lines.add(chain.last());
            }
            return new Told(
                    chain.waiting(),
                    chain.end(),
                    lines,
                    chain.first().place(),
                    chain.first().stack());
        }

        /** Of the breakdown, where no chain is known or it leads to nobody. */
        static Told ofGroup(PoolWindow window) {
            TimeBreakdown times = Limits.recent(window);
            int workers = window.after().size();
            @Nullable
            WaitingWorkers group = Stream.of(
                            Doing.WAITING_FOR_LOCK,
                            Doing.WAITING_IN_LINE,
                            Doing.WAITING_FOR_RESULT,
                            Doing.WAITING_OUTSIDE,
                            Doing.SLEEPING,
                            Doing.COMPUTING)
                    .flatMap(doing -> WaitingWorkers.of(times, doing).stream().limit(1))
                    .max(Comparator.comparingDouble(one -> one.workers().value()))
                    .orElse(null);
            boolean mayMove = group == null
                    || group.largest().doing() == Doing.SLEEPING
                    || group.largest().doing() == Doing.COMPUTING;
            if (mayMove && StuckTask.areAllLost(window)) {
                List<StackTraceElement> longest = StuckTask.stackOfLongest(window);
                return ofLost(
                        longest.isEmpty() && group != null ? group.largest().stack() : longest, workers, group);
            }
            if (group == null) {
                return new Told(0, End.MOVING, List.of("its workers wait"), "", List.of());
            }
            Share share = group.largest();
            double waiting = group.workers().value();
            String who = Places.count(waiting) + " of " + Counted.of(workers, "worker");
            boolean isOne = Math.round(waiting) == 1;
            String what = switch (share.doing()) {
                case SLEEPING -> isOne ? "sleeps" : "sleep";
                case COMPUTING -> isOne ? "computes" : "compute";
                default -> (isOne ? "waits for " : "wait for ") + thing(share);
            };
            return new Told(
                    waiting,
                    end(share),
                    Stream.concat(
                                    Stream.of(
                                            who + ' ' + what + (group.place().isEmpty() ? "" : " at " + group.place())),
                                    owner(share).stream())
                            .toList(),
                    group.place(),
                    share.stack());
        }

        /** Of workers that run and never come back. */
        private static Told ofLost(List<StackTraceElement> stack, int workers, @Nullable WaitingWorkers group) {
            String place = UserFrames.place(stack);
            boolean isAsleep = group != null && group.largest().doing() == Doing.SLEEPING;
            String who = workers == 1 ? "the only worker " : "all " + workers + " workers ";
            String what = (isAsleep ? "sleep" : "compute") + (workers == 1 ? "s" : "");
            return new Told(
                    workers,
                    End.MOVING,
                    List.of(who + what + (place.isEmpty() ? "" : " at " + place) + ", in tasks that do not end"),
                    place,
                    stack);
        }

        private static String thing(Share share) {
            Awaited awaited = share.awaited().orElse(null);
            if (awaited instanceof Awaited.Lock lock) {
                return (lock.monitor() ? "the monitor of " : "the lock ") + lock.name();
            }
            if (awaited instanceof Awaited.Line line) {
                return line.name();
            }
            return switch (share.doing()) {
                case WAITING_FOR_LOCK -> "a lock";
                case WAITING_FOR_RESULT -> "results";
                case WAITING_OUTSIDE -> "something outside";
                default -> "a notification or an element";
            };
        }

        private static End end(Share share) {
            return switch (share.doing()) {
                case WAITING_FOR_LOCK -> End.UNKNOWN_OWNER;
                case WAITING_FOR_RESULT -> End.RESULT;
                case WAITING_OUTSIDE -> End.OUTSIDE;
                case SLEEPING, COMPUTING -> End.MOVING;
                default ->
                    share.awaited().orElse(null) instanceof Awaited.Line line && line.limited()
                            ? (line.isRoom() ? End.ROOM : End.NONE_LEFT)
                            : End.SIGNAL;
            };
        }

        private static Optional<String> owner(Share share) {
            return share.awaited().orElse(null) instanceof Awaited.Lock lock
                    ? lock.owner()
                            .map(owner -> "it is held by " + owner
                                    + (lock.ownerStack().isEmpty() ? "" : " at " + UserFrames.place(lock.ownerStack())))
                    : Optional.empty();
        }
    }
}
