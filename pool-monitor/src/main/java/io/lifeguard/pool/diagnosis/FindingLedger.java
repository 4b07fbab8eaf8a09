package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.diagnosis.RuleBook.Answer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

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

    /** Says of a full pool where its workers are, as long as no other finding says why it is full. */
    private static final String LEAST = "pool-full";

    /** Findings that do not say why a pool is full. */
    private static final Set<String> SAY_NOT_WHY = Set.of(
            LEAST,
            "failures-unseen",
            "max-size-unreachable",
            "oversized",
            "pool-leaked",
            "queue-growing",
            "tasks-discarded",
            "waits-in-order");

    /** Why a finding ends whose id was switched off. */
    static final String SWITCHED_OFF = "it was switched off";

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

    /**
     * Enters what the rules said of a window. Findings end before others are raised, so that opposite advice never
     * stands together.
     *
     * @param answers one of each rule; where two rules make the same finding, the first one's counts
     */
    void enter(List<Answer> answers, Look look, FindingListener news) {
        Map<String, Answer> found = new LinkedHashMap<>();
        answers.forEach(
                answer -> answer.verdict().finding().ifPresent(finding -> found.putIfAbsent(finding.id(), answer)));
        GIVES_WAY_TO.forEach((id, other) -> giveWay(id, other, found, answers, look));
        Answer least = found.get(LEAST);
        lives.entrySet()
                .removeIf(entry -> !found.containsKey(entry.getKey())
                        && isOver(entry.getValue(), verdict(entry.getValue().rule(), answers), look));
        found.forEach((id, answer) -> {
            if (!id.equals(LEAST)) {
                found(id, answer, look);
            }
        });
        if (!isSaidWhy()) {
            if (least != null) {
                found(LEAST, least, look);
            }
        } else if (lives.containsKey(LEAST)) {
            lives.remove(LEAST).end("another finding says why", pending);
        }
        publish(news);
    }

    private void found(String id, Answer answer, Look look) {
        answer.verdict()
                .finding()
                .ifPresent(finding -> lives.computeIfAbsent(
                                id, key -> new FindingLife(answer.rule(), answer.windowsToRaise(), finding))
                        .found(finding, look, pending));
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
    private void giveWay(String id, String other, Map<String, Answer> found, List<Answer> answers, Look look) {
        FindingLife stands = lives.get(other);
        if (stands == null
                || stands.raised().isEmpty()
                || !found.containsKey(id)
                || !(verdict(stands.rule(), answers) instanceof Verdict.Unknown)) {
            return;
        }
        if (!stands.isOfAnotherBottleneck(look)) {
            found.remove(id);
            stands.holds();
        } else if (stands.clear(look, pending)) {
            lives.remove(other);
        }
    }

    /** Ends the findings whose advice was followed, before a window is entered. */
    void follow(int workers, FindingListener news) {
        boolean isAny = lives.values().removeIf(life -> {
            boolean isFollowed = life.isFollowed(workers);
            if (isFollowed) {
                life.followed(pending);
            }
            return isFollowed;
        });
        if (isAny) {
            publish(news);
        }
    }

    /** A window that no rule was asked about counts as unknown for all findings. */
    void enterUnseen(String missing, Look look, FindingListener news) {
        lives.values().removeIf(life -> life.unknown(missing, look, pending));
        publish(news);
    }

    private boolean isOver(FindingLife life, Verdict verdict, Look look) {
        return verdict instanceof Verdict.Unknown unknown
                ? life.unknown(unknown.missing(), look, pending)
                : life.clear(look, pending);
    }

    /** What the rule that found it says now. A rule that was removed finds nothing any longer. */
    private static Verdict verdict(Rule rule, List<Answer> answers) {
        return answers.stream()
                .filter(answer -> answer.rule() == rule)
                .findFirst()
                .map(Answer::verdict)
                .orElse(Verdict.clear());
    }

    /** Ends the findings with such ids at once, for a reason that is no cure. */
    void end(Predicate<String> ids, String why, FindingListener news) {
        lives.entrySet().removeIf(entry -> {
            if (!ids.test(entry.getKey())) {
                return false;
            }
            entry.getValue().end(why, pending);
            return true;
        });
        publish(news);
    }

    /** Ends all findings with their pool. Those that were probable are raised before. */
    void endOfPool(FindingListener news) {
        lives.values().forEach(life -> life.poolEnded(pending));
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
            life.raised().ifPresent(now::add);
        }
        return List.copyOf(now);
    }
}
