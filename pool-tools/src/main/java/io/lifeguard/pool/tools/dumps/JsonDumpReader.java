package io.lifeguard.pool.tools.dumps;

import io.lifeguard.pool.tools.dumps.DumpedThread.Lock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the JSON that {@code jcmd Thread.dump_to_file} writes. JDK 21 writes it without states and locks. Not
 * thread-safe.
 */
final class JsonDumpReader {

    private final String source;
    private final int firstLine;
    private final ReadProblems problems;
    private final StackCache cache;
    private String text = "";
    private @Nullable Map<String, Integer> lines; // the line of each string; null before the first problem
    private final List<ThreadDraft> drafts = new ArrayList<>();
    private final Map<String, ThreadDraft> byId = new HashMap<>(); // names are not unique, and may be empty
    private final Map<String, String> ownerIds = new HashMap<>(); // the id of a lock's owner, by lock

    JsonDumpReader(String source, int firstLine, ReadProblems problems, StackCache cache) {
        this.source = source;
        this.firstLine = firstLine;
        this.problems = problems;
        this.cache = cache;
    }

    List<ThreadDump> read(String json) {
        text = json;
        Object value = TolerantJson.read(json, firstLine, problems);
        if (!(member(value, "threadDump") instanceof Map<?, ?> dump)) {
            problems.add(firstLine, "no \"threadDump\" in it");
            return List.of();
        }
        for (Object container : list(member(dump, "threadContainers"))) {
            list(member(container, "threads")).forEach(this::readThread);
        }
        ownerIds.forEach((lock, id) -> {
            ThreadDraft owner = byId.get(id);
            if (owner != null) {
                owner.holds(lock);
            }
        });
        markUnstarted();
        List<DumpedThread> threads =
                drafts.stream().flatMap(draft -> draft.build(cache).stream()).toList();
        return List.of(new ThreadDump(source + ":" + firstLine, threads, Map.of()));
    }

    /** JDK 21 has no mark: a thread without a stack is virtual if others whose names differ in the number are. */
    private void markUnstarted() {
        Set<String> groups = new HashSet<>();
        for (ThreadDraft draft : drafts) {
            if (!draft.stack.isEmpty()
                    && draft.stack.get(draft.stack.size() - 1).getClassName().equals("java.lang.VirtualThread")) {
                groups.add(group(draft));
            }
        }
        drafts.stream()
                .filter(draft -> draft.stack.isEmpty() && groups.contains(group(draft)))
                .forEach(ThreadDraft::isVirtual);
    }

    private static String group(ThreadDraft draft) {
        int end = draft.name.length();
        while (end > 0 && isDigit(draft.name.charAt(end - 1))) { // a pattern takes time per pair of digits
            end--;
        }
        return draft.name.substring(0, end) + (end < draft.name.length() ? "#" : "");
    }

    private static boolean isDigit(char character) {
        return character >= '0' && character <= '9';
    }

    private void readThread(Object thread) {
        ThreadDraft draft = new ThreadDraft(text(member(thread, "name")), false);
        drafts.add(draft);
        boolean mayBeVirtual =
                text(member(thread, "virtual")).equals("true") || draft.name.isEmpty(); // JDK 21 has no mark
        if (mayBeVirtual && member(thread, "stack") instanceof List<?>) { // otherwise the dump breaks off here
            draft.isVirtual();
        }
        byId.put(text(member(thread, "tid")), draft);
        readState(draft, text(member(thread, "state")));
        for (Object frame : list(member(thread, "stack"))) {
            cache.frame(text(frame))
                    .ifPresentOrElse(draft.stack::add, () -> addProblem(draft, "not a frame", text(frame)));
        }
        readWanted(draft, member(thread, "blockedOn"));
        Object parked = member(thread, "parkBlocker");
        readWanted(draft, member(parked, "object"));
        String owner = text(member(parked, "owner"));
        if (!owner.isEmpty()) {
            ownerIds.put(text(member(parked, "object")), owner);
        }
        draft.waitsOn(text(member(thread, "waitingOn")));
        for (Object owned : list(member(thread, "monitorsOwned"))) {
            list(member(owned, "locks")).forEach(lock -> draft.holds(text(lock)));
        }
    }

    private void readState(ThreadDraft draft, String state) {
        if (state.isEmpty()) {
            return;
        }
        try {
            draft.state(Thread.State.valueOf(state));
        } catch (IllegalArgumentException e) {
            addProblem(draft, "not a state", state);
        }
    }

    private static void readWanted(ThreadDraft draft, @Nullable Object lock) {
        String identity = text(lock);
        if (!identity.isEmpty()) {
            int at = identity.lastIndexOf('@');
            draft.waitsFor(new Lock(identity, at < 0 ? identity : identity.substring(0, at)));
        }
    }

    /**
     * Adds a problem with the first line that has the value as a string. If no line has it, uses the dump's first line.
     */
    private void addProblem(ThreadDraft draft, String what, String value) {
        Map<String, Integer> known = lines;
        if (known == null) {
            known = TolerantJson.linesOfStrings(text, firstLine);
            lines = known;
        }
        problems.add(known.getOrDefault(value, firstLine), "thread " + draft.name + ": " + what + ": " + value);
    }

    private static @Nullable Object member(@Nullable Object object, String name) {
        return object instanceof Map<?, ?> members ? members.get(name) : null;
    }

    private static List<?> list(@Nullable Object value) {
        return value instanceof List<?> list ? list : List.of();
    }

    private static String text(@Nullable Object value) {
        return value instanceof String text && !text.equals("null") ? text : "";
    }
}
