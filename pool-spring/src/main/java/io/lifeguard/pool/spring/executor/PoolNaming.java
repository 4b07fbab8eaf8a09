package io.lifeguard.pool.spring.executor;

import org.jspecify.annotations.Nullable;

/** Names pools after their beans. Stateless. */
final class PoolNaming {

    private static final String SCOPED_TARGET = "scopedTarget.";

    private PoolNaming() {}

    /** The name of the bean; for an executor that is no bean, the prefix of its threads' names. */
    static String nameOf(@Nullable String beanName, @Nullable String threadNamePrefix) {
        if (beanName != null && !beanName.isBlank()) {
            return ofBean(beanName);
        }
        String prefix = threadNamePrefix == null ? "" : threadNamePrefix;
        String name = prefix.endsWith("-") ? prefix.substring(0, prefix.length() - 1) : prefix;
        return name.isBlank() ? "taskExecutor" : name;
    }

    /** The name that users know: the name of a scoped proxy, not the name of its target. */
    static String ofBean(String beanName) {
        return beanName.startsWith(SCOPED_TARGET) ? beanName.substring(SCOPED_TARGET.length()) : beanName;
    }
}
