package io.lifeguard.pool.spring;

import org.jspecify.annotations.Nullable;

/** What pools are called. Stateless. */
final class PoolNaming {

    private static final String SCOPED_TARGET = "scopedTarget.";

    private PoolNaming() {}

    /** The bean's name; of an executor that is no bean the prefix of its threads' names. */
    static String nameOf(@Nullable String beanName, @Nullable String threadNamePrefix) {
        if (beanName != null && !beanName.isBlank()) {
            return ofBean(beanName);
        }
        String prefix = threadNamePrefix == null ? "" : threadNamePrefix;
        String name = prefix.endsWith("-") ? prefix.substring(0, prefix.length() - 1) : prefix;
        return name.isBlank() ? "taskExecutor" : name;
    }

    /** The name by which users know a bean: that of the scoped proxy, not that of its target. */
    static String ofBean(String beanName) {
        return beanName.startsWith(SCOPED_TARGET) ? beanName.substring(SCOPED_TARGET.length()) : beanName;
    }
}
