package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.diagnosis.bottleneck.Circumstances;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.text.Units;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One finding of one pool, from the first suspicion to its end. Confined to the monitor's thread.
 *
 * <p>Evidence counts time, in windows of the configured length: a window of a quarter of that length counts a quarter,
 * and a late one counts as many as it is long. But no window decides alone, unless the rule asks for one only.
 *
 * <ul>
 *   <li>A suspicion is raised when it was found for as long as its rule asks for. A clear window takes twice its length
 *       away, so a suspicion must hold for two thirds of the time.
 *   <li>A raised finding is resolved after it was clear for {@value #CLEAR_TO_RESOLVE} windows without a break. It is
 *       resolved at once when the pool's bottleneck has changed since it was found: its advice no longer fits. If tasks
 *       still wait for busy workers then, all is not well, and the finding ends with that reason.
 *   <li>A finding whose recommended size the pool has got is resolved at once. With any other new size, the finding is
 *       said anew with fresh figures.
 *   <li>A size is named, renewed and taken back as {@link SaidSize} says.
 *   <li>Unknown raises nothing and resolves nothing. After each minute of it the finding says so. After
 *       {@link #FORGOTTEN} it ends as no longer known.
 * </ul>
 */
final class FindingLife {

    /** The evidence that a raised finding was not checked for so long. */
    static final String NOT_CHECKED = "notCheckedFor";

    /** A judgement: whoever sees a finding that was not checked for so long cannot rely on it. */
    static final Duration FORGOTTEN = Duration.ofMinutes(10);

    private static final String WORKERS = "workers"; // in the evidence: the pool's size when it was found
    private static final double NEAR = 0.1; // of the size; people round

    private static final int CLEAR_TO_RESOLVE = 3;
    private static final double COST_OF_A_CLEAR_WINDOW = 2; // found windows: it must hold two thirds of the time
    private static final int FEWEST_LOOKS = 2; // windows; none decides alone, however long it is

    /** At its pool's end no more evidence can come, so half of what is usual suffices. */
    private static final double ENOUGH_AT_THE_END = 0.5;

    private static final int FEWEST_LOOKS_AT_THE_END = 3; // windows, which are short in a pool's youth

    /** Windows are a little shorter than planned at times. */
    private static final double ALMOST = 0.95;

    /** A suspicion that was neither confirmed nor refuted for so many windows is dropped. */
    private static final double STALE = 10;

    private final @Nullable Rule rule; // null for what was raised before there were rules
    private final int windowsToRaise;
    private final Finding first;
    private final SaidSize size = new SaidSize();
    private Finding latest; // as it was last found
    private Finding shown; // the same, or with the words that it was not checked
    private Bottleneck foundUnder = Bottleneck.UNKNOWN;
    private boolean isRaised;
    private int looks; // that found it
    private double held; // windows; never more than the rule asks for
    private double cleared; // windows since it was last found
    private int clearLooks; // the same in looks
    private double age; // windows since the first one
    private double unknown; // windows since it was last checked
    private Duration unchecked = Duration.ZERO; // the same as a time

    FindingLife(@Nullable Rule rule, int windowsToRaise, Finding first) {
        this.rule = rule;
        this.windowsToRaise = Math.max(1, Math.min(windowsToRaise, PoolWindow.HISTORY));
        this.first = first;
        this.latest = first;
        this.shown = first;
    }

    /** Makes a finding that was said before there were rules. */
    static FindingLife raisedBefore(Finding finding, Bottleneck under, FindingListener news) {
        FindingLife life = new FindingLife(null, 1, finding);
        life.foundUnder = under;
        life.raise(news);
        return life;
    }

    /** {@return whether that rule tells whether the finding still holds} */
    boolean isOf(Rule other) {
        try {
            return rule == null ? other.ids().contains(first.id()) : rule == other;
        } catch (RuntimeException | LinkageError ignored) { // a user's rule, of which the rule book tells
            return false;
        }
    }

    /** {@return the finding as it is shown; empty while it is only suspected} */
    Optional<Finding> raised() {
        return isRaised ? Optional.of(shown) : Optional.empty();
    }

    /** {@return whether the next windows decide: a young suspicion, or a raised finding that is no longer found} */
    boolean isUndecided() {
        return isRaised ? cleared > 0 : age < STALE;
    }

    void found(Finding finding, Circumstances circumstances, FindingListener news) {
        Severity before = latest.severity();
        latest = size.of(finding, circumstances).withSince(first.since());
        shown = latest;
        foundUnder = circumstances.bottleneck();
        looks++;
        held = Math.min(windowsToRaise, held + circumstances.windows());
        age += circumstances.windows();
        checked();
        cleared = 0;
        clearLooks = 0;
        if (isRaised && latest.severity().compareTo(before) > 0) {
            news.escalated(latest);
        } else if (isRaised) {
            news.updated(latest);
        } else if (circumstances.mayRaise() && isEnough()) {
            raise(news);
        }
    }

    private boolean isEnough() {
        return windowsToRaise == 1 || (looks >= FEWEST_LOOKS && held >= ALMOST * windowsToRaise);
    }

    private void raise(FindingListener news) {
        isRaised = true;
        news.raised(latest);
    }

    /** The rule has seen that all is well. Returns whether the finding is over, and to be forgotten. */
    boolean clear(Circumstances circumstances, FindingListener news) {
        checked();
        shown = latest;
        age += circumstances.windows();
        cleared += circumstances.windows();
        clearLooks++;
        if (!isRaised) {
            held -= COST_OF_A_CLEAR_WINDOW * circumstances.windows();
            return held <= 0;
        }
        boolean isCured = clearLooks >= FEWEST_LOOKS && cleared >= ALMOST * CLEAR_TO_RESOLVE;
        boolean isOfAnother = isOfAnotherBottleneck(circumstances);
        if (isOfAnother && circumstances.isFull()) {
            news.ended(latest, "something else limits the pool now");
        } else if (isCured || isOfAnother) {
            news.resolved(latest);
        }
        return isCured || isOfAnother;
    }

    /**
     * {@return whether the pool has got another size since the finding was found, and it is the recommended one, or
     * nearer to it than a tenth, or beyond it}
     *
     * <p>The figures of such a finding are those of a pool that no longer exists. Whatever is wrong with the new one is
     * found anew.
     */
    boolean isFollowed(int workers) {
        if (!isRaised
                || latest.recommendedSize().isEmpty()
                || !(latest.evidence().get(WORKERS) instanceof Integer before)
                || before == workers) {
            return false;
        }
        int said = latest.recommendedSize().getAsInt();
        double near = Math.max(1, NEAR * said);
        return before > said ? workers <= said + near && workers < before : workers >= said - near && workers > before;
    }

    /** Ends it, because its advice was followed. */
    void followed(FindingListener news) {
        news.resolved(latest);
    }

    /** The rule could not judge a window, but another one has seen that the pool still waits for the same. */
    void holds() {
        checked();
        shown = latest;
    }

    /** {@return whether the pool's bottleneck has changed since the finding was found} */
    boolean isOfAnotherBottleneck(Circumstances circumstances) {
        return circumstances.isAnotherBottleneckThan(foundUnder);
    }

    private void checked() {
        unknown = 0;
        unchecked = Duration.ZERO;
    }

    /**
     * The rule could not judge a window. Returns whether the finding is over, and to be forgotten. One window does not
     * end it, however long it is: the machine may have slept meanwhile.
     */
    boolean unknown(String missing, Circumstances circumstances, FindingListener news) {
        boolean isFirst = unchecked.isZero();
        long minutes = unchecked.toMinutes();
        unchecked = unchecked.plus(circumstances.length());
        unknown += circumstances.windows();
        age += circumstances.windows();
        if (!isRaised) {
            return unknown >= STALE;
        }
        String words = Units.format("not checked for %d min: %s", unchecked.toMinutes(), missing);
        if (!isFirst && unchecked.compareTo(FORGOTTEN) >= 0) {
            news.ended(latest, "no longer known, " + words);
            return true;
        }
        if (unchecked.toMinutes() > minutes) {
            latest = size.takenBack(latest);
            shown = uncheckedFor(words);
            news.updated(shown);
        }
        return false;
    }

    private Finding uncheckedFor(String words) {
        Map<String, Object> evidence = new LinkedHashMap<>(latest.evidence());
        evidence.put(NOT_CHECKED, Duration.ofMinutes(unchecked.toMinutes()));
        return latest.withSummary(latest.summary() + " (" + words + ")").withEvidence(evidence);
    }

    /** The pool has ended. A suspicion that had become probable is raised first. */
    void poolEnded(FindingListener news) {
        if (!isRaised && looks >= FEWEST_LOOKS_AT_THE_END && held >= ENOUGH_AT_THE_END * windowsToRaise) {
            raise(news);
        }
        end("the pool has ended", news);
    }

    /** Ends it, unless it is only suspected, for a reason that is no cure. */
    void end(String why, FindingListener news) {
        if (isRaised) {
            news.ended(latest, why);
        }
    }
}
