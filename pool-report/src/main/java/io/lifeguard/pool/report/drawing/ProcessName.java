package io.lifeguard.pool.report.drawing;

import java.lang.management.ManagementFactory;

/** Names a process for people: its application, its host and its number. Has no state. */
public final class ProcessName {

    private ProcessName() {}

    /**
     * {@return the name of this process, for instance {@code shop.jar, process 4711 on web-3}} Asks the system for the
     * host, so call it seldom.
     */
    public static String text() {
        return text(
                System.getProperty("sun.java.command", ""),
                ProcessHandle.current().pid());
    }

    /**
     * {@return the name of a process of this machine} Asks the system for the host, so call it seldom.
     *
     * @param command the jar or the main class, with its arguments; empty when it is not known
     */
    public static String text(String command, long pid) {
        String name = ManagementFactory.getRuntimeMXBean().getName(); // 4711@web-3, on all JVMs of OpenJDK
        int at = name.indexOf('@');
        return text(command, pid, at < 0 ? "" : name.substring(at + 1));
    }

    /**
     * {@return the name of a process}
     *
     * @param command the jar or the main class, with its arguments; empty when it is not known
     * @param host the name of its machine; empty when it is not known
     */
    public static String text(String command, long pid, String host) {
        String process = "process " + pid + (host.isEmpty() ? "" : " on " + host);
        String application = application(command);
        return application.isEmpty() ? process : application + ", " + process;
    }

    /** {@return the name of the jar, or of the main class, without its arguments; empty when the JVM does not say} */
    private static String application(String command) {
        String first = command.strip().split("\\s", 2)[0];
        String file = first.substring(Math.max(first.lastIndexOf('/'), first.lastIndexOf('\\')) + 1);
        return file.endsWith(".jar") ? file : file.substring(file.lastIndexOf('.') + 1);
    }
}
