package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.diagnosis.RuleBook.Answer;
import io.lifeguard.pool.diagnosis.bottleneck.Circumstances;
import io.lifeguard.pool.diagnosis.seen.SaidFinding;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The suspected and raised findings of one pool. Confined to the monitor's thread, except {@link #raised}. */
final class FindingLedger {

    /**
     * For a finding, the one whose advice is the opposite and rests on more. Both speak of a pool that waits outside.
     * {@code blocked-on-io} says to grow as long as nothing shows that calls slow each other down, and
     * {@code downstream-saturated} has seen that they do. A steady load shows it no longer after a minute, and yet is
     * no evidence of the contrary. And idle workers are not too many where tasks wait for their turn.
     */
    private static final Map<String, String> GIVES_WAY_TO =
            Map.of("blocked-on-io", "downstream-saturated", "oversized", "waits-in-order");

    /**
     * Says that a pool has little to do, which it does for as long as the program runs, and which long windows show.
     */
    private static final String LITTLE_TO_DO = "oversized";

    /** Findings that do not say why a pool is full. */
    private static final Set<String> SAY_NOT_WHY = Set.of(
            SaidFinding.LEAST,
            "failures-unseen",
            "max-size-unreachable",
            LITTLE_TO_DO,
            "pool-leaked",
            "queue-growing",
            "tasks-discarded",
            "waits-in-order");

    private final Map<String, FindingLife> lives = new LinkedHashMap<>(); // by id
    private final PendingNews pending = new PendingNews(); // told after the findings are published
    private volatile List<Finding> raised = List.of(); // written by the monitor's thread; readers may lag by one window
    private boolean isUndecided; // of any finding

    List<Finding> raised() {
        return raised;
    }

    /** {@return whether the next windows decide about a finding, and so had better be short} */
    boolean isUndecided() {
        return isUndecided;
    }

    /** {@return whether no finding is suspected, or raised, for which the pool has to be looked at closely} */
    boolean isAtRest() {
        boolean isAtRest = !isUndecided;
        for (Finding finding : raised) {
            isAtRest &= finding.id().equals(LITTLE_TO_DO);
        }
        return isAtRest;
    }

    /** Raises a finding that was logged before there was a monitor. Called before the first window. */
    void takeOver(Finding said, Bottleneck under) {
        lives.put(said.id(), FindingLife.raisedBefore(said, under, pending));
        raised = raisedNow();
    }

    /**
     * Enters what the rules said of a window. Findings end before others are raised, so that opposite advice never
     * stands together.
     *
     * @param answers one of each rule; where two rules make the same finding, the first one's counts
     */
    void enter(List<Answer> answers, Circumstances circumstances, FindingListener news) {
        Map<String, Answer> found = new LinkedHashMap<>();
        for (Answer answer : answers) {
            Finding finding = answer.verdict().finding().orElse(null);
            if (finding != null) {
                found.putIfAbsent(finding.id(), answer);
            }
        }
        for (Map.Entry<String, String> pair : GIVES_WAY_TO.entrySet()) {
            giveWay(pair.getKey(), pair.getValue(), found, answers, circumstances);
        }
        Answer least = found.get(SaidFinding.LEAST);
        for (Iterator<Map.Entry<String, FindingLife>> each = lives.entrySet().iterator(); each.hasNext(); ) {
            Map.Entry<String, FindingLife> life = each.next();
            if (!found.containsKey(life.getKey())
                    && isOver(life.getValue(), verdict(life.getValue(), answers), circumstances)) {
                each.remove();
            }
        }
        for (Map.Entry<String, Answer> one : found.entrySet()) {
            if (!one.getKey().equals(SaidFinding.LEAST)) {
                found(one.getKey(), one.getValue(), circumstances);
            }
        }
        if (!isSaidWhy()) {
            if (least != null) {
                found(SaidFinding.LEAST, least, circumstances);
            }
        } else if (lives.containsKey(SaidFinding.LEAST)) {
            lives.remove(SaidFinding.LEAST).end("another finding says why", pending);
        }
        publish(news);
    }

    private void found(String id, Answer answer, Circumstances circumstances) {
        Finding finding = answer.verdict().finding().orElseThrow();
        FindingLife life = lives.get(id);
        if (life == null) {
            life = new FindingLife(answer.rule(), answer.windowsToRaise(), finding);
            lives.put(id, life);
        }
        life.found(finding, circumstances, pending);
    }

    private boolean isSaidWhy() {
        for (Map.Entry<String, FindingLife> life : lives.entrySet()) {
            if (!SAY_NOT_WHY.contains(life.getKey()) && life.getValue().raised().isPresent()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Lets one of two opposite findings go, where one is found and the raised one could not be checked. While the pool
     * waits for the same as before, the raised one holds. Where another bottleneck was decided on since, that is over.
     */
    private void giveWay(
            String id, String other, Map<String, Answer> found, List<Answer> answers, Circumstances circumstances) {
        FindingLife stands = lives.get(other);
        if (stands == null
                || stands.raised().isEmpty()
                || !found.containsKey(id)
                || !(verdict(stands, answers) instanceof Verdict.Unknown)) {
            return;
        }
        if (!stands.isOfAnotherBottleneck(circumstances)) {
            found.remove(id);
            stands.holds();
        } else if (stands.clear(circumstances, pending)) {
            lives.remove(other);
        }
    }

    /** Ends the findings whose advice was followed, before a window is entered. */
    void follow(int workers, FindingListener news) {
        boolean isAny = false;
        for (Iterator<FindingLife> each = lives.values().iterator(); each.hasNext(); ) {
            FindingLife life = each.next();
            if (life.isFollowed(workers)) {
                life.followed(pending);
                each.remove();
                isAny = true;
            }
        }
        if (isAny) {
            publish(news);
        }
    }

    /** A window that no rule was asked about counts as unknown for all findings. */
    void enterUnseen(String missing, Circumstances circumstances, FindingListener news) {
        lives.values().removeIf(life -> life.unknown(missing, circumstances, pending));
        publish(news);
    }

    private boolean isOver(FindingLife life, Verdict verdict, Circumstances circumstances) {
        return verdict instanceof Verdict.Unknown unknown
                ? life.unknown(unknown.missing(), circumstances, pending)
                : life.clear(circumstances, pending);
    }

    /** What the rule that found it says now. A rule that was removed finds nothing any longer. */
    private static Verdict verdict(FindingLife life, List<Answer> answers) {
        for (Answer answer : answers) {
            if (life.isOf(answer.rule())) {
                return answer.verdict();
            }
        }
        return Verdict.clear();
    }

    /** Ends all findings at once, for a reason that is no cure. */
    void end(String why, FindingListener news) {
        for (FindingLife life : lives.values()) {
            life.end(why, pending);
        }
        lives.clear();
        publish(news);
    }

    /** Ends the findings at once that were switched off. */
    void endSwitchedOff(MonitorSettings settings, FindingListener news) {
        for (Iterator<Map.Entry<String, FindingLife>> each = lives.entrySet().iterator(); each.hasNext(); ) {
            Map.Entry<String, FindingLife> life = each.next();
            if (settings.isOff(life.getKey())) {
                life.getValue().end("it was switched off", pending);
                each.remove();
            }
        }
        publish(news);
    }

    /** Ends all findings with their pool. Those that were probable are raised before. */
    void endOfPool(FindingListener news) {
        for (FindingLife life : lives.values()) {
            life.poolEnded(pending);
        }
        lives.clear();
        publish(news);
    }

    /** Shows the findings, and then tells what became of them. */
    private void publish(FindingListener news) {
        isUndecided = false;
        raised = lives.isEmpty() ? List.of() : raisedNow();
        pending.tell(news);
    }

    private List<Finding> raisedNow() {
        List<Finding> now = new ArrayList<>();
        for (FindingLife life : lives.values()) {
            isUndecided |= life.isUndecided();
            if (life.raised().isPresent()) {
                now.add(life.raised().get());
            }
        }
        return List.copyOf(now);
    }
}
