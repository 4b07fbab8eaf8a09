package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.seen.EventLoopLooks;
import io.lifeguard.pool.diagnosis.seen.EventLoopLooks.Hold;
import io.lifeguard.pool.diagnosis.seen.EventLoopLooks.Loop;
import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.text.Units;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Finds event loops that were held up by their own handlers, which waited or computed for too long. Stateless,
 * thread-safe.
 *
 * <p><b>Formula.</b> The share of the looks in which an event loop was held up. While it is held up, no other event or
 * task of it is handled. A handler holds the loop up when it waits for something other than events, or computes for at
 * least 100 ms ({@link EventLoopLooks}). Loops of one group that are held up at one line are one finding. The threads
 * of a dispatcher share their work, so all looks at them count together, and those that it has not started yet count as
 * free. Such a finding is critical if half of all its threads are held up, because the others do the work meanwhile.
 *
 * <p><b>Window.</b> The last 2 s; 8 s where there was only one look per window, because nothing was held up.
 *
 * <p><b>Thresholds.</b> 20 % of the looks, of at least five, and at least three of them: one look in ten may meet a
 * short wait for a lock, as of a logger, by chance. In its first five seconds, a loop must be held up at one line for a
 * second and a half.
 *
 * <p><b>Closest healthy workload.</b> An event loop whose handlers wait briefly for a lock; or one that is always busy
 * with many short handlers.
 */
public final class EventLoopBlocked extends EventLoopRule {

    static final String ID = "event-loop-blocked";

    static final Threshold LOOKS = new Threshold(
            ID + ".looks",
            0.2,
            "share of the looks at an event loop in which a handler held it up; one in five events finds it so");

    private static final double FEWEST_LOOKS = 5; // looks at an event loop before anything is said; a judgement
    /** Looks in which a handler held it up; one or two meet a short wait by chance. */
    private static final double FEWEST_HELD = 3;

    private static final double MOST = 0.5; // of a dispatcher's threads; with fewer held up, the others do the work

    public EventLoopBlocked() {
        super(ID, LOOKS);
    }

    @Override
    Verdict examine(PoolWindow window, EventLoopLooks looks) {
        List<Loop> heldUp = heldUp(window, looks);
        if (!heldUp.isEmpty()) {
            return Verdict.found(finding(window, looks, heldUp));
        }
        long known = looks.loops().stream()
                .filter(loop -> looks.shared() || loop.looks() >= FEWEST_LOOKS)
                .count();
        boolean isKnown = 2 * known >= looks.loops().size() && sum(looks.loops(), false) >= FEWEST_LOOKS;
        return isKnown ? Verdict.clear() : Verdict.unknown("enough looks at the event loops");
    }

    /** {@return the loops that were held up where most of them were} */
    private static List<Loop> heldUp(PoolWindow window, EventLoopLooks looks) {
        List<Loop> heldUp = looks.loops().stream()
                .filter(loop ->
                        loop.hold().isPresent() && (looks.shared() || isHeldUp(List.of(loop), window.threshold(LOOKS))))
                .toList();
        double least = window.threshold(LOOKS)
                * looks.sharers()
                / Math.max(1, looks.loops().size());
        if (looks.shared() && !isHeldUp(looks.loops(), least)) {
            return List.of();
        }
        Map<String, List<Loop>> byPlace = heldUp.stream()
                .collect(Collectors.groupingBy(loop -> hold(loop).place(), LinkedHashMap::new, Collectors.toList()));
        return byPlace.values().stream()
                .max(Comparator.<List<Loop>>comparingInt(List::size).thenComparingLong(loops -> sum(loops, true)))
                .orElse(List.of());
    }

    private static boolean isHeldUp(List<Loop> loops, double least) {
        long looked = sum(loops, false);
        long held = sum(loops, true);
        return looked >= FEWEST_LOOKS && held >= FEWEST_HELD && held >= least * looked;
    }

    private static long sum(List<Loop> loops, boolean held) {
        return loops.stream().mapToLong(held ? Loop::held : Loop::looks).sum();
    }

    private static Hold hold(Loop loop) {
        return loop.hold().orElseThrow();
    }

    private static Finding finding(PoolWindow window, EventLoopLooks looks, List<Loop> heldUp) {
        Loop worst = heldUp.stream().max(Comparator.comparingInt(Loop::held)).orElseThrow();
        Hold hold = hold(worst);
        long looked = sum(looks.shared() ? looks.loops() : heldUp, false);
        long held = sum(heldUp, true);
        double meanHeld = (double) held * looks.loops().size() / looked; // threads at any moment
        boolean isMost = meanHeld >= MOST * looks.sharers();
        Optional<Awaited.Lock> lock = hold.lock();
        Finding.Builder finding = Finding.of(ID, window)
                .severity(isMost ? Severity.CRITICAL : Severity.WARNING)
                .summary(
                        "%s at %s%s: so %s seen in %d of the last %d looks; %s",
                        who(window, looks, heldUp, hold),
                        hold.place(),
                        lock.map(EventLoopBlocked::holder).orElse(""),
                        heldUp.size() == 1 ? "it was" : "they were",
                        held,
                        looked,
                        consequence(looks, heldUp.size(), isMost, meanHeld))
                .advice(advice(looks, hold))
                .evidence("eventLoop", worst.thread())
                .evidence("eventLoops", looks.loops().size())
                .evidence("heldUp", heldUp.size())
                .evidence("doing", hold.doing().name())
                .place(hold.place())
                .evidence("looks", looked)
                .evidence("blockedLooks", held)
                .evidence("shareOfLooks", (double) held / looked)
                .stack(lines(hold.stack()));
        lock.ifPresent(awaited -> {
            finding.evidence("lock", awaited.name());
            awaited.owner().ifPresent(owner -> finding.evidence("owner", owner));
            if (!awaited.ownerStack().isEmpty()) {
                finding.evidence("ownerStack", lines(awaited.ownerStack()));
            }
        });
        return finding.build();
    }

    private static String who(PoolWindow window, EventLoopLooks looks, List<Loop> heldUp, Hold hold) {
        boolean one = heldUp.size() == 1;
        String name = one && looks.loops().size() > 1 ? " (" + heldUp.get(0).thread() + ")" : "";
        return subject(window, looks, heldUp) + name + " " + words(hold, one);
    }

    private static String words(Hold hold, boolean one) {
        String s = one ? "s" : "";
        return switch (hold.doing()) {
            case COMPUTING ->
                "compute%s for %s or longer without handling %s events"
                        .formatted(s, Units.time(hold.longest()), one ? "its" : "their");
            case WAITING_FOR_LOCK ->
                "wait" + s + " for "
                        + hold.lock().map(lock -> "the lock " + lock.name()).orElse("a lock");
            case WAITING_FOR_RESULT -> "wait" + s + " for the result of another task";
            case WAITING_OUTSIDE -> "wait" + s + " for the network or a file";
            case SLEEPING -> "sleep" + s;
            default -> "wait" + s;
        };
    }

    private static String holder(Awaited.Lock lock) {
        return lock.owner()
                .map(owner -> ", held by " + owner
                        + (lock.ownerStack().isEmpty() ? "" : " at " + UserFrames.place(lock.ownerStack())))
                .orElse("");
    }

    private static String consequence(EventLoopLooks looks, int heldUp, boolean isMost, double meanHeld) {
        if (looks.shared()) {
            return isMost
                    ? "the other work of that dispatcher waits meanwhile"
                    : "on average, %d of the %d threads of that dispatcher are left for its other work"
                            .formatted(Math.round(looks.sharers() - meanHeld), looks.sharers());
        }
        return "no other event or task of " + (heldUp == 1 ? "that loop" : "those loops") + " is handled meanwhile";
    }

    private static String advice(EventLoopLooks looks, Hold hold) {
        String where = looks.shared()
                ? "a dispatcher of its own (a bounded one for blocking work)"
                : "a pool of its own (executeBlocking, publishOn, a bounded instrumented pool)";
        return hold.doing() == Doing.COMPUTING
                ? "Give the long computation " + where + ", or split it into parts that the loop runs between events."
                : "Give the blocking call " + where + ", or use an asynchronous client.";
    }
}
