package io.lifeguard.pool.report;

import java.lang.management.ManagementFactory;

/** Names this process for people: its application, its host and its number. Has no state. */
final class ProcessName {

    private ProcessName() {}

    /** {@return for instance {@code shop.jar, process 4711 on web-3}} Asks the system for the host, so call it seldom. */
    static String text() {
        String name = ManagementFactory.getRuntimeMXBean().getName(); // 4711@web-3, on all JVMs of OpenJDK
        int at = name.indexOf('@');
        String process = "process " + ProcessHandle.current().pid() + (at < 0 ? "" : " on " + name.substring(at + 1));
        String application = application(System.getProperty("sun.java.command", ""));
        return application.isEmpty() ? process : application + ", " + process;
    }

    /** {@return the name of the jar, or of the main class, without its arguments; empty when the JVM does not say} */
    static String application(String command) {
        String first = command.strip().split("\\s", 2)[0];
        String file = first.substring(Math.max(first.lastIndexOf('/'), first.lastIndexOf('\\')) + 1);
        return file.endsWith(".jar") ? file : file.substring(file.lastIndexOf('.') + 1);
    }
}
