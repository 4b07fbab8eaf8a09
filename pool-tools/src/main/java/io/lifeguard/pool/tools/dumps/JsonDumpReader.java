package io.lifeguard.pool.tools.dumps;

import io.lifeguard.pool.tools.dumps.DumpedThread.Lock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the JSON that {@code jcmd Thread.dump_to_file} writes. JDK 21 writes it without states and locks. Not
 * thread-safe.
 */
final class JsonDumpReader {

    private static final int MOST_OF_JVM = 5;

    private final ReadProblems problems;
    private final StackCache cache;
    private final DumpDraft dump;

    JsonDumpReader(DumpDraft dump, ReadProblems problems, StackCache cache) {
        this.dump = dump;
        this.problems = problems;
        this.cache = cache;
    }

    /** Returns whether a value is such a dump, as far as it was read. */
    static boolean isDump(Object value) {
        return member(value, "threadDump") instanceof Map<?, ?> dump
                && (dump.isEmpty() || dump.containsKey("threadContainers") || dump.containsKey("processId"));
    }

    void read(Object value) {
        dump.stamp.read(String.valueOf(member(member(value, "threadDump"), "processId")));
        dump.stamp.read(text(member(member(value, "threadDump"), "time")));
        for (Object container : list(member(member(value, "threadDump"), "threadContainers"))) {
            list(member(container, "threads")).forEach(this::readThread);
        }
        markUnstarted();
    }

    /**
     * JDK 21 has no mark: a thread without a stack is virtual if others whose names differ in the number are, or if
     * there are more of these than the JVM has of its own.
     */
    private void markUnstarted() {
        Set<String> groups = new HashSet<>();
        Map<String, Integer> sizes = new HashMap<>();
        for (ThreadDraft draft : dump.threads()) {
            if (!draft.stack.isEmpty()
                    && draft.stack.get(draft.stack.size() - 1).getClassName().equals("java.lang.VirtualThread")) {
                groups.add(group(draft));
            }
        }
        dump.threads().stream()
                .filter(draft -> draft.stack.isEmpty() && !group(draft).equals(draft.name))
                .filter(draft -> !draft.name.contains("CompilerThread"))
                .filter(draft -> sizes.merge(group(draft), 1, Integer::sum) == MOST_OF_JVM)
                .forEach(draft -> groups.add(group(draft)));
        dump.threads().stream()
                .filter(draft -> draft.stack.isEmpty() && groups.contains(group(draft)))
                .forEach(ThreadDraft::isVirtual);
    }

    private static String group(ThreadDraft draft) {
        return Unlisted.group(draft.name);
    }

    private void readThread(Object thread) {
        ThreadDraft draft = new ThreadDraft(text(member(thread, "name")), false);
        dump.add(draft);
        boolean mayBeVirtual =
                text(member(thread, "virtual")).equals("true") || draft.name.isEmpty(); // JDK 21 has no mark
        if (mayBeVirtual && member(thread, "stack") instanceof List<?>) { // otherwise the dump breaks off here
            draft.isVirtual();
            virtualNumber(text(member(thread, "tid"))).ifPresent(draft::nativeId);
        }
        draft.id = Optional.of(text(member(thread, "tid")));
        readState(draft, text(member(thread, "state")));
        for (Object frame : list(member(thread, "stack"))) {
            cache.frame(text(frame))
                    .ifPresentOrElse(draft.stack::add, () -> problem(draft, "not a frame: " + text(frame)));
        }
        lock(text(member(thread, "blockedOn"))).ifPresent(draft::waitsFor);
        Object parked = member(thread, "parkBlocker");
        lock(text(member(parked, "object"))).ifPresent(draft::waitsFor);
        String owner = text(member(parked, "owner"));
        if (!owner.isEmpty()) {
            draft.heldBy = Optional.of(owner);
        }
        lock(text(member(thread, "waitingOn"))).ifPresent(draft::waitsOn);
        for (Object owned : list(member(thread, "monitorsOwned"))) {
            list(member(owned, "locks")).forEach(lock -> draft.holds(text(lock)));
        }
    }

    private static OptionalLong virtualNumber(String tid) {
        boolean isNumber =
                !tid.isEmpty() && tid.length() < 19 && tid.chars().allMatch(each -> each >= '0' && each <= '9');
        return isNumber ? OptionalLong.of(Long.parseLong(tid)) : OptionalLong.empty();
    }

    private void readState(ThreadDraft draft, String state) {
        if (state.isEmpty()) {
            return;
        }
        try {
            draft.state(Thread.State.valueOf(state));
        } catch (IllegalArgumentException e) {
            problem(draft, "not a state: " + state);
        }
    }

    private void problem(ThreadDraft draft, String what) {
        problems.add(dump.firstLine, "thread " + draft.name + ": " + what);
    }

    /** Reads {@code com.example.Orders@4f663fa0}. */
    static Optional<Lock> lock(String identity) {
        int at = identity.lastIndexOf('@');
        return identity.isEmpty()
                ? Optional.empty()
                : Optional.of(new Lock(identity, at < 0 ? identity : identity.substring(0, at)));
    }

    static @Nullable Object member(@Nullable Object object, String name) {
        return object instanceof Map<?, ?> members ? members.get(name) : null;
    }

    static List<?> list(@Nullable Object value) {
        return value instanceof List<?> list ? list : List.of();
    }

    static String text(@Nullable Object value) {
        return value instanceof String text && !text.equals("null") ? text : "";
    }
}
