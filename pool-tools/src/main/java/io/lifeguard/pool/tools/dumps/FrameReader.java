package io.lifeguard.pool.tools.dumps;

import java.util.List;
import java.util.Optional;

/** Reads one frame of a stack, as the JDKs from 8 to 25 print it. Stateless. */
final class FrameReader {

    /** The line numbers by which {@link StackTraceElement} marks a native method and an unknown line. */
    private static final int NATIVE = -2;

    private static final int UNKNOWN = -1;

    private FrameReader() {}

    /**
     * Reads {@code a.B.c(B.java:1)}, {@code a.B.c(java.base@17/B.java:1)} and {@code java.base/a.B.c(B.java:1)}.
     *
     * @return the frame; empty when the text has none of these forms
     */
    static Optional<StackTraceElement> parse(String text) {
        int open = text.indexOf('(');
        if (open < 1 || !text.endsWith(")")) {
            return Optional.empty();
        }
        int end = open; // Android writes "wait! (Native method)"
        while (end > 1 && (text.charAt(end - 1) == ' ' || text.charAt(end - 1) == '!')) {
            end--;
        }
        String call = text.substring(0, end);
        String place = text.substring(open + 1, text.length() - 1);
        int lambda = call.indexOf("/0x"); // part of the name of a lambda's class
        int slash = lambda < 0 ? call.lastIndexOf('/') : call.lastIndexOf('/', lambda - 1);
        String module = slash < 0 ? module(place) : call.substring(0, slash);
        String method = call.substring(slash + 1);
        int dot = method.lastIndexOf('.');
        if (dot <= 0 || dot == method.length() - 1 || method.indexOf(' ') >= 0) {
            return Optional.empty();
        }
        String file = place.substring(place.lastIndexOf('/') + 1);
        int colon = file.lastIndexOf(':');
        int line = file.equalsIgnoreCase("Native Method")
                ? NATIVE
                : colon < 0 ? UNKNOWN : number(file.substring(colon + 1));
        String name =
                line == NATIVE || file.equals("Unknown Source") ? null : colon < 0 ? file : file.substring(0, colon);
        return Optional.of(new StackTraceElement(
                null, withoutVersion(module), null, method.substring(0, dot), method.substring(dot + 1), name, line));
    }

    /**
     * Infers a thread's state from its top frame, where the dump does not say the state. A thread that wants a monitor
     * then looks as if it ran.
     */
    static Thread.State likelyState(List<StackTraceElement> stack) {
        if (stack.isEmpty()) {
            return Thread.State.RUNNABLE;
        }
        StackTraceElement top = stack.get(0);
        String method = top.getMethodName();
        return switch (top.getClassName()) {
            case "jdk.internal.misc.Unsafe" -> method.equals("park") ? Thread.State.WAITING : Thread.State.RUNNABLE;
            case "java.lang.VirtualThread" ->
                method.contains("ark") || method.contains("ield") ? Thread.State.WAITING : Thread.State.RUNNABLE;
            case "java.lang.Object" -> method.startsWith("wait") ? Thread.State.WAITING : Thread.State.RUNNABLE;
            case "java.lang.Thread" -> method.startsWith("sleep") ? Thread.State.TIMED_WAITING : Thread.State.RUNNABLE;
            default -> Thread.State.RUNNABLE;
        };
    }

    private static String module(String place) {
        int slash = place.indexOf('/');
        return slash < 0 ? "" : place.substring(0, slash);
    }

    private static String withoutVersion(String module) {
        int at = module.indexOf('@');
        String name = at < 0 ? module : module.substring(0, at);
        return name.substring(name.lastIndexOf('/') + 1);
    }

    private static int number(String digits) {
        try {
            return Integer.parseInt(digits);
        } catch (NumberFormatException ignored) {
            return UNKNOWN;
        }
    }
}
