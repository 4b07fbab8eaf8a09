package io.lifeguard.pool.tools.analyze;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import org.jspecify.annotations.Nullable;

/**
 * Turns the stacks of a recording into those of Java, and keeps equal ones once. Not thread-safe.
 *
 * <p>A recording does not say in which file a method is. The file is named after the outermost class, as the Java
 * language asks of public ones.
 */
final class StackReader {

    private static final Stack NONE = new Stack(List.of(), false);
    private static final int NATIVE = -2; // the line of a native method
    private static final String OF_NO_CLASS = "()L;"; // how async-profiler marks functions that are not Java
    private static final int MOST_REMEMBERED = 50_000;

    private final IdentityHashMap<RecordedStackTrace, Stack> known = new IdentityHashMap<>();
    private final Map<Stack, Stack> all = new HashMap<>();

    /**
     * A stack.
     *
     * @param frames the frames of Java, top first
     * @param entersMonitor whether the frames of the JVM on top show that the thread waits for a monitor
     */
    record Stack(List<StackTraceElement> frames, boolean entersMonitor) {}

    Stack read(@Nullable RecordedStackTrace recorded) {
        if (recorded == null) {
            return NONE;
        }
        Stack stack = known.get(recorded);
        if (stack == null) {
            Stack made = make(recorded);
            stack = all.computeIfAbsent(made, key -> made);
            if (known.size() == MOST_REMEMBERED) {
                known.clear();
            }
            known.put(recorded, stack);
        }
        return stack;
    }

    private static Stack make(RecordedStackTrace recorded) {
        List<StackTraceElement> frames = new ArrayList<>();
        boolean entersMonitor = false; // as the JVM's own frames on top show it, where async-profiler records them
        for (RecordedFrame frame : recorded.getFrames()) {
            RecordedMethod method = frame.getMethod();
            String type = method == null ? "" : method.getType().getName();
            if (method == null
                    || type.isEmpty()
                    || OF_NO_CLASS.equals(method.getDescriptor())
                    || !frame.isJavaFrame()) {
                entersMonitor |= frames.isEmpty() && method != null && entersMonitor(method.getName());
            } else {
                StackTraceElement java = element(frame, type, method.getName());
                boolean isNative = frame.getType().equals("Native") || Modifier.isNative(method.getModifiers());
                frames.add(isNative ? new StackTraceElement(type, method.getName(), null, NATIVE) : java);
            }
        }
        return new Stack(List.copyOf(frames), entersMonitor);
    }

    private static boolean entersMonitor(String function) {
        return function.contains("ObjectMonitor") && function.contains("nter");
    }

    private static StackTraceElement element(RecordedFrame frame, String type, String method) {
        String simple = type.substring(type.lastIndexOf('.') + 1);
        int nested = simple.indexOf('$');
        String file = (nested > 0 ? simple.substring(0, nested) : simple) + ".java";
        int line = frame.getLineNumber();
        return new StackTraceElement(type, method, line > 0 ? file : null, line > 0 ? line : -1);
    }
}
