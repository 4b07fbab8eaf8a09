package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.diagnosis.FindingLedger.Found;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;

/** Asks the rules that are switched on, whatever they throw. Confined to the monitor's thread. */
final class RuleBook {

    /** A class loader that cannot read fails for ever; a provider that cannot be loaded does not keep those after it from being found. */
    private static final int MOST_BROKEN = 100;

    private final MonitorSettings settings;
    private final Guard guard;
    private boolean discovered;

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

    private boolean isOn(Rule rule) {
        return !settings.isOff(guard.call(rule, Set.<String>of(), () -> Set.copyOf(rule.ids())));
    }

    private Found found(Rule rule, Finding finding) {
        return new Found(finding, guard.call(rule, 3, rule::windowsToRaise));
    }

    /** Loads users' rules: here and not when the monitor is made, since that is done by whoever makes the first pool. */
    private void discover() {
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
