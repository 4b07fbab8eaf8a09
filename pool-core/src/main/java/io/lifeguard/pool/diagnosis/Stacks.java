package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.os.OsState;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * What can be read from a thread's stack: what the thread does, and where in the user's own code. It knows the JDK's classes from 8 to 25 by
 * name, so it reads stacks of other processes as well. Stateless, thread-safe.
 */
public final class Stacks {

    /** The packages of this library whose frames are on the stacks of workers and submitters. */
    private static final Set<String> OURS =
            Set.of("io.lifeguard.pool", "io.lifeguard.pool.queue", "io.lifeguard.pool.measure", "io.lifeguard.pool.os");

    /** What stands between the user's code and the JDK in most programs. A frame of these is named only where there is no better one. */
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

    private Stacks() {}

    /**
     * What a thread does.
     *
     * @param state the thread's state as Java sees it, not null
     * @param stack its stack, top first, not null
     * @param waitsFor the class of the object it waits for, empty when there is none or it is not known
     * @return what it does. A thread inside a native method of the network or of files waits for it, as far as this can be told
     */
    public static Doing doing(Thread.State state, List<StackTraceElement> stack, String waitsFor) {
        return doing(state, stack, waitsFor, OsState.UNKNOWN);
    }

    static Doing doing(Thread.State state, List<StackTraceElement> stack, String waitsFor, OsState system) {
        Objects.requireNonNull(state, "state must not be null");
        Objects.requireNonNull(waitsFor, "waitsFor must not be null");
        if (Waits.forTask(stack)) {
            return Doing.IDLE;
        }
        return switch (state) {
            case NEW, TERMINATED -> Doing.IDLE;
            case BLOCKED -> Doing.BLOCKED_ON_MONITOR;
            case RUNNABLE -> runnable(stack, system);
            case WAITING, TIMED_WAITING -> waiting(stack, waitsFor);
        };
    }

    /**
     * The first frame that is the user's own: not the JDK's, not this library's, and not of a well-known framework's, driver's or server's
     * plumbing. Where there is none, the first one that is plumbing; else the top one.
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

    /** Whether any frame is the user's own. */
    static boolean hasUsersFrame(List<StackTraceElement> stack) {
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

    /** Also of JDK 8, which has no modules, and where a class path's classes have none. */
    static boolean isJdk(StackTraceElement frame) {
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

    /**
     * The system knows whether a thread in a native method runs or waits. Where it does not say, the method tells. Outside of native methods
     * a thread that the system says waits does so for the JVM (a safepoint, a compiler, a page of memory), and would like to run.
     */
    private static Doing runnable(List<StackTraceElement> stack, OsState system) {
        if (stack.isEmpty() || !stack.get(0).isNativeMethod() || system == OsState.RUNNING) {
            return Doing.RUNNING;
        }
        StackTraceElement top = stack.get(0);
        if (Waits.forNothingInNative(top)) {
            return Doing.PARKED;
        }
        return system == OsState.WAITING || Waits.forIoInNative(top) ? Doing.WAITING_FOR_IO : Doing.RUNNING;
    }

    private static Doing waiting(List<StackTraceElement> stack, String waitsFor) {
        if (Waits.forLock(waitsFor)) {
            return Doing.BLOCKED_ON_LOCK;
        }
        for (StackTraceElement frame : stack) {
            if (!isJdk(frame) && !Waits.inLibrary(frame)) {
                break;
            }
            if (Waits.forTime(frame)) {
                return Doing.SLEEPING;
            }
            if (Waits.forIo(frame)) {
                return Doing.WAITING_FOR_IO;
            }
        }
        for (StackTraceElement frame : stack) {
            if (!isJdk(frame) && !Waits.inLibrary(frame)) {
                break;
            }
            if (Waits.forResult(frame)) {
                return Doing.WAITING_FOR_RESULT;
            }
        }
        return Doing.PARKED;
    }
}
