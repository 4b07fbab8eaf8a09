package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.RuleBook.Answer;
import io.lifeguard.pool.diagnosis.bottleneck.BottleneckLedger;
import io.lifeguard.pool.diagnosis.bottleneck.Bottlenecks;
import io.lifeguard.pool.diagnosis.bottleneck.Circumstances;
import io.lifeguard.pool.diagnosis.log.Guard;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.PoolState;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Applies the rules to the windows of one pool, one after the other. Not thread-safe, except {@link #findings} and the
 * windows.
 *
 * <p>It keeps the history of windows, decides on one bottleneck at a time, and raises findings that have held for long
 * enough. The windows come from a {@link PoolMonitor}, or from a source outside of the pool's JVM.
 */
public final class PoolDiagnosis {

    private final RuleBook rules;
    private final Guard guard;
    private final Function<PoolWindow, Bottleneck> limits;
    private final FindingListener listener;
    private final WindowHistory history = new WindowHistory();
    private final FindingLedger ledger = new FindingLedger();
    private final BottleneckLedger bottleneck = new BottleneckLedger();
    private List<Answer> answers = List.of(); // about the latest judged window

    /** The failures before the last disturbance; null when a window was judged since. */
    private @Nullable List<PoolSnapshot.Unseen> unjudgedFailures;

    private volatile List<PoolWindow> windows =
            List.of(); // single writer: the thread that enters windows; readers may lag by one window

    /**
     * Makes a diagnosis without windows, with the library's own rules and thresholds.
     *
     * @param listener is told what becomes of each finding, not null
     */
    public PoolDiagnosis(FindingListener listener) {
        this(
                standardRules(),
                new Guard(),
                Bottlenecks::of,
                Objects.requireNonNull(listener, "listener must not be null"));
    }

    private static RuleBook standardRules() {
        RuleBook rules = new RuleBook(new MonitorSettings(), new Guard());
        rules.choose();
        return rules;
    }

    /**
     * Makes a diagnosis without windows.
     *
     * @param limits what limits the pool's throughput, as one window with its history shows it
     */
    PoolDiagnosis(RuleBook rules, Guard guard, Function<PoolWindow, Bottleneck> limits, FindingListener listener) {
        this.rules = rules;
        this.guard = guard;
        this.limits = limits;
        this.listener = listener;
    }

    /**
     * Judges the next window.
     *
     * @param alone the window, without a history, not null
     * @param usual how long windows are meant to be, positive
     * @param mayRaise false if findings are only to be suspected, because the pool is new
     * @return the same with its history and its bottleneck
     */
    public PoolWindow enter(PoolWindow alone, Duration usual, boolean mayRaise) {
        return enter(alone, usual, mayRaise, false);
    }

    /**
     * Judges the next window, by some of the rules at least.
     *
     * @param isStarved whether the monitor gets too little CPU time to ask all rules for the first time
     */
    PoolWindow enter(PoolWindow alone, Duration usual, boolean mayRaise, boolean isStarved) {
        PoolWindow window = decided(remember(alone, usual), usual, mayRaise);
        answers = rules.examine(window, isStarved);
        PoolSnapshot.Limits limits = window.after().limits();
        if (limits.coreSize() == limits.maximumSize()) { // other pools change their size by themselves
            ledger.follow(window.after().size(), listener);
        }
        boolean hasEnded = window.state() == PoolState.TERMINATED;
        ledger.enter(hasEnded ? onlyFound(answers) : answers, circumstances(window, usual, mayRaise), listener);
        return window;
    }

    /**
     * Remembers a window in which everything stood still. It is not judged, and separates the windows before it from
     * those after it.
     *
     * @param alone the window, without a history, not null
     * @param usual how long windows are meant to be, positive
     * @param why the reason in plain words, not null
     */
    public void enterUnseen(PoolWindow alone, Duration usual, String why) {
        if (unjudgedFailures == null) {
            unjudgedFailures = alone.before().unseenFailures();
        }
        history.addDisturbed(alone, usual);
        windows = history.fine();
        leaveUnjudged(alone, usual, why);
    }

    /** Remembers a window that is as good as any, but that there was no time to judge. */
    void enterUnjudged(PoolWindow alone, Duration usual, String why) {
        remember(alone, usual);
        leaveUnjudged(alone, usual, why);
    }

    private void leaveUnjudged(PoolWindow alone, Duration usual, String why) {
        ledger.enterUnseen(why, circumstances(alone, usual, false).asUsual(), listener);
    }

    private PoolWindow remember(PoolWindow alone, Duration usual) {
        List<PoolWindow> earlier = history.judged();
        PoolWindow window = unjudgedFailures == null
                ? alone
                : alone.toBuilder().failuresBefore(unjudgedFailures).build();
        unjudgedFailures = null;
        history.add(window, usual);
        windows = history.fine();
        return window.toBuilder()
                .earlier(earlier.subList(0, Math.min(earlier.size(), windows.size() - 1)))
                .minutes(history.coarse())
                .build();
    }

    /** The window with the decision about what limits the pool, to which this window contributes its vote. */
    private PoolWindow decided(PoolWindow window, Duration usual, boolean mayRaise) {
        if (window.subject() != PoolWindow.Subject.POOL) {
            return window;
        }
        Bottleneck vote = Bottleneck.UNKNOWN;
        try {
            vote = limits.apply(window);
        } catch (Throwable e) {
            guard.failed(limits, e);
        }
        Bottleneck decision = bottleneck.enter(vote, circumstances(window, usual, mayRaise));
        return window.decided(decision);
    }

    /** A pool without workers shows no trouble of theirs, which does not mean that there was none. */
    private static List<Answer> onlyFound(List<Answer> answers) {
        return answers.stream()
                .map(answer -> answer.verdict().finding().isPresent() ? answer : answer.unknown("the pool has ended"))
                .toList();
    }

    private Circumstances circumstances(PoolWindow window, Duration usual, boolean mayRaise) {
        return new Circumstances(
                window.length(), usual, bottleneck.firm(), mayRaise, window.countsQueue() && window.isSaturated());
    }

    FindingLedger ledger() {
        return ledger;
    }

    /** {@return all windows of the last minute, latest first} Any thread. */
    List<PoolWindow> windows() {
        return windows;
    }

    /** {@return the raised findings} Any thread. */
    public List<Finding> findings() {
        return ledger.raised();
    }

    /** {@return what rules could not judge the latest window for want of, in their own words, sorted} */
    public SortedSet<String> missing() {
        SortedSet<String> missing = new TreeSet<>();
        answers.forEach(answer -> {
            if (answer.verdict() instanceof Verdict.Unknown unknown) {
                missing.add(unknown.missing());
            }
        });
        return missing;
    }

    /** Ends all findings, because the pool has ended. */
    public void end() {
        ledger.endOfPool(listener);
    }

    /**
     * Ends all findings for another reason.
     *
     * @param why the reason in plain words, not null
     */
    public void end(String why) {
        ledger.end(why, listener);
    }
}
