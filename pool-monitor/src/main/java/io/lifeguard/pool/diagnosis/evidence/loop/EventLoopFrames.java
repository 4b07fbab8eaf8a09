package io.lifeguard.pool.diagnosis.evidence.loop;

import io.lifeguard.pool.diagnosis.seen.UserFrames;
import java.util.List;

/** Tells from frames which threads are event loops, and what their handlers do. Stateless. */
public final class EventLoopFrames {

    /** Frameworks that run the loops themselves. A stack with no other frames, apart from the JDK's, has no handler. */
    private static final List<String> OWN = List.of(
            "akka.",
            "io.reactivex.",
            "io.undertow.",
            "io.vertx.core.",
            "kotlin.",
            "kotlinx.coroutines.",
            "org.apache.pekko.",
            "org.jboss.threads.",
            "org.xnio.",
            "reactor.",
            "scala.");

    /**
     * Netty's packages, which are often shaded into others. Its resolver of names is not among them: that one blocks.
     */
    private static final List<String> NETTY = List.of(
            "netty.bootstrap.", "netty.buffer.", "netty.channel.", "netty.handler.", "netty.internal.", "netty.util.");

    /** Where classes are loaded, linked and initialised. */
    private static final List<String> CLASS_LOADING = List.of(
            "java.lang.ClassLoader.",
            "java.lang.Class.forName",
            "java.lang.invoke.MethodHandleNatives.",
            "java.util.ServiceLoader",
            "jdk.internal.loader.");

    private EventLoopFrames() {}

    /**
     * {@return whether this is the frame of a loop of Netty, so also of Vert.x, or of a loop of XNIO, so also of
     * Undertow}
     */
    public static boolean isLoop(StackTraceElement frame) {
        String type = frame.getClassName();
        return switch (frame.getMethodName()) {
            case "run", "runNow" -> isNettysLoop(type) || type.equals("org.xnio.nio.WorkerThread");
            default -> false;
        };
    }

    private static boolean isNettysLoop(String type) {
        return type.contains("netty.channel.") // also where it is shaded
                && type.endsWith("EventLoop")
                && !type.endsWith("ThreadPerChannelEventLoop"); // meant to block
    }

    /** Whether a stack was taken as far down as a loop. */
    static boolean hasLoop(List<StackTraceElement> stack) {
        return lowest(stack, true) >= 0;
    }

    /** {@return the part of a loop's stack above the loop's own frame; all of it when that frame is not there} */
    static List<StackTraceElement> aboveLoop(List<StackTraceElement> stack) {
        int loop = lowest(stack, true);
        int end = loop >= 0 ? loop : lowest(stack, false);
        return end < 0 ? stack : stack.subList(0, end);
    }

    /** Reactor's loops are workers of the JDK's executor. Those of Pekko are of its fork-join pool. */
    private static boolean isWorker(StackTraceElement frame) {
        String type = frame.getClassName();
        return frame.getMethodName().equals("runWorker")
                && (type.equals("java.util.concurrent.ThreadPoolExecutor")
                        || type.equals("java.util.concurrent.ForkJoinPool"));
    }

    private static int lowest(List<StackTraceElement> stack, boolean ofLoop) {
        for (int i = stack.size() - 1; i >= 0; i--) {
            if (ofLoop ? isLoop(stack.get(i)) : isWorker(stack.get(i))) {
                return i;
            }
        }
        return -1;
    }

    /** Whether a handler is on the stack: code of the user, a driver or a framework that does not run the loop. */
    static boolean hasHandler(List<StackTraceElement> aboveLoop) {
        for (StackTraceElement frame : aboveLoop) {
            if (!UserFrames.isJdk(frame) && !isOwn(frame)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the framework itself reads or writes a socket there, which does not block. */
    static boolean isFrameworksIo(List<StackTraceElement> aboveLoop) {
        return aboveLoop.stream()
                .filter(frame -> !UserFrames.isJdk(frame))
                .findFirst()
                .filter(EventLoopFrames::isOwn)
                .isPresent();
    }

    private static boolean isOwn(StackTraceElement frame) {
        String type = frame.getClassName();
        for (String prefix : OWN) {
            if (type.startsWith(prefix)) {
                return true;
            }
        }
        for (String part : NETTY) {
            if (type.contains(part)) {
                return true;
            }
        }
        return type.contains("$$Lambda"); // the JVM's own frame
    }

    /** Whether a class is loaded, linked or initialised there, which each class needs only once. */
    static boolean isClassLoading(List<StackTraceElement> aboveLoop) {
        return aboveLoop.stream()
                .anyMatch(frame -> frame.getMethodName().equals("<clinit>")
                        || CLASS_LOADING.stream()
                                .anyMatch((frame.getClassName() + '.' + frame.getMethodName())::startsWith));
    }
}
