package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.diagnosis.log.LogLines;
import io.lifeguard.pool.text.UserCode;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Loads rules by {@link ServiceLoader}: those that come with the library, and users'. Stateless.
 *
 * <p>The library's own rules are loaded like a user's, so the public API of rules is all that a rule needs.
 */
final class StandardRules {

    private static final String PACKAGE = "io.lifeguard.pool.diagnosis.rules";

    // Guarded by the class; null until a caller has asked. No static initialiser: one that fails once fails forever.
    private static @Nullable List<Rule> standard;

    private StandardRules() {}

    /**
     * {@return the rules that come with the library, always the same objects} The first call loads them, which takes
     * some milliseconds.
     */
    static synchronized List<Rule> all() {
        List<Rule> known = standard;
        // A user's broken rule is logged by the monitor that looks for users' rules.
        return known == null ? keepStandard(find(new Silent())) : known;
    }

    /**
     * {@return users' rules, in new objects} One pass finds them and those of the library, unless these are known.
     *
     * @param guard is told of each provider that cannot be loaded
     */
    static synchronized List<Rule> users(UserCode guard) {
        List<Rule> found = find(guard);
        if (standard == null) {
            keepStandard(found);
        }
        List<Rule> users = new ArrayList<>();
        for (Rule rule : found) {
            if (!isStandard(rule)) {
                users.add(rule);
            }
        }
        return users;
    }

    static boolean isStandard(Rule rule) {
        Class<?> type = rule.getClass();
        return type.getPackageName().equals(PACKAGE) && type.getClassLoader() == StandardRules.class.getClassLoader();
    }

    private static List<Rule> find(UserCode guard) {
        return guard.loadAll(ServiceLoader.load(Rule.class, StandardRules.class.getClassLoader()));
    }

    private static List<Rule> keepStandard(List<Rule> found) {
        List<Rule> rules = new ArrayList<>();
        for (Rule rule : found) {
            if (isStandard(rule)) {
                rules.add(rule);
            }
        }
        if (rules.isEmpty()) {
            LogLines.MONITOR.write(log -> log.warn(
                    "The standard rules are missing, so nothing will be found: a tool that merged jars has dropped"
                            + " META-INF/services/{}. Merge such files, for instance by maven-shade's"
                            + " ServicesResourceTransformer",
                    Rule.class.getName()));
        }
        List<Rule> kept = List.copyOf(rules);
        standard = kept;
        return kept;
    }

    private static final class Silent extends UserCode {
        @Override
        protected void report(String who, Throwable failure) {}
    }
}
