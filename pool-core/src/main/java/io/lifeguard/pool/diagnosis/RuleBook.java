package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.diagnosis.FindingLedger.Found;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Asks the rules that are switched on, whatever they throw. Confined to the monitor's thread, but for {@link #checkThreshold}. */
final class RuleBook {

    /** A class loader that cannot read fails for ever; a provider that cannot be loaded does not keep those after it from being found. */
    private static final int MOST_BROKEN = 100;

    private final MonitorSettings settings;
    private final Guard guard;
    private boolean discovered; // guarded by this

    RuleBook(MonitorSettings settings, Guard guard) {
        this.settings = settings;
        this.guard = guard;
    }

    /** What the rules find in a window, by id; where two make the same finding, the first one's. */
    Map<String, Found> examine(PoolWindow window) {
        discover();
        Map<String, Found> found = new LinkedHashMap<>();
        for (Rule rule : settings.rules()) {
            if (isOn(rule)) {
                Optional<Finding> finding = guard.call(rule, Optional.empty(), () -> rule.examine(window));
                finding.filter(seen -> !settings.isOff(seen.id()))
                        .ifPresent(seen -> found.putIfAbsent(seen.id(), found(rule, seen)));
            }
        }
        return found;
    }

    /** Whether any of them judges event loops. */
    boolean judgeEventLoops() {
        return settings.rules().stream().anyMatch(rule -> rule instanceof EventLoopRule && isOn(rule));
    }

    /** What the rules find in what an event loop was seen to do, by id. */
    Map<String, Found> examine(EventLoopLooks looks) {
        Map<String, Found> found = new LinkedHashMap<>();
        for (Rule rule : settings.rules()) {
            if (rule instanceof EventLoopRule judge && isOn(rule)) {
                judge.examine(looks, each -> settings.thresholds().getOrDefault(each.key(), each.value()))
                        .ifPresent(seen -> found.putIfAbsent(seen.id(), found(rule, seen)));
            }
        }
        return found;
    }

    /** What they would like to see in the next window. */
    Set<Evidence> needs(PoolWindow window) {
        Set<Evidence> needs = EnumSet.noneOf(Evidence.class);
        for (Rule rule : settings.rules()) {
            if (isOn(rule)) {
                needs.addAll(guard.call(rule, Set.<Evidence>of(), () -> Set.copyOf(rule.needs(window))));
            }
        }
        return needs;
    }

    /**
     * Refuses the key of a threshold that no rule has: of the monitor's rules, those that can be found included, and of the standard ones, which may
     * come back. One that was accepted once is always. Any thread.
     */
    void checkThreshold(String key, double value) {
        if (settings.thresholds().containsKey(key) || thresholdKeys().contains(key)) {
            return;
        }
        discover();
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

    /** Loads users' rules: here and not when the monitor is made, since that is done by whoever makes the first pool. */
    private synchronized void discover() {
        if (discovered || !settings.discoversRules()) {
            return;
        }
        discovered = true;
        Iterator<Rule> rules =
                ServiceLoader.load(Rule.class, RuleBook.class.getClassLoader()).iterator();
        for (int failures = 0; failures < MOST_BROKEN; ) {
            Next next = guard.call(rules, Next.BROKEN, () -> add(rules));
            if (next == Next.NONE) {
                return;
            }
            failures += next == Next.BROKEN ? 1 : 0;
        }
    }

    private Next add(Iterator<Rule> rules) {
        if (!rules.hasNext()) {
            return Next.NONE;
        }
        settings.rules().add(rules.next());
        return Next.ADDED;
    }

    private enum Next {
        ADDED,
        BROKEN,
        NONE
    }
}
