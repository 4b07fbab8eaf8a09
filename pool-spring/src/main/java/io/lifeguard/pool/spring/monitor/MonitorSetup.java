package io.lifeguard.pool.spring.monitor;

import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.spring.monitor.MonitorRequests.Request;
import io.lifeguard.pool.spring.properties.LifeguardBinding;
import io.lifeguard.pool.spring.properties.LifeguardProperties;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.Environment;

/**
 * Passes a context's properties, and its beans of type {@link Rule} and {@link FindingListener}, to the monitor of this
 * JVM. Withdraws them when the context closes. Thread-safe: the monitor may start after the context, in another thread.
 */
public final class MonitorSetup implements SmartInitializingSingleton, DisposableBean {

    private final LifeguardProperties properties;
    private final ObjectProvider<Rule> ruleBeans;
    private final ObjectProvider<FindingListener> listenerBeans;
    private final Environment environment;

    // Guarded by this.
    private @Nullable PoolMonitor monitor; // null before the requests were passed
    private boolean isClosed; // the context has closed

    /** For the autoconfiguration. */
    public MonitorSetup(
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
     * Passes the requests to the monitor.
     *
     * @throws org.springframework.boot.context.properties.bind.BindException if no rule has such a finding or threshold
     */
    @Override
    public void afterSingletonsInstantiated() {
        List<Rule> added = ruleBeans.orderedStream().toList();
        List<Rule> all = new ArrayList<>(added);
        if (!properties.rules().isEmpty() || !properties.thresholds().isEmpty()) {
            all.addAll(PoolMonitor.standardRules()); // loading them takes time, which most applications can save
        }
        List<Request> requests = new ArrayList<>();
        addSettings(requests);
        addSwitches(requests, all); // before the rules, so that a rule does not find anything meanwhile
        Map<Threshold, Double> thresholds = thresholds(all);
        for (Rule rule : added) {
            requests.add(ofRule(rule, thresholds));
        }
        for (Map.Entry<Threshold, Double> threshold : thresholds.entrySet()) { // after their rules
            requests.add(ofThreshold(threshold.getKey(), threshold.getValue()));
        }
        for (FindingListener listener : listenerBeans.orderedStream().toList()) {
            requests.add(new Request(
                    List.of("listener", listener),
                    true,
                    to -> to.addListener(listener),
                    to -> to.removeListener(listener)));
        }
        if (!requests.isEmpty()) { // of most applications: no lambda is linked at their start
            GlobalMonitor.ifOn(to -> pass(to, requests));
        }
    }

    private synchronized void pass(PoolMonitor to, List<Request> requests) {
        if (!isClosed) {
            monitor = to;
            MonitorRequests.set(to, this, requests);
        }
    }

    @Override
    public synchronized void destroy() {
        isClosed = true;
        if (monitor != null) {
            MonitorRequests.set(monitor, this, List.of());
        }
    }

    /** A property that is not set requests nothing: its default must not override the request of another context. */
    private void addSettings(List<Request> requests) {
        if (LifeguardBinding.isSet(environment, "lifeguard.window")) {
            Duration window = properties.window();
            Duration usual = LifeguardProperties.DEFAULTS.window();
            requests.add(new Request("window", window, to -> to.window(window), to -> to.window(usual)));
        }
        if (LifeguardBinding.isSet(environment, "lifeguard.log-reminder")) {
            Duration reminder = properties.logReminder();
            Duration usual = LifeguardProperties.DEFAULTS.logReminder();
            requests.add(new Request("reminder", reminder, to -> to.reminder(reminder), to -> to.reminder(usual)));
        }
        Path directory = properties.blackBox().directory();
        if (directory != null) {
            requests.add(new Request(
                    "black-box", directory, to -> to.blackBox(directory), PoolMonitor::blackBoxFromProperty));
        }
    }

    private void addSwitches(List<Request> requests, List<Rule> rules) {
        if (properties.rules().isEmpty()) {
            return;
        }
        Set<String> known = new TreeSet<>();
        rules.forEach(rule -> known.addAll(rule.ids()));
        // a user's rule may not list its ids
        boolean anyIdIsGood = rules.stream().anyMatch(rule -> rule.ids().isEmpty());
        properties.rules().forEach((written, on) -> {
            String id = find(written, known);
            if (id == null && !anyIdIsGood) {
                throw reject("rules." + written, "must end with the id of a finding: " + String.join(", ", known));
            }
            String found = id == null ? written : id;
            Consumer<PoolMonitor> switchOn = to -> to.switchOn(found);
            requests.add(new Request(List.of("id", found), on, on ? switchOn : to -> to.switchOff(found), switchOn));
        });
    }

    /** A rule that had its numbers only after it was added would find something with its own meanwhile. */
    private static Request ofRule(Rule rule, Map<Threshold, Double> thresholds) {
        Map<String, Double> own = new TreeMap<>();
        thresholds.forEach((threshold, value) -> own.put(threshold.key(), value));
        own.keySet().retainAll(rule.thresholds().stream().map(Threshold::key).toList());
        return new Request(List.of("rule", rule), true, to -> to.addRule(rule, own), to -> to.removeRule(rule));
    }

    private static Request ofThreshold(Threshold threshold, double value) {
        String key = threshold.key();
        return new Request(
                List.of("threshold", key),
                value,
                to -> to.threshold(key, value),
                to -> to.threshold(key, threshold.value()));
    }

    /** {@return the values that the properties set} */
    private Map<Threshold, Double> thresholds(List<Rule> rules) {
        if (properties.thresholds().isEmpty()) {
            return Map.of();
        }
        Map<String, Threshold> known = new TreeMap<>();
        rules.forEach(rule -> rule.thresholds().forEach(threshold -> known.put(threshold.key(), threshold)));
        Map<Threshold, Double> values = new LinkedHashMap<>();
        properties.thresholds().forEach((written, value) -> {
            String key = find(written, known.keySet());
            if (key == null) {
                String keys = String.join(", ", known.keySet());
                throw reject("thresholds." + written, "must end with the key of a threshold: " + keys);
            }
            Threshold threshold = Objects.requireNonNull(known.get(key));
            checkThreshold(written, value, threshold);
            values.put(threshold, value);
        });
        return values;
    }

    /**
     * The thresholds of the standard rules are amounts, and shares where their meaning says so. A user's may be any
     * number.
     */
    private void checkThreshold(String written, double value, Threshold threshold) {
        boolean isStandard = PoolMonitor.standardRules().stream()
                .anyMatch(rule -> rule.thresholds().contains(threshold));
        boolean isShare = threshold.meaning().contains("0 to 1");
        if (!Double.isFinite(value)) {
            throw reject("thresholds." + written, "must be a finite number, for instance " + threshold.value());
        } else if (isStandard && (value < 0 || (isShare && value > 1))) {
            String bounds = isShare ? "must be between 0 and 1" : "must not be negative";
            throw reject("thresholds." + written, bounds + "; the default is " + threshold.value());
        }
    }

    /** Compares as Boot does: an environment variable has neither dashes nor small letters. Null if none is equal. */
    private static @Nullable String find(String written, Set<String> known) {
        ConfigurationPropertyName name = ConfigurationPropertyName.adapt(written, '.');
        return known.stream()
                .filter(each -> ConfigurationPropertyName.adapt(each, '.').equals(name))
                .findFirst()
                .orElse(null);
    }

    private IllegalStateException reject(String key, String reason) {
        return LifeguardBinding.reject(environment, LifeguardProperties.PREFIX + "." + key, reason);
    }
}
