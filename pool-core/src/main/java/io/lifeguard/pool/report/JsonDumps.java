package io.lifeguard.pool.report;

import io.lifeguard.pool.report.DumpedThread.Lock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the JSON form of {@code jcmd Thread.dump_to_file}, of JDK 21 (without states and locks) and later. Not thread-safe. */
final class JsonDumps {

    private final String source;
    private final int firstLine;
    private final Problems problems;
    private String text = "";
    private @Nullable Map<String, Integer> lines; // of its strings; null before the first problem
    private final List<ThreadDraft> drafts = new ArrayList<>();
    private final Map<String, ThreadDraft> byId = new HashMap<>(); // names are not unique, virtual threads have none
    private final Map<String, String> ownerIds = new HashMap<>(); // by lock

    JsonDumps(String source, int firstLine, Problems problems) {
        this.source = source;
        this.firstLine = firstLine;
        this.problems = problems;
    }

    List<ThreadDump> read(String json) {
        text = json;
        Json.Reading reading = Json.read(json, firstLine);
        reading.problem().ifPresent(problem -> problems.add(reading.line(), problem));
        if (!(member(reading.value(), "threadDump") instanceof Map<?, ?> dump)) {
            problems.add(firstLine, "no \"threadDump\" in it");
            return List.of();
        }
        for (Object container : list(member(dump, "threadContainers"))) {
            list(member(container, "threads")).forEach(this::thread);
        }
        ownerIds.forEach((lock, id) -> {
            ThreadDraft owner = byId.get(id);
            if (owner != null) {
                owner.holds(lock);
            }
        });
        List<DumpedThread> threads =
                drafts.stream().flatMap(draft -> draft.build().stream()).toList();
        return List.of(new ThreadDump(source + ":" + firstLine, threads, Map.of()));
    }

    private void thread(Object thread) {
        ThreadDraft draft = new ThreadDraft(text(member(thread, "name")), false);
        drafts.add(draft);
        byId.put(text(member(thread, "tid")), draft);
        state(draft, text(member(thread, "state")));
        for (Object frame : list(member(thread, "stack"))) {
            FrameReader.parse(text(frame))
                    .ifPresentOrElse(draft.stack::add, () -> problem(draft, "not a frame", text(frame)));
        }
        wants(draft, member(thread, "blockedOn"));
        Object parked = member(thread, "parkBlocker");
        wants(draft, member(parked, "object"));
        String owner = text(member(parked, "owner"));
        if (!owner.isEmpty()) {
            ownerIds.put(text(member(parked, "object")), owner);
        }
        draft.waitsInMonitor(text(member(thread, "waitingOn")));
        for (Object owned : list(member(thread, "monitorsOwned"))) {
            list(member(owned, "locks")).forEach(lock -> draft.holds(text(lock)));
        }
    }

    private void state(ThreadDraft draft, String state) {
        if (state.isEmpty()) {
            return;
        }
        try {
            draft.state(Thread.State.valueOf(state));
        } catch (IllegalArgumentException unknown) {
            problem(draft, "not a state", state);
        }
    }

    /** The first line that has it; the dump's where none has, since it is no string. */
    private void problem(ThreadDraft draft, String what, String value) {
        Map<String, Integer> known = lines;
        if (known == null) {
            known = Json.linesOfStrings(text, firstLine);
            lines = known;
        }
        problems.add(known.getOrDefault(value, firstLine), "thread " + draft.name + ": " + what + ": " + value);
    }

    private static void wants(ThreadDraft draft, @Nullable Object lock) {
        String identity = text(lock);
        if (!identity.isEmpty()) {
            int at = identity.lastIndexOf('@');
            draft.wants(new Lock(identity, at < 0 ? identity : identity.substring(0, at)));
        }
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
