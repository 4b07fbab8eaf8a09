package io.lifeguard.pool.tools.dumps;

import static io.lifeguard.pool.tools.dumps.JsonDumpReader.list;
import static io.lifeguard.pool.tools.dumps.JsonDumpReader.text;

import io.lifeguard.pool.tools.dumps.DumpedThread.Lock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Reads lists of the JDK's {@code ThreadInfo} that were written as JSON: by Spring Boot's actuator, by bridges to JMX,
 * and by the pages of servers. Stateless.
 */
final class ThreadInfoJson {

    private static final List<String> STACKS = List.of("stacktrace", "stack", "stacktraceelements", "frames");

    private ThreadInfoJson() {}

    /** Returns the threads, wherever they are in a value; empty where there are none. */
    static List<Map<?, ?>> threadsIn(Object value) {
        List<Map<?, ?>> threads = new ArrayList<>();
        collect(value, "", threads);
        return threads;
    }

    private static void collect(Object value, String key, List<Map<?, ?>> threads) {
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> members = plain(map);
            boolean hasState = members.containsKey("threadstate") || members.containsKey("state");
            boolean hasStack = STACKS.stream().anyMatch(members::containsKey);
            if (hasState && (hasStack || members.containsKey("threadstate"))) {
                members.putIfAbsent("threadname", members.getOrDefault("name", key));
                threads.add(members);
            } else {
                map.forEach((name, each) -> collect(each, String.valueOf(name), threads));
            }
        } else if (value instanceof List<?> list) {
            list.forEach(each -> collect(each, "", threads));
        }
    }

    /**
     * Returns the members by names of one spelling: {@code threadName}, {@code thread-name} and {@code thread_name}.
     */
    private static Map<String, Object> plain(Map<?, ?> map) {
        Map<String, Object> members = new HashMap<>();
        map.forEach((name, value) -> members.put(
                String.valueOf(name).toLowerCase(Locale.ROOT).replace("-", "").replace("_", ""), value));
        return members;
    }

    static void read(List<Map<?, ?>> threads, DumpDraft dump, ReadProblems problems, StackCache cache) {
        threads.forEach(thread -> dump.add(thread(thread, dump, problems, cache)));
    }

    private static ThreadDraft thread(Map<?, ?> thread, DumpDraft dump, ReadProblems problems, StackCache cache) {
        ThreadDraft draft = new ThreadDraft(first(thread, "threadname"), false);
        String id = first(thread, "threadid", "id", "tid");
        if (!id.isEmpty()) {
            draft.id = Optional.of(id);
        }
        String state = first(thread, "threadstate", "state").toUpperCase(Locale.ROOT);
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
                    ? frame(plain(members))
                    : text(frame).strip();
            cache.frame(text.startsWith("at ") ? text.substring(3) : text).ifPresent(draft.stack::add);
        }
    }

    private static String frame(Map<?, ?> frame) {
        String module = first(frame, "modulename");
        String file = first(frame, "filename", "file", "sourcefile");
        String line = first(frame, "linenumber", "line");
        String place = first(frame, "nativemethod", "isnative").equals("true") || line.equals("-2")
                ? "Native Method"
                : file.isEmpty() ? "Unknown Source" : line.isEmpty() || line.startsWith("-") ? file : file + ":" + line;
        return (module.isEmpty() ? "" : module + "/") + first(frame, "classname", "class", "declaringclass") + "."
                + first(frame, "methodname", "method") + "(" + place + ")";
    }

    private static void readLocks(ThreadDraft draft, Map<?, ?> thread, String state) {
        Optional<Lock> lock = lock(thread.get("lockinfo"))
                .or(() -> named(first(thread, "lockname", "lock", "blockedbylock", "waitingon", "blockedon")));
        boolean isBlocked = state.equals("BLOCKED");
        lock.ifPresent(object -> {
            if (isBlocked) {
                draft.waitsFor(object);
            } else {
                draft.waitsOn(object);
            }
        });
        String ownerId = first(thread, "lockownerid", "ownerid", "blockedbythreadid");
        String ownerName = first(thread, "lockownername", "ownername", "owner");
        if (!ownerId.isEmpty() && !ownerId.startsWith("-")) {
            draft.heldBy = Optional.of(ownerId);
        } else if (!ownerName.isEmpty()) {
            draft.heldBy = Optional.of(ownerName);
        }
        for (String held : List.of(
                "lockedmonitors", "lockedsynchronizers", "monitorslocked", "synchronizerslocked", "holdinglocks")) {
            for (Object each : list(thread.get(held))) {
                lock(each).or(() -> named(text(each))).ifPresent(object -> draft.holds(object.identity()));
            }
        }
    }

    /** Spark writes {@code Lock(com.example.Orders@1e1})}. */
    private static Optional<Lock> named(String lock) {
        return JsonDumpReader.lock(lock.replaceFirst("^(?:Lock|Monitor)\\(", "").replaceFirst("\\}?\\)$", ""));
    }

    /** Reads the class and the hash code of a lock. Its name has the code in hexadecimal digits. */
    private static Optional<Lock> lock(@org.jspecify.annotations.Nullable Object info) {
        Map<String, Object> members = info instanceof Map<?, ?> map ? plain(map) : Map.of();
        String type = first(members, "classname");
        String hash = first(members, "identityhashcode");
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
