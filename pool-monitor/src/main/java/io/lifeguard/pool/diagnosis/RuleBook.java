package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.diagnosis.log.Guard;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.PoolWindow.Subject;
import io.lifeguard.pool.diagnosis.window.Threshold;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Asks the rules that are switched on, and survives what they throw. Confined to the monitor's thread, except
 * {@link #checkThreshold} and {@link #find}.
 */
final class RuleBook {

    private static final Verdict FAILED = Verdict.unknown("its rule failed");
    private static final Verdict SILENT = Verdict.unknown("its rule does not return");

    /** The first four rules name the plain cases: a full pool, and what most workers of one wait for. */
    private static final int MOST_NEW = 4;

    /** Why a window was not judged, as findings say it. */
    static final String STARVED_OF_CPU = "the monitor got too little CPU time to judge this pool";

    private static final Verdict NOT_ASKED = Verdict.unknown(STARVED_OF_CPU);

    private final MonitorSettings settings;
    private final Guard guard;
    private boolean found; // guarded by this; from false to true

    // Confined to the monitor's thread.
    private final Set<Rule> asked = Collections.newSetFromMap(new IdentityHashMap<>()); // at least once, of any pool
    private Map<Subject, List<Rule>> chosen = Map.of();
    private boolean areStandard; // none is a user's
    private @Nullable Runnable between; // what is done after each rule; null for nothing

    RuleBook(MonitorSettings settings, Guard guard) {
        this.settings = settings;
        this.guard = guard;
    }

    /** Sets what is done after each rule, because rules that are asked for the first time may take seconds. */
    void between(Runnable action) {
        between = action;
    }

    /** Chooses the rules that are asked until the next call: those that are switched on now. */
    void choose() {
        find();
        Map<Subject, List<Rule>> next = new EnumMap<>(Subject.class);
        for (Subject subject : Subject.values()) {
            next.put(subject, new ArrayList<>());
        }
        areStandard = true;
        for (Rule rule : settings.rules()) {
            areStandard &= StandardRules.isStandard(rule);
            if (isOn(rule)) {
                rulesOf(rule, next).add(rule);
            }
        }
        chosen = next;
        asked.retainAll(settings.rules()); // a user's rule that was taken away
    }

    /**
     * {@return what each chosen rule says of a window; unknown when it throws, or was not asked}
     *
     * <p>A rule that is asked for the first time loads classes. A starved monitor has a fair share of 2 % of a core,
     * with which twenty rules take six seconds. So it asks only {@value #MOST_NEW} rules for the first time in one
     * window.
     */
    List<Answer> examine(PoolWindow window, boolean isStarved) {
        List<Answer> answers = new ArrayList<>();
        int asFirst = 0;
        for (Rule rule : rulesFor(window.subject())) {
            boolean isNew = !asked.contains(rule);
            if (isNew && isStarved && asFirst == MOST_NEW) {
                answers.add(new Answer(rule, NOT_ASKED, 0));
                continue;
            }
            if (isNew) {
                asked.add(rule);
                asFirst++;
            }
            answers.add(ask(rule, window));
            if (between != null) {
                between.run();
            }
        }
        return answers;
    }

    private Answer ask(Rule rule, PoolWindow window) {
        Verdict verdict = FAILED;
        try {
            verdict = Objects.requireNonNullElse(examine(rule, window), FAILED);
        } catch (Throwable e) {
            guard.failed(rule, e);
        }
        return answer(rule, window, verdict);
    }

    private Verdict examine(Rule rule, PoolWindow window) {
        if (StandardRules.isStandard(rule)) {
            return rule.examine(window);
        }
        AtomicReference<Verdict> verdict = new AtomicReference<>();
        boolean isKnown = guard.hasReturned(
                rule,
                () -> verdict.set(guard.call(rule, FAILED, () -> rule.examine(window))),
                () -> "The rule " + rule.getClass().getName(),
                "it is not asked");
        return isKnown ? Objects.requireNonNullElse(verdict.get(), FAILED) : SILENT;
    }

    private Answer answer(Rule rule, PoolWindow window, Verdict verdict) {
        Finding finding = verdict.finding().orElse(null);
        if (finding == null || settings.isOff(finding.id())) {
            return new Answer(rule, finding == null ? verdict : Verdict.clear(), 0);
        }
        int windows = Rule.USUAL_WINDOWS_TO_RAISE;
        try {
            windows = rule.windowsToRaise(window);
        } catch (Throwable e) {
            guard.failed(rule, e);
        }
        return new Answer(rule, verdict, windows);
    }

    /**
     * What a rule says of one window.
     *
     * @param windowsToRaise for how many windows it must find the same; 0 when it finds nothing
     */
    record Answer(Rule rule, Verdict verdict, int windowsToRaise) {

        /** The same rule, which could not judge. */
        Answer unknown(String missing) {
            return new Answer(rule, Verdict.unknown(missing), windowsToRaise);
        }
    }

    private List<Rule> rulesOf(Rule rule, Map<Subject, List<Rule>> bySubject) {
        try {
            return Objects.requireNonNull(bySubject.get(rule.examines()));
        } catch (Throwable e) {
            guard.failed(rule, e);
            return Objects.requireNonNull(bySubject.get(Subject.POOL));
        }
    }

    private List<Rule> rulesFor(Subject subject) {
        return chosen.getOrDefault(subject, List.of());
    }

    /** {@return whether all rules come with the library, and so find nothing in a pool in which nothing happens} */
    boolean areStandard() {
        return areStandard;
    }

    /** {@return whether each chosen rule about pools was asked at least once, so that its code is loaded} */
    boolean hasAskedAll() {
        return asked.containsAll(rulesFor(Subject.POOL));
    }

    boolean examine(Subject subject) {
        return !rulesFor(subject).isEmpty();
    }

    Set<Evidence> needs(PoolWindow window) {
        Set<Evidence> needs = EnumSet.noneOf(Evidence.class);
        for (Rule rule : rulesFor(window.subject())) {
            try {
                needs.addAll(Set.copyOf(rule.needs(window)));
            } catch (Throwable e) {
                guard.failed(rule, e);
            }
        }
        return needs;
    }

    /**
     * Refuses the key of a threshold that no rule has. The monitor's rules count, including those not loaded yet, and
     * the standard ones, which users may add again. A key that was accepted once stays accepted. Any thread.
     */
    void checkThreshold(String key, double value) {
        if (settings.thresholds().containsKey(key) || thresholdKeys().contains(key)) {
            return;
        }
        find();
        SortedSet<String> keys = thresholdKeys();
        if (!keys.contains(key)) {
            throw new IllegalArgumentException("key must be one of a rule's thresholds: " + String.join(", ", keys)
                    + " (was \"" + key + "\", for the value " + value + ")");
        }
    }

    /** Refuses keys that are not this rule's. Any thread. */
    void checkThresholds(Rule rule, Set<String> keys) {
        SortedSet<String> known = thresholdKeys(Stream.of(rule));
        for (String key : keys) {
            if (!known.contains(key)) {
                throw new IllegalArgumentException("key must be one of the rule's thresholds: "
                        + String.join(", ", known) + " (was \"" + key + "\")");
            }
        }
    }

    private SortedSet<String> thresholdKeys() {
        return thresholdKeys(Stream.concat(StandardRules.all().stream(), settings.rules().stream()));
    }

    private SortedSet<String> thresholdKeys(Stream<Rule> rules) {
        SortedSet<String> keys = new TreeSet<>();
        rules.flatMap(rule -> guard.call(rule, Set.<Threshold>of(), () -> Set.copyOf(rule.thresholds())).stream())
                .forEach(threshold -> keys.add(threshold.key()));
        return keys;
    }

    private boolean isOn(Rule rule) {
        Set<String> ids = Set.of();
        try {
            ids = Set.copyOf(rule.ids());
        } catch (Throwable e) {
            guard.failed(rule, e);
        }
        return !settings.isOff(ids);
    }

    /**
     * Loads all rules. Not done when the monitor is made, because the thread that makes the first pool would pay for
     * it. Any thread.
     */
    synchronized void find() {
        if (found || !settings.discoversRules()) {
            return;
        }
        found = true;
        List<Rule> users = StandardRules.users(guard); // first, because this pass finds the standard ones, too
        settings.rules().addAll(0, StandardRules.all());
        settings.rules().addAll(users);
    }
}
