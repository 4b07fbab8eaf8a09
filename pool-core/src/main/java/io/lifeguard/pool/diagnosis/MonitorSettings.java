package io.lifeguard.pool.diagnosis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** What users may change about a monitor while it runs. Thread-safe; a change holds from the next window on. */
final class MonitorSettings {

    private static final Duration SHORTEST = Duration.ofMillis(10);
    private static final Duration LONGEST = Duration.ofMinutes(10);
    private static final Duration SHORTEST_REMINDER = Duration.ofSeconds(1);
    private static final Duration LONGEST_REMINDER = Duration.ofDays(1);

    private final CopyOnWriteArrayList<Rule> rules = new CopyOnWriteArrayList<>();
    private final CopyOnWriteArrayList<FindingListener> listeners = new CopyOnWriteArrayList<>();
    private final Set<String> off = ConcurrentHashMap.newKeySet();
    private final Map<String, Double> thresholds = new ConcurrentHashMap<>();

    private volatile boolean discoversRules = true; // written before the monitor starts
    private volatile Duration window =
            Duration.ofSeconds(1); // written by users; a stale read is one more window of the old length
    private volatile int grace = 3; // the same
    private volatile Duration reminder = Duration.ofMinutes(1); // the same

    MonitorSettings() {}

    /** A copy, which changes for itself; without the thresholds, of which its rules may not have all. */
    MonitorSettings(MonitorSettings other) {
        rules.addAll(other.rules);
        listeners.addAll(other.listeners);
        off.addAll(other.off);
        discoversRules = other.discoversRules;
        window = other.window;
        grace = other.grace;
        reminder = other.reminder;
    }

    Duration window() {
        return window;
    }

    void window(Duration length) {
        if (Objects.requireNonNull(length, "window must not be null").compareTo(SHORTEST) < 0
                || length.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "window must be between " + SHORTEST + " and " + LONGEST + " (was " + length + ")");
        }
        window = length;
    }

    int grace() {
        return grace;
    }

    void grace(int windows) {
        if (windows < 0) {
            throw new IllegalArgumentException("grace must be >= 0 (was " + windows + ")");
        }
        grace = windows;
    }

    Duration reminder() {
        return reminder;
    }

    void reminder(Duration interval) {
        if (Objects.requireNonNull(interval, "reminder must not be null").compareTo(SHORTEST_REMINDER) < 0
                || interval.compareTo(LONGEST_REMINDER) > 0) {
            throw new IllegalArgumentException("reminder must be between " + SHORTEST_REMINDER + " and "
                    + LONGEST_REMINDER + " (was " + interval + ")");
        }
        reminder = interval;
    }

    boolean discoversRules() {
        return discoversRules;
    }

    void discoversRules(boolean does) {
        discoversRules = does;
    }

    List<Rule> rules() {
        return rules;
    }

    List<FindingListener> listeners() {
        return listeners;
    }

    boolean isOff(String id) {
        return off.contains(id);
    }

    boolean isOff(Set<String> ids) {
        return !ids.isEmpty() && off.containsAll(ids);
    }

    void switchOff(String id) {
        off.add(id);
    }

    void switchOn(String id) {
        off.remove(id);
    }

    Map<String, Double> thresholds() {
        return thresholds;
    }

    void threshold(String key, double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("value of " + key + " must be finite (was " + value + ")");
        }
        thresholds.put(key, value);
    }
}
