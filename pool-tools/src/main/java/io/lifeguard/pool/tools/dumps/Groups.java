package io.lifeguard.pool.tools.dumps;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.tools.dumps.ThreadDumps.Group;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Groups threads by what they do in which method. Stateless. */
final class Groups {

    /** The place of the group of threads that wait for the network, which pools may share. */
    static final String SELECTORS = "selectors and acceptors";

    static final String JVM = "the JVM's own threads";

    /** Those of the JVM's threads that run Java. */
    private static final Set<String> OWN =
            Set.of("Reference Handler", "Finalizer", "Common-Cleaner", "Signal Dispatcher", "Notification Thread");

    /** Waits within the process come first, then calls to outside, then what needs no repair. */
    private static final List<Doing> BY_INTEREST = List.of(
            Doing.WAITING_FOR_LOCK,
            Doing.WAITING_IN_LINE,
            Doing.WAITING_FOR_RESULT,
            Doing.WAITING_OUTSIDE,
            Doing.WAITING_FOR_CPU,
            Doing.COMPUTING,
            Doing.UNKNOWN,
            Doing.SLEEPING,
            Doing.IDLE);

    /** {@code com.example.Orders.load(Orders.java:42)}. */
    private static final Pattern LINE = Pattern.compile("(.*:)(\\d+)\\)", Pattern.DOTALL);

    private Groups() {}

    /**
     * Returns the groups, waiting ones first and idle ones last, with the mean numbers of their threads in so many
     * dumps.
     */
    static List<Group> of(Stream<DumpedThread> threads, int dumps) {
        Map<List<Object>, Map<String, Integer>> places = new LinkedHashMap<>();
        Map<String, String> methods = new HashMap<>(); // by place
        List<DumpedThread> all = threads.toList();
        Set<DumpedThread> idle = idle(all);
        all.forEach(thread -> {
            String place = place(thread);
            Doing doing = idle.contains(thread) ? Doing.IDLE : thread.doing();
            places.computeIfAbsent(
                            List.of(doing, methods.computeIfAbsent(place, Groups::withoutLine)),
                            key -> new LinkedHashMap<>())
                    .merge(place, 1, Integer::sum);
        });
        return places.entrySet().stream()
                .map(entry -> new Group(
                        (Doing) entry.getKey().get(0),
                        joined(entry.getValue().keySet()),
                        entry.getValue().values().stream().mapToDouble(n -> n).sum() / dumps))
                .sorted(Comparator.<Group>comparingInt(group -> BY_INTEREST.indexOf(group.doing()))
                        .thenComparing(
                                Comparator.comparingDouble(Group::threads).reversed())
                        .thenComparing(Group::place))
                .toList();
    }

    /** Returns those of these threads that have nothing to do, by their identity. */
    static Set<DumpedThread> idle(List<DumpedThread> threads) {
        Set<DumpedThread> idle = IdleThreads.among(threads);
        threads.stream()
                .filter(thread -> isJvm(thread) || Selectors.doing(thread) == Doing.IDLE)
                .forEach(idle::add);
        return idle;
    }

    private static boolean isJvm(DumpedThread thread) {
        return OWN.contains(thread.name());
    }

    private static String place(DumpedThread thread) {
        if (isJvm(thread)) {
            return JVM;
        }
        return Selectors.isSelecting(thread.stack()) ? SELECTORS : thread.place();
    }

    private static String withoutLine(String place) {
        Matcher matcher = LINE.matcher(place);
        return matcher.matches() ? matcher.group(1) : place;
    }

    /** Returns {@code com.example.Orders.load(Orders.java:42,57)} for two lines of one method. */
    private static String joined(Set<String> places) {
        TreeSet<Integer> lines = new TreeSet<>();
        for (String place : places) {
            Matcher matcher = LINE.matcher(place);
            if (matcher.matches() && matcher.group(2).length() < 9) {
                lines.add(Integer.valueOf(matcher.group(2)));
            }
        }
        String first = places.iterator().next();
        return lines.size() < 2
                ? first
                : withoutLine(first) + lines.stream().map(String::valueOf).collect(Collectors.joining(",")) + ")";
    }
}
