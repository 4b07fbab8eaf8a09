package io.lifeguard.pool.diagnosis.evidence.stack;

import io.lifeguard.pool.diagnosis.window.Awaited.Result;
import io.lifeguard.pool.diagnosis.window.Doing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What one look saw one worker do. Immutable; holds no thread, so it is kept until the window ends.
 *
 * @param object class and identity of what it waited for; empty when there was nothing
 * @param result whose result it waited for; says nothing when it waited for no result
 * @param mayInitialise whether it ran no code on a CPU outside of native methods, as a thread that waits for the
 *     initialisation of a class does
 */
public record Seen(
        String thread,
        long threadId,
        Stratum stratum,
        Doing doing,
        String place,
        List<StackTraceElement> stack,
        String object,
        Result result,
        boolean mayInitialise) {

    /** Adds one to those of its group. */
    public static <K, V> void add(Map<K, List<V>> groups, K key, V one) {
        List<V> group = groups.get(key);
        if (group == null) {
            group = new ArrayList<>();
            groups.put(key, group);
        }
        group.add(one);
    }

    /** What was seen, by the group of the census. */
    public static Map<Stratum, List<Seen>> byStratum(List<Seen> all) {
        Map<Stratum, List<Seen>> groups = new HashMap<>();
        for (Seen seen : all) {
            add(groups, seen.stratum, seen);
        }
        return groups;
    }

    public Seen doing(Doing instead, String waitsFor) {
        return new Seen(thread, threadId, stratum, instead, place, stack, waitsFor, result, mayInitialise);
    }

    /** The same with the place and the stack of a worker that waited for the same. */
    public Seen at(Seen mate) {
        return new Seen(thread, threadId, stratum, doing, mate.place, mate.stack, object, result, mayInitialise);
    }

    /** The class of what it waited for. */
    public String objectClass() {
        int at = object.indexOf('@');
        return at < 0 ? object : object.substring(0, at);
    }

    public boolean isMonitor() {
        return stratum.state() == Thread.State.BLOCKED;
    }
}
