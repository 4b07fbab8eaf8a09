package io.lifeguard.pool.tools.dumps;

import static io.lifeguard.pool.tools.dumps.JsonDumpReader.list;
import static io.lifeguard.pool.tools.dumps.JsonDumpReader.member;
import static io.lifeguard.pool.tools.dumps.JsonDumpReader.text;

import io.lifeguard.pool.tools.dumps.DumpedThread.Lock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads lists of the JDK's {@code ThreadInfo} that were written as JSON: by Spring Boot's actuator, by bridges to JMX,
 * and by the pages of servers. Stateless.
 */
final class ThreadInfoJson {

    private static final List<String> STACKS =
            List.of("stackTrace", "stack", "stackTraceElements", "frames", "stacktrace");

    private ThreadInfoJson() {}

    /** Returns the threads, wherever they are in a value; empty where there are none. */
    static List<Map<?, ?>> threadsIn(Object value) {
        List<Map<?, ?>> threads = new ArrayList<>();
        collect(value, "", threads);
        return threads;
    }

    private static void collect(Object value, String key, List<Map<?, ?>> threads) {
        if (value instanceof Map<?, ?> map) {
            if (isThread(map)) {
                threads.add(map);
            } else if (isNamedByKey(map, key)) {
                Map<Object, Object> named = new HashMap<>(map);
                named.put("threadName", key);
                threads.add(named);
            } else {
                map.forEach((name, each) -> collect(each, String.valueOf(name), threads));
            }
        } else if (value instanceof List<?> list) {
            list.forEach(each -> collect(each, "", threads));
        }
    }

    private static boolean isThread(Map<?, ?> map) {
        boolean isNamed = map.containsKey("threadName") || map.containsKey("name");
        boolean hasState =
                map.containsKey("threadState") || map.containsKey("state") || map.containsKey("thread-state");
        return isNamed && (map.containsKey("threadState") || (hasState && hasStack(map)));
    }

    private static boolean isNamedByKey(Map<?, ?> map, String key) {
        return !key.isEmpty() && hasStack(map) && (map.containsKey("state") || map.containsKey("threadState"));
    }

    private static boolean hasStack(Map<?, ?> map) {
        return STACKS.stream().anyMatch(map::containsKey);
    }

    static void read(List<Map<?, ?>> threads, DumpDraft dump, ReadProblems problems, StackCache cache) {
        threads.forEach(thread -> dump.add(thread(thread, dump, problems, cache)));
    }

    private static ThreadDraft thread(Map<?, ?> thread, DumpDraft dump, ReadProblems problems, StackCache cache) {
        ThreadDraft draft = new ThreadDraft(first(thread, "threadName", "name"), false);
        String id = first(thread, "threadId", "id", "tid");
        if (!id.isEmpty()) {
            draft.id = Optional.of(id);
        }
        String state = first(thread, "threadState", "state").toUpperCase(java.util.Locale.ROOT);
        try {
            draft.state(Thread.State.valueOf(state));
        } catch (IllegalArgumentException e) {
            problems.add(dump.firstLine, "thread " + draft.name + ": not a state: " + state);
        }
        for (String stack : STACKS) {
            readStack(draft, thread.get(stack), cache);
        }
        readLocks(draft, thread, state);
        return draft;
    }

    private static void readStack(
            ThreadDraft draft, @org.jspecify.annotations.Nullable Object stack, StackCache cache) {
        List<?> frames = stack instanceof String lines ? List.of(lines.strip().split("\\s*\\n\\s*")) : list(stack);
        for (Object frame : frames) {
            String text = frame instanceof Map<?, ?> members
                    ? frame(members)
                    : text(frame).strip();
            cache.frame(text.startsWith("at ") ? text.substring(3) : text).ifPresent(draft.stack::add);
        }
    }

    private static String frame(Map<?, ?> frame) {
        String module = first(frame, "moduleName");
        String file = first(frame, "fileName", "file", "sourceFile");
        String line = first(frame, "lineNumber", "line");
        String place = first(frame, "nativeMethod", "isNative").equals("true") || line.equals("-2")
                ? "Native Method"
                : file.isEmpty() ? "Unknown Source" : line.isEmpty() || line.startsWith("-") ? file : file + ":" + line;
        return (module.isEmpty() ? "" : module + "/") + first(frame, "className", "class", "declaringClass") + "."
                + first(frame, "methodName", "method") + "(" + place + ")";
    }

    private static void readLocks(ThreadDraft draft, Map<?, ?> thread, String state) {
        Optional<Lock> lock = lock(thread.get("lockInfo"))
                .or(() ->
                        JsonDumpReader.lock(first(thread, "lockName", "lock", "lock-name", "waitingOn", "blockedOn")));
        boolean isBlocked = state.equals("BLOCKED");
        lock.ifPresent(object -> {
            if (isBlocked) {
                draft.waitsFor(object);
            } else {
                draft.waitsOn(object);
            }
        });
        String ownerId = first(thread, "lockOwnerId", "lock-owner-id", "ownerId");
        String ownerName = first(thread, "lockOwnerName", "lock-owner-name", "ownerName", "owner");
        if (!ownerId.isEmpty() && !ownerId.startsWith("-")) {
            draft.heldBy = Optional.of(ownerId);
        } else if (!ownerName.isEmpty()) {
            draft.heldBy = Optional.of(ownerName);
        }
        for (String held :
                List.of("lockedMonitors", "lockedSynchronizers", "monitors-locked", "synchronizers-locked")) {
            for (Object each : list(thread.get(held))) {
                lock(each)
                        .or(() -> JsonDumpReader.lock(text(each)))
                        .ifPresent(object -> draft.holds(object.identity()));
            }
        }
    }

    /** Reads the class and the hash code of a lock. Its name has the code in hexadecimal digits. */
    private static Optional<Lock> lock(@org.jspecify.annotations.Nullable Object info) {
        String type = text(member(info, "className"));
        String hash = text(member(info, "identityHashCode"));
        if (type.isEmpty() || hash.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Lock(type + "@" + Integer.toHexString(Integer.parseInt(hash)), type));
        } catch (NumberFormatException e) {
            return Optional.of(new Lock(type + "@" + hash, type));
        }
    }

    private static String first(Map<?, ?> members, String... names) {
        for (String name : names) {
            String value = text(members.get(name));
            if (!value.isEmpty()) {
                return value;
            }
        }
        return "";
    }
}
