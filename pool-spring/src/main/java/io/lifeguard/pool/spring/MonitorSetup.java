package io.lifeguard.pool.spring;

import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Threshold;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Tells the monitor of this JVM what the properties say, and adds the rules and listeners that are beans; takes all that back when the context closes.
 * Thread-safe: the monitor may start later than the context, in a thread of its own.
 */
final class MonitorSetup implements SmartInitializingSingleton, DisposableBean {

    private static final Duration USUAL_WINDOW = Duration.ofSeconds(1);
    private static final Duration USUAL_REMINDER = Duration.ofMinutes(1);

    private final LifeguardProperties properties;
    private final ObjectProvider<Rule> ruleBeans;
    private final ObjectProvider<FindingListener> listenerBeans;

    // Guarded by this.
    private List<Rule> rules = List.of();
    private List<FindingListener> listeners = List.of();
    private Map<String, Double> thresholds = Map.of();
    private Map<String, Boolean> switched = Map.of();
    private boolean isTold; // the monitor was
    private boolean isOver; // the context has closed

    MonitorSetup(
            LifeguardProperties properties,
            ObjectProvider<Rule> ruleBeans,
            ObjectProvider<FindingListener> listenerBeans) {
        this.properties = properties;
        this.ruleBeans = ruleBeans;
        this.listenerBeans = listenerBeans;
    }

    /**
     * Applies the properties.
     *
     * @throws BadPropertyException at a finding or a threshold that no rule knows
     */
    @Override
    public synchronized void afterSingletonsInstantiated() {
        rules = ruleBeans.orderedStream().toList();
        if (!properties.rules().isEmpty() || !properties.thresholds().isEmpty()) {
            List<Rule> all = Stream.concat(PoolMonitor.standardRules().stream(), rules.stream())
                    .toList();
            switched = switchedIds(all);
            thresholds = changedThresholds(all);
        }
        if (GlobalMonitor.isOn()) {
            listeners = listenerBeans.orderedStream().toList();
            GlobalMonitor.ifOn(this::tell);
        }
    }

    private synchronized void tell(PoolMonitor monitor) {
        if (isOver) {
            return;
        }
        isTold = true;
        monitor.window(properties.window());
        monitor.reminder(properties.logReminder());
        rules.forEach(monitor::addRule);
        listeners.forEach(monitor::addListener);
        switched.forEach((id, on) -> switchTo(monitor, id, on));
        thresholds.forEach(monitor::threshold);
    }

    @Override
    public synchronized void destroy() {
        isOver = true;
        if (!isTold) {
            return;
        }
        PoolMonitor monitor = PoolMonitor.global();
        monitor.window(USUAL_WINDOW);
        monitor.reminder(USUAL_REMINDER);
        switched.keySet().forEach(monitor::switchOn);
        Map<String, Double> defaults = defaults(Stream.concat(PoolMonitor.standardRules().stream(), rules.stream())
                .toList());
        thresholds.keySet().forEach(key -> monitor.threshold(key, defaults.getOrDefault(key, 0.0)));
        rules.forEach(monitor::removeRule);
        listeners.forEach(monitor::removeListener);
    }

    private static void switchTo(PoolMonitor monitor, String id, boolean on) {
        if (on) {
            monitor.switchOn(id);
        } else {
            monitor.switchOff(id);
        }
    }

    /**
     * By the rules' own ids; properties may be written in any way that Boot relaxes. Rules that do not say what they find may find anything, and so make
     * every id a good one.
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
        properties.thresholds().forEach((written, value) -> {
            String key = known.stream()
                    .filter(candidate -> Words.uniform(candidate).equals(Words.uniform(written)))
                    .findFirst()
                    .orElseThrow(() -> new BadPropertyException(
                            "lifeguard.thresholds." + written,
                            value,
                            "end with the key of a threshold",
                            "Choose one of " + String.join(", ", known) + "."));
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
