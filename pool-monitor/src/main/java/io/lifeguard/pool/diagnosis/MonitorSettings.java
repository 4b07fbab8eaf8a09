package io.lifeguard.pool.diagnosis;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a monitor that users may change while it runs. Thread-safe; a change holds from the next window on.
 */
final class MonitorSettings {

    private static final Duration SHORTEST = Duration.ofMillis(10); // twenty looks of it are 0.5 ms apart
    private static final Duration LONGEST = Duration.ofMinutes(10); // a history of it has ten hours

    static final String BLACK_BOX_PROPERTY = "lifeguard.black-box.directory";

    private static final Duration SHORTEST_REMINDER = Duration.ofSeconds(1); // findings change once in a usual window
    private static final Duration LONGEST_REMINDER = Duration.ofDays(1); // logs are often kept by the day
    private static final Duration LONGEST_USUAL_GRACE = Duration.ofSeconds(3); // code is loaded and compiled meanwhile
    private static final int GRACE_WINDOWS = 3; // short windows shorten the grace, so that tests are quick

    // Written by any user's thread. A stale read means one more window with the old contents.
    private final CopyOnWriteArrayList<Rule> rules = new CopyOnWriteArrayList<>();
    private final CopyOnWriteArrayList<FindingListener> listeners = new CopyOnWriteArrayList<>();
    private final Set<String> off = ConcurrentHashMap.newKeySet();
    private final Map<String, Double> thresholds = new ConcurrentHashMap<>();

    private volatile boolean discoversRules = true; // written before the monitor starts, so never stale

    // Written by any user's thread. A stale read means one more window with the old value.
    private volatile Duration window = Duration.ofSeconds(1);
    private volatile @Nullable Duration grace; // null until set
    private volatile Duration reminder = Duration.ofMinutes(1);
    private volatile @Nullable Path blackBox = fromProperty(); // null for no files

    MonitorSettings() {}

    /** A copy that changes independently. It has no thresholds, because its rules may not have all of them. */
    MonitorSettings(MonitorSettings other) {
        rules.addAll(other.rules);
        listeners.addAll(other.listeners);
        off.addAll(other.off);
        discoversRules = other.discoversRules;
        window = other.window;
        grace = other.grace;
        reminder = other.reminder;
        blackBox = other.blackBox;
    }

    private static @Nullable Path fromProperty() {
        String directory = System.getProperty(BLACK_BOX_PROPERTY, "");
        return directory.isBlank() ? null : Path.of(directory);
    }

    Duration window() {
        return window;
    }

    void window(Duration length) {
        window = between("window", SHORTEST, LONGEST, length);
    }

    private static Duration between(String name, Duration least, Duration most, Duration value) {
        if (Objects.requireNonNull(value, name + " must not be null").compareTo(least) < 0
                || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    name + " must be between " + least + " and " + most + " (was " + value + ")");
        }
        return value;
    }

    /** {@return what was set; otherwise three seconds, or three windows where these are shorter} */
    Duration grace() {
        Duration set = grace;
        Duration windows = window.multipliedBy(GRACE_WINDOWS);
        return set != null ? set : windows.compareTo(LONGEST_USUAL_GRACE) < 0 ? windows : LONGEST_USUAL_GRACE;
    }

    void grace(Duration length) {
        if (Objects.requireNonNull(length, "grace must not be null").isNegative()) {
            throw new IllegalArgumentException("grace must not be negative (was " + length + ")");
        }
        grace = length;
    }

    Duration reminder() {
        return reminder;
    }

    void reminder(Duration interval) {
        reminder = between("reminder", SHORTEST_REMINDER, LONGEST_REMINDER, interval);
    }

    /** {@return the directory for black boxes; null for no files} */
    @Nullable
    Path blackBox() {
        return blackBox;
    }

    void blackBox(@Nullable Path directory) {
        blackBox = directory;
    }

    void blackBoxFromProperty() {
        blackBox = fromProperty();
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
