package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.diagnosis.FindingLedger.Found;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.Threshold;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Asks the rules that are switched on, and survives what they throw. Confined to the monitor's thread, except
 * {@link #checkThreshold} and {@link #find}.
 */
final class RuleBook {

    private static final Verdict FAILED = Verdict.unknown("the rule threw, or returned null");

    private final MonitorSettings settings;
    private final Guard guard;
    private boolean found; // guarded by this; from false to true

    RuleBook(MonitorSettings settings, Guard guard) {
        this.settings = settings;
        this.guard = guard;
    }

    /** {@return what the rules find in a window, by id; where two rules make the same finding, the first one's} */
    Map<String, Found> examine(PoolWindow window) {
        find();
        Map<String, Found> found = new LinkedHashMap<>();
        for (Rule rule : rulesFor(window)) {
            Verdict verdict = guard.call(rule, FAILED, () -> rule.examine(window));
            verdict.finding()
                    .filter(seen -> !settings.isOff(seen.id()))
                    .ifPresent(seen -> found.putIfAbsent(seen.id(), found(rule, seen)));
        }
        return found;
    }

    /** {@return the rules that are switched on and examine such a window: of a pool, or of an event loop} */
    private List<Rule> rulesFor(PoolWindow window) {
        return settings.rules().stream()
                .filter(rule -> isOn(rule)
                        && examinesEventLoops(rule) == window.eventLoop().isPresent())
                .toList();
    }

    /** {@return whether any rule examines event loops} */
    boolean examineEventLoops() {
        find();
        return settings.rules().stream().anyMatch(rule -> examinesEventLoops(rule) && isOn(rule));
    }

    private boolean examinesEventLoops(Rule rule) {
        return guard.call(rule, false, rule::examinesEventLoops);
    }

    /** {@return the evidence that the rules want for the next window} */
    Set<Evidence> needs(PoolWindow window) {
        Set<Evidence> needs = EnumSet.noneOf(Evidence.class);
        for (Rule rule : rulesFor(window)) {
            needs.addAll(guard.call(rule, Set.<Evidence>of(), () -> Set.copyOf(rule.needs(window))));
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

    private SortedSet<String> thresholdKeys() {
        SortedSet<String> keys = new TreeSet<>();
        Stream.concat(StandardRules.all().stream(), settings.rules().stream())
                .flatMap(rule -> guard.call(rule, Set.<Threshold>of(), () -> Set.copyOf(rule.thresholds())).stream())
                .forEach(threshold -> keys.add(threshold.key()));
        return keys;
    }

    private boolean isOn(Rule rule) {
        return !settings.isOff(guard.call(rule, Set.<String>of(), () -> Set.copyOf(rule.ids())));
    }

    private Found found(Rule rule, Finding finding) {
        return new Found(finding, guard.call(rule, 3, rule::windowsToRaise));
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
        List<Rule> users = StandardRules.find(guard).stream()
                .filter(rule -> !StandardRules.isStandard(rule))
                .toList();
        settings.rules().addAll(0, StandardRules.all());
        settings.rules().addAll(users);
    }
}
