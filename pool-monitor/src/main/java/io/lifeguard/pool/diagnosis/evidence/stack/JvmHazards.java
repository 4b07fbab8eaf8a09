package io.lifeguard.pool.diagnosis.evidence.stack;

import java.util.function.BooleanSupplier;

/**
 * Knows which looks can crash the JVM that is looked at. Stateless.
 *
 * <p>Of three looks defects are published:
 *
 * <table>
 * <caption>Looks that can crash a JVM</caption>
 * <tr><th>Look</th><th>JVM</th><th>Safe?</th><th>Source</th></tr>
 * <tr><td rowspan="4">dump of virtual threads ({@code HotSpotDiagnosticMXBean.dumpThreads},
 * {@code Thread.dump_to_file})</td>
 * <td>HotSpot, Java 21 to 24</td><td>yes</td><td>written in Java, by {@code Thread.getStackTrace}</td></tr>
 * <tr><td>HotSpot, Java 25 before its release</td><td>no</td><td>JDK-8359870: threads that end. Repaired in 25</td></tr>
 * <tr><td>HotSpot, Java 25 and newer</td><td>unless it is repaired</td><td>JDK-8364343: the JVM walks the stacks of
 * threads that mount or unmount meanwhile. Repaired in the main line at the end of 2025. Which releases have the repair
 * is not published in one place: 25.0.3 has not, and was seen to crash. So the JVM itself is asked</td></tr>
 * <tr><td>others, as OpenJ9</td><td>no</td><td>has code of its own, which nobody here has tried</td></tr>
 * <tr><td>{@code ThreadMXBean.getThreadInfo} without stacks</td><td>HotSpot, Java 21 and newer</td><td>no</td>
 * <td>JDK-8392031: the JVM reads a carrier that mounts or unmounts meanwhile. With stacks it stops all threads before it
 * reads. So stacks are always asked for</td></tr>
 * <tr><td>{@code Thread.getStackTrace}</td><td>HotSpot, Java 19 to 25</td><td>yes</td><td>JDK-8361103: a thread that
 * ends in that moment is not protected. No crash by it is published, and the torture of JVMs had none</td></tr>
 * </table>
 */
public final class JvmHazards {

    /** Before this Java version, the dump of virtual threads is written in Java. */
    private static final int NATIVE_DUMPS = 25;

    private static final boolean IS_REPAIRED = hasRepair();

    private JvmHazards() {}

    /** {@return why a dump of the virtual threads of this JVM could crash it, as a clause; empty when it is safe} */
    public static String ofVirtualDump() {
        return ofVirtualDump(System.getProperty("java.vm.name", ""), Runtime.version(), () -> IS_REPAIRED);
    }

    /**
     * {@return why a dump of the virtual threads of a JVM could crash it, as a clause; empty when it is safe}
     *
     * @param vm the name of the virtual machine, as {@code OpenJDK 64-Bit Server VM}
     * @param isRepaired tells whether it has the repair of JDK-8364343. It is asked only where that matters
     */
    public static String ofVirtualDump(String vm, Runtime.Version version, BooleanSupplier isRepaired) {
        if (!vm.startsWith("OpenJDK") && !vm.contains("HotSpot")) {
            return "whether a dump of virtual threads can crash " + vm + " is not known";
        }
        if (version.feature() < NATIVE_DUMPS || isRepaired.getAsBoolean()) {
            return "";
        }
        return "a dump of virtual threads can crash Java " + release(version) + " (JDK-8364343)";
    }

    /** As {@code 25.0.3}, without the build. */
    private static String release(Runtime.Version version) {
        StringBuilder release = new StringBuilder();
        version.version()
                .forEach(number -> release.append(release.isEmpty() ? "" : ".").append(number));
        return release.toString();
    }

    /** The repair lets virtual threads announce to the JVM that they mount or unmount, by a method of this name. */
    private static boolean hasRepair() {
        try {
            return Class.forName("java.lang.VirtualThread").getDeclaredMethod("startTransition", boolean.class) != null;
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) { // unknown, so it counts as not
            return false;
        }
    }
}
