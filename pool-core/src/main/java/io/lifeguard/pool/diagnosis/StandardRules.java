package io.lifeguard.pool.diagnosis;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds rules by {@link ServiceLoader}: those that come with the library, and users'. Stateless.
 *
 * <p>The library's own rules are found in the same way as a user's, so the public API of rules is all that a rule needs.
 */
final class StandardRules {

    private static final String PACKAGE = "io.lifeguard.pool.diagnosis.rules";

    /** A class loader that cannot read fails forever. A single provider that cannot be loaded does not hide those after it. */
    private static final int MOST_BROKEN = 100;

    private StandardRules() {}

    /** The rules that come with the library; always the same objects. The first call loads them, which takes some milliseconds. */
    static List<Rule> all() {
        return Loaded.RULES;
    }

    /** Whether a rule comes with the library. */
    static boolean isStandard(Rule rule) {
        Class<?> type = rule.getClass();
        return type.getPackageName().equals(PACKAGE) && type.getClassLoader() == StandardRules.class.getClassLoader();
    }

    /**
     * All rules that can be found, in new objects.
     *
     * @param failed is told of each provider that cannot be loaded
     */
    static List<Rule> find(Consumer<Throwable> failed) {
        Iterator<Rule> rules = ServiceLoader.load(Rule.class, StandardRules.class.getClassLoader())
                .iterator();
        List<Rule> found = new ArrayList<>();
        for (int failures = 0; failures < MOST_BROKEN; ) {
            try {
                if (!rules.hasNext()) {
                    break;
                }
                found.add(rules.next());
            } catch (Throwable failure) {
                failed.accept(failure);
                failures++;
            }
        }
        return found;
    }

    private static final class Loaded {
        private static final Logger LOG = LoggerFactory.getLogger("io.lifeguard.pool.diagnosis");

        static final List<Rule> RULES = load();

        private static List<Rule> load() {
            // A user's broken rule is logged by the monitor that looks for users' rules.
            List<Rule> rules = find(failure -> {}).stream()
                    .filter(StandardRules::isStandard)
                    .toList();
            if (rules.isEmpty()) {
                LOG.warn(
                        "The standard rules are missing, so nothing will be found: a tool that merged jars has dropped"
                                + " META-INF/services/{}. Merge such files, for instance by maven-shade's ServicesResourceTransformer",
                        Rule.class.getName());
            }
            return rules;
        }
    }
}
