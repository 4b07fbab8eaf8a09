package io.lifeguard.pool.diagnosis.window;

import java.util.List;
import java.util.Set;

/**
 * Finds the user's own frames on a stack: not the JDK's, not this library's, and not those of well-known frameworks,
 * drivers and servers. Stateless, thread-safe.
 */
public final class UserFrames {

    /** The packages of this library whose frames are on the stacks of workers and submitters. */
    private static final Set<String> OURS =
            Set.of("io.lifeguard.pool", "io.lifeguard.pool.queue", "io.lifeguard.pool.measure", "io.lifeguard.pool.os");

    /**
     * What stands between the user's code and the JDK in most programs. A frame of these is named only where there is
     * no better one.
     */
    private static final List<String> PLUMBING = List.of(
            "ch.qos.logback.",
            "com.fasterxml.",
            "com.google.common.",
            "com.microsoft.sqlserver.",
            "com.mongodb.",
            "com.mysql.",
            "com.rabbitmq.",
            "com.zaxxer.hikari.",
            "feign.",
            "io.grpc.",
            "io.lettuce.",
            "io.micrometer.",
            "io.netty.",
            "io.reactivex.",
            "io.vertx.",
            "jakarta.",
            "kotlin.",
            "kotlinx.coroutines.",
            "okhttp3.",
            "okio.",
            "oracle.jdbc.",
            "org.apache.catalina.",
            "org.apache.commons.",
            "org.apache.coyote.",
            "org.apache.hc.",
            "org.apache.http.",
            "org.apache.ibatis.",
            "org.apache.kafka.",
            "org.apache.logging.",
            "org.apache.tomcat.",
            "org.codehaus.groovy.",
            "org.eclipse.jetty.",
            "org.elasticsearch.",
            "org.h2.",
            "org.hibernate.",
            "org.jooq.",
            "org.mariadb.",
            "org.postgresql.",
            "org.slf4j.",
            "org.springframework.",
            "reactor.",
            "redis.clients.",
            "retrofit2.",
            "scala.",
            "software.amazon.awssdk.");

    private UserFrames() {}

    /**
     * The first frame that is the user's own: not the JDK's, not this library's, and not of a well-known framework's,
     * driver's or server's plumbing. Where there is none, the first one that is plumbing; else the top one.
     *
     * @param stack a stack, top first, not null
     * @return the frame as {@code com.example.Orders.load(Orders.java:42)}; empty when the stack is
     */
    public static String place(List<StackTraceElement> stack) {
        StackTraceElement plumbing = null;
        for (StackTraceElement frame : stack) {
            if (isJdk(frame) || isOurs(frame)) {
                continue;
            }
            if (PLUMBING.stream().noneMatch(frame.getClassName()::startsWith)) {
                return text(frame);
            }
            plumbing = plumbing == null ? frame : plumbing;
        }
        if (plumbing != null) {
            return text(plumbing);
        }
        return stack.isEmpty() ? "" : text(stack.get(0));
    }

    /**
     * Whether any frame is the user's own.
     *
     * @param stack a stack, not null
     * @return true when there is one
     */
    public static boolean hasUsersFrame(List<StackTraceElement> stack) {
        return stack.stream()
                .anyMatch(frame -> !isJdk(frame)
                        && !isOurs(frame)
                        && PLUMBING.stream().noneMatch(frame.getClassName()::startsWith));
    }

    /** Without class loader and module. */
    private static String text(StackTraceElement frame) {
        return new StackTraceElement(
                        frame.getClassName(), frame.getMethodName(), frame.getFileName(), frame.getLineNumber())
                .toString();
    }

    /**
     * Whether a frame is the JDK's. Works for frames of JDK 8 too, which has no modules.
     *
     * @param frame the frame, not null
     * @return true for a class of the JDK
     */
    public static boolean isJdk(StackTraceElement frame) {
        String module = frame.getModuleName();
        if (module != null && (module.startsWith("java.") || module.startsWith("jdk."))) {
            return true;
        }
        String name = frame.getClassName();
        return name.startsWith("java.")
                || name.startsWith("javax.")
                || name.startsWith("jdk.")
                || name.startsWith("sun.")
                || name.startsWith("com.sun.");
    }

    private static boolean isOurs(StackTraceElement frame) {
        String name = frame.getClassName();
        return OURS.contains(name.substring(0, Math.max(0, name.lastIndexOf('.'))));
    }
}
