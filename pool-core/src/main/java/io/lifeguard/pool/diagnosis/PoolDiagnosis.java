package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.diagnosis.RuleBook.Answer;
import io.lifeguard.pool.diagnosis.sizing.Bottlenecks;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Applies the library's rules to the windows of one pool that another source than a monitor has measured. Such a source
 * is another JVM or a recording. Not thread-safe.
 *
 * <p>Windows are judged as a {@link PoolMonitor} does it: with the history, one bottleneck at a time, and findings that
 * are raised when they have held for long enough.
 */
public final class PoolDiagnosis {

    private final Duration usual;
    private final FindingListener listener;
    private final RuleBook rules;
    private final WindowHistory history = new WindowHistory();
    private final FindingLedger ledger = new FindingLedger();
    private final BottleneckLedger bottleneck = new BottleneckLedger();
    private SortedSet<String> missing = new TreeSet<>();

    /**
     * Makes a diagnosis without windows.
     *
     * @param usual how long windows are meant to be, positive
     * @param listener is told what becomes of each finding, not null
     * @throws IllegalArgumentException if the length is not positive
     */
    public PoolDiagnosis(Duration usual, FindingListener listener) {
        if (usual.isNegative() || usual.isZero()) {
            throw new IllegalArgumentException("usual must be > 0 (was " + usual + ")");
        }
        this.usual = usual;
        this.listener = Objects.requireNonNull(listener, "listener must not be null");
        this.rules = new RuleBook(new MonitorSettings(), new Guard());
    }

    /**
     * Judges the next window.
     *
     * @param alone the window, without a history, not null
     * @return the same with its history and its bottleneck
     */
    public PoolWindow enter(PoolWindow alone) {
        List<PoolWindow> earlier = history.judged();
        history.add(alone, usual);
        PoolWindow window = alone.toBuilder()
                .earlier(earlier.subList(
                        0, Math.min(earlier.size(), history.fine().size() - 1)))
                .minutes(history.coarse())
                .build();
        Bottleneck decision = bottleneck.enter(Bottlenecks.of(window), look(window));
        PoolWindow decided = window.toBuilder().bottleneck(decision).build();
        List<Answer> answers = rules.examine(decided);
        ledger.enter(answers, look(window), listener);
        missing = new TreeSet<>();
        answers.forEach(answer -> {
            if (answer.verdict() instanceof Verdict.Unknown unknown) {
                missing.add(unknown.missing());
            }
        });
        return decided;
    }

    /**
     * Remembers a window in which everything stood still, or nobody could look. It is not judged.
     *
     * @param alone the window, without a history, not null
     * @param why the reason in plain words, not null
     */
    public void enterUnseen(PoolWindow alone, String why) {
        history.addDisturbed(alone, usual);
        ledger.enterUnseen(why, look(alone), listener);
    }

    private Look look(PoolWindow window) {
        return new Look(window.length(), usual, bottleneck.firm(), true);
    }

    /** {@return the raised findings} */
    public List<Finding> findings() {
        return ledger.raised();
    }

    /** {@return what rules could not judge the latest window for want of, in their own words, sorted} */
    public SortedSet<String> missing() {
        return new TreeSet<>(missing);
    }

    /** Ends all findings, because the pool has ended. */
    public void end() {
        ledger.endOfPool(listener);
    }
}
