package io.lifeguard.pool.diagnosis;

import java.io.FilePermission;
import java.lang.management.ManagementPermission;
import java.security.Permission;
import java.util.List;
import java.util.PropertyPermission;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.MBeanServerPermission;

/**
 * What a security manager does not let the monitor do. Says it in one line of the log, once for each JVM. Thread-safe.
 * Without a security manager, as in all JVMs since Java 24, nothing is missing.
 */
final class MissingPermissions {

    // from false to true, by the first thread of a monitor that reports; CAS, so no read is stale
    private static final AtomicBoolean IS_REPORTED = new AtomicBoolean();

    private MissingPermissions() {}

    /** Call it on the monitor's thread, which has the library's own rights. */
    static void report() {
        List<Needed> missing = find();
        if (!missing.isEmpty() && IS_REPORTED.compareAndSet(false, true)) {
            LogLines.MONITOR.write(log -> log.warn(
                    "The security manager keeps the monitor from reading all that it needs, so it sees less. Missing: {}."
                            + " Grant them to this library in the security policy",
                    missing.stream().map(Needed::text).collect(Collectors.joining("; "))));
        }
    }

    /** {@return whether a failure follows from what is missing, which was said} */
    static boolean explains(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SecurityException) {
                return IS_REPORTED.get();
            }
        }
        return false;
    }

    @SuppressWarnings("removal") // there is no other way to ask before Java 24
    private static List<Needed> find() {
        SecurityManager manager = System.getSecurityManager();
        return manager == null
                ? List.of()
                : Needed.all().filter(needed -> !isGranted(manager, needed)).toList();
    }

    @SuppressWarnings("removal")
    private static boolean isGranted(SecurityManager manager, Needed needed) {
        try {
            manager.checkPermission(needed.permission);
            return true;
        } catch (SecurityException e) {
            return false;
        }
    }

    /**
     * A permission, and what is not seen without it.
     *
     * @param permission what is needed
     * @param purpose what it is for
     */
    private record Needed(Permission permission, String purpose) {

        static Stream<Needed> all() {
            return Stream.of(
                    new Needed(new ManagementPermission("monitor"), "stacks and locks"),
                    new Needed(new RuntimePermission("modifyThreadGroup"), "event loops and workers of other pools"),
                    new Needed(new RuntimePermission("modifyThread"), "workers of other pools"),
                    new Needed(new RuntimePermission("getStackTrace"), "dispatchers and holders of locks"),
                    new Needed(new RuntimePermission("getClassLoader"), "classes that are being initialised"),
                    new Needed(new RuntimePermission("accessDeclaredMembers"), "the recording"),
                    new Needed(new java.lang.reflect.ReflectPermission("suppressAccessChecks"), "the recording"),
                    new Needed(new FilePermission("/proc/-", "read"), "CPU times and waits for a CPU"),
                    new Needed(new FilePermission("/sys/fs/cgroup/-", "read"), "the limits of a container"),
                    new Needed(new PropertyPermission("*", "read"), "settings by system properties"),
                    new Needed(new MBeanServerPermission("createMBeanServer"), "MBeans"));
        }

        String text() {
            String actions = permission.getActions();
            return permission.getClass().getName() + " \"" + permission.getName() + "\""
                    + (actions.isEmpty() ? "" : " \"" + actions + "\"") + " (" + purpose + ")";
        }
    }
}
