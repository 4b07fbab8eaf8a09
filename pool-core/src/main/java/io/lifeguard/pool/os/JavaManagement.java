package io.lifeguard.pool.os;

import javax.management.MBeanServerFactory;

/** The JDK's module {@code java.management}, which a runtime that {@code jlink} made may lack. Stateless. */
public final class JavaManagement {

    /** What is wrong without it, and what to do. */
    public static final String MISSING = "Pools are measured, but not watched: this Java runtime has no module"
            + " java.management. Add it: 'jlink --add-modules java.management,...', or"
            + " 'java --add-modules java.management' where the runtime has it. -Dlifeguard.monitor=off ends this warning.";

    private JavaManagement() {}

    public static boolean isPresent() {
        return ModuleLayer.boot().findModule("java.management").isPresent();
    }

    /**
     * {@return whether there is a server of MBeans, as a JMX client makes one} The first question loads some classes.
     */
    public static boolean hasServer() {
        try {
            return !MBeanServerFactory.findMBeanServer(null).isEmpty();
        } catch (LinkageError | RuntimeException ignored) { // no such module, or nobody may ask: so there is none
            return false;
        }
    }
}
