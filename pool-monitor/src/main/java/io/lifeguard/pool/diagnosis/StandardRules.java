package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.text.UserCode;
import java.util.List;
import java.util.ServiceLoader;

/**
 * Loads rules by {@link ServiceLoader}: those that come with the library, and users'. Stateless.
 *
 * <p>The library's own rules are loaded like a user's, so the public API of rules is all that a rule needs.
 */
final class StandardRules {

    private static final String PACKAGE = "io.lifeguard.pool.diagnosis.rules";

    private StandardRules() {}

    /**
     * {@return the rules that come with the library, always the same objects} The first call loads them, which takes
     * some milliseconds.
     */
    static List<Rule> all() {
        return Loaded.RULES;
    }

    /** {@return whether a rule comes with the library} */
    static boolean isStandard(Rule rule) {
        Class<?> type = rule.getClass();
        return type.getPackageName().equals(PACKAGE) && type.getClassLoader() == StandardRules.class.getClassLoader();
    }

    /**
     * {@return all rules that can be loaded, in new objects}
     *
     * @param guard is told of each provider that cannot be loaded
     */
    static List<Rule> find(UserCode guard) {
        return guard.loadAll(ServiceLoader.load(Rule.class, StandardRules.class.getClassLoader()));
    }

    private static final class Loaded {
        static final List<Rule> RULES = load();

        private static List<Rule> load() {
            // A user's broken rule is logged by the monitor that looks for users' rules.
            List<Rule> rules = find(new UserCode((who, failure) -> {})).stream()
                    .filter(StandardRules::isStandard)
                    .toList();
            if (rules.isEmpty()) {
                LogLines.MONITOR.write(log -> log.warn(
                        "The standard rules are missing, so nothing will be found: a tool that merged jars has dropped"
                                + " META-INF/services/{}. Merge such files, for instance by maven-shade's"
                                + " ServicesResourceTransformer",
                        Rule.class.getName()));
            }
            return rules;
        }
    }
}
