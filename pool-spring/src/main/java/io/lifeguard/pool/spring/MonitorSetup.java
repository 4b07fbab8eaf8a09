package io.lifeguard.pool.spring;

import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.window.Threshold;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Tells the monitor of this JVM what the properties say, and of the rules and listeners that are beans; takes all that back when the
 * context closes. Thread-safe: the monitor may start later than the context, in a thread of its own.
 */
final class MonitorSetup implements SmartInitializingSingleton, DisposableBean {

    private final LifeguardProperties properties;
    private final ObjectProvider<Rule> ruleBeans;
    private final ObjectProvider<FindingListener> listenerBeans;
    private final Environment environment;

    // Guarded by this.
    private @Nullable PoolMonitor told; // null before the monitor was
    private boolean isOver; // the context has closed

    MonitorSetup(
            LifeguardProperties properties,
            ObjectProvider<Rule> ruleBeans,
            ObjectProvider<FindingListener> listenerBeans,
            Environment environment) {
        this.properties = properties;
        this.ruleBeans = ruleBeans;
        this.listenerBeans = listenerBeans;
        this.environment = environment;
    }

    /**
     * Applies the properties.
     *
     * @throws BadPropertyException at a finding or a threshold that no rule knows
     */
    @Override
    public void afterSingletonsInstantiated() {
        List<Rule> added = ruleBeans.orderedStream().toList();
        Map<String, Boolean> switched = Map.of();
        Map<String, Double> changed = Map.of();
        Map<String, Double> defaults = Map.of();
        if (!properties.rules().isEmpty() || !properties.thresholds().isEmpty()) {
            List<Rule> all = Stream.concat(PoolMonitor.standardRules().stream(), added.stream())
                    .toList();
            switched = switchedIds(all);
            changed = changedThresholds(all);
            defaults = defaults(all);
        }
        if (GlobalMonitor.isOn()) {
            MonitorWishes.Wish wish = new MonitorWishes.Wish(
                    isSet("window") ? properties.window() : null,
                    isSet("log-reminder") ? properties.logReminder() : null,
                    added,
                    listenerBeans.orderedStream().toList(),
                    switched,
                    changed,
                    defaults);
            GlobalMonitor.ifOn(monitor -> tell(monitor, wish));
        }
    }

    private synchronized void tell(PoolMonitor monitor, MonitorWishes.Wish wish) {
        if (!isOver) {
            told = monitor;
            MonitorWishes.add(monitor, this, wish);
        }
    }

    @Override
    public synchronized void destroy() {
        isOver = true;
        if (told != null) {
            MonitorWishes.remove(told, this);
        }
    }

    /** Whoever says nothing wants no default, which might be against another context's wish. */
    private boolean isSet(String property) {
        return EarlyProperties.isAnySet(environment)
                && Binder.get(environment)
                        .bind(LifeguardProperties.PREFIX + "." + property, Object.class)
                        .isBound();
    }

    /**
     * By the rules' own ids; properties may be written in any way that Boot relaxes. Rules that do not say what they find may find
     * anything, and so make every id a good one.
     */
    private Map<String, Boolean> switchedIds(List<Rule> all) {
        Map<String, Boolean> ids = new TreeMap<>();
        Set<String> known = new TreeSet<>();
        all.forEach(rule -> known.addAll(rule.ids()));
        boolean anyIsGood = all.stream().anyMatch(rule -> rule.ids().isEmpty());
        properties.rules().forEach((written, on) -> {
            Optional<String> id = known.stream()
                    .filter(candidate -> Words.uniform(candidate).equals(Words.uniform(written)))
                    .findFirst();
            if (id.isEmpty() && !anyIsGood) {
                throw new BadPropertyException(
                        "lifeguard.rules." + written,
                        on,
                        "end with the id of a finding",
                        "Choose one of " + String.join(", ", known) + ".");
            }
            ids.put(id.orElse(written), on);
        });
        return ids;
    }

    /** By the rules' own keys; properties may be written in any way that Boot relaxes. */
    private Map<String, Double> changedThresholds(List<Rule> all) {
        Map<String, Double> changed = new TreeMap<>();
        Set<String> known = defaults(all).keySet();
        Map<String, Threshold> standard = PoolMonitor.standardRules().stream()
                .flatMap(rule -> rule.thresholds().stream())
                .collect(Collectors.toMap(Threshold::key, Function.identity(), (one, same) -> one));
        properties.thresholds().forEach((written, value) -> {
            String key = known.stream()
                    .filter(candidate -> Words.uniform(candidate).equals(Words.uniform(written)))
                    .findFirst()
                    .orElseThrow(() -> new BadPropertyException(
                            "lifeguard.thresholds." + written,
                            value,
                            "end with the key of a threshold",
                            "Choose one of " + String.join(", ", known) + "."));
            Threshold ours = standard.get(key); // what a user's rule compares with may be any number
            if (ours != null) {
                PropertyChecks.checkAmount("lifeguard.thresholds." + written, value, ours);
            }
            changed.put(key, value);
        });
        return changed;
    }

    private static Map<String, Double> defaults(List<Rule> all) {
        Map<String, Double> defaults = new TreeMap<>();
        all.forEach(rule ->
                rule.thresholds().forEach((Threshold threshold) -> defaults.put(threshold.key(), threshold.value())));
        return defaults;
    }
}
