package io.lifeguard.pool.spring;

import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.Rule;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the contexts of this JVM want of its one monitor, each for as long as it lives. What several want, as a rule that a child context
 * has from its parent, is there once, and until the last of them closes; where they want different things, the one that came last has its
 * way. Thread-safe.
 */
final class MonitorWishes {

    private static final Duration USUAL_WINDOW = Duration.ofSeconds(1);
    private static final Duration USUAL_REMINDER = Duration.ofMinutes(1);

    /** By who wishes, in the order in which they came. */
    private static final Map<Object, Wish> ALL = new LinkedHashMap<>(); // guarded by the class

    private MonitorWishes() {}

    /**
     * What one context wants. Immutable.
     *
     * @param window how long windows are, null if it does not matter
     * @param reminder how often the log is reminded, null if it does not matter
     * @param rules to be asked
     * @param listeners to be told
     * @param switched which findings are made, by id
     * @param thresholds what rules compare with, by key
     * @param defaults what they compare with when nobody wants otherwise
     */
    record Wish(
            @Nullable Duration window,
            @Nullable Duration reminder,
            List<Rule> rules,
            List<FindingListener> listeners,
            Map<String, Boolean> switched,
            Map<String, Double> thresholds,
            Map<String, Double> defaults) {}

    static synchronized void add(PoolMonitor monitor, Object whose, Wish wish) {
        if (wish.window() != null) {
            monitor.window(wish.window());
        }
        if (wish.reminder() != null) {
            monitor.reminder(wish.reminder());
        }
        wish.rules().stream().filter(rule -> nobodyWants(rule, Wish::rules)).forEach(monitor::addRule);
        wish.listeners().stream()
                .filter(listener -> nobodyWants(listener, Wish::listeners))
                .forEach(monitor::addListener);
        wish.switched().forEach((id, on) -> switchTo(monitor, id, on));
        wish.thresholds().forEach(monitor::threshold);
        ALL.put(whose, wish);
    }

    /** Takes back what nobody else wants. Nothing happens if there is no such wish. */
    static synchronized void remove(PoolMonitor monitor, Object whose) {
        Wish wish = ALL.remove(whose);
        if (wish == null) {
            return;
        }
        if (wish.window() != null) {
            monitor.window(last(Wish::window, USUAL_WINDOW));
        }
        if (wish.reminder() != null) {
            monitor.reminder(last(Wish::reminder, USUAL_REMINDER));
        }
        wish.switched()
                .keySet()
                .forEach(id ->
                        switchTo(monitor, id, last(other -> other.switched().get(id), true)));
        wish.thresholds().keySet().forEach(key -> {
            double usual = wish.defaults().getOrDefault(key, 0.0);
            monitor.threshold(key, last(other -> other.thresholds().get(key), usual));
        });
        wish.rules().stream().filter(rule -> nobodyWants(rule, Wish::rules)).forEach(monitor::removeRule);
        wish.listeners().stream()
                .filter(listener -> nobodyWants(listener, Wish::listeners))
                .forEach(monitor::removeListener);
    }

    /** What the last one wants of those that want anything. */
    private static <T> T last(Function<Wish, @Nullable T> what, T otherwise) {
        T last = otherwise;
        for (Wish wish : ALL.values()) {
            T wanted = what.apply(wish);
            last = wanted == null ? last : wanted;
        }
        return last;
    }

    private static boolean nobodyWants(Object one, Function<Wish, List<?>> what) {
        return ALL.values().stream().flatMap(wish -> what.apply(wish).stream()).noneMatch(other -> other == one);
    }

    private static void switchTo(PoolMonitor monitor, String id, boolean on) {
        if (on) {
            monitor.switchOn(id);
        } else {
            monitor.switchOff(id);
        }
    }
}
