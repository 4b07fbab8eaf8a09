package io.lifeguard.pool.tools.dumps;

import io.lifeguard.pool.tools.dumps.ThreadDumps.Series;
import io.lifeguard.pool.tools.dumps.ThreadDumps.Standing;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Tells which threads moved between the dumps of a process, and which stood where they were. Stateless. */
final class Movements {

    private Movements() {}

    static List<Series> of(List<ThreadDump> dumps, Predicate<DumpedThread> isChosen) {
        Map<String, List<ThreadDump>> processes = new LinkedHashMap<>();
        dumps.forEach(dump ->
                processes.computeIfAbsent(key(dump), key -> new ArrayList<>()).add(dump));
        return processes.values().stream().map(each -> series(each, isChosen)).toList();
    }

    /** Forms that do not say the process, or say a number that containers share, are told apart by their folder. */
    private static String key(ThreadDump dump) {
        String source = dump.source();
        int end = Math.max(source.lastIndexOf('/'), source.lastIndexOf('!'));
        String address = address(dump);
        return address.isEmpty() ? dump.process() + ' ' + source.substring(0, end + 1) : address;
    }

    /** Of the JVM's first thread; {@code jcmd} says the number of the process as well, and {@code jstack} does not. */
    static String address(ThreadDump dump) {
        String process = dump.process();
        return process.contains("@") ? process.substring(process.indexOf('@')) : "";
    }

    private static Series series(List<ThreadDump> read, Predicate<DumpedThread> isChosen) {
        List<ThreadDump> dumps = new ArrayList<>(read);
        if (dumps.stream().noneMatch(dump -> dump.time().isEmpty())) {
            dumps.sort(Comparator.comparing(ThreadDump::time));
        }
        Map<List<Object>, Track> tracks = new LinkedHashMap<>();
        for (ThreadDump dump : dumps) {
            List<DumpedThread> threads =
                    dump.threads().stream().filter(isChosen).toList();
            Set<DumpedThread> idle = Groups.idle(threads);
            Set<List<Object>> seen = new HashSet<>();
            for (DumpedThread thread : threads) {
                List<Object> key = List.of(thread.name(), thread.nativeId());
                Track track = tracks.computeIfAbsent(key, first -> new Track(thread));
                track.see(thread, idle.contains(thread), seen.add(key));
            }
        }
        Collection<Track> all = tracks.values();
        all.removeIf(track -> track.isAmbiguous || track.dumps < dumps.size());
        int idle = (int) all.stream().filter(track -> track.isIdle).count();
        String process = dumps.stream()
                .map(dump -> dump.process()
                        .substring(0, dump.process().length() - address(dump).length()))
                .filter(number -> !number.isEmpty())
                .findFirst()
                .orElse("");
        return new Series(process, List.copyOf(dumps), all.size(), idle, standing(all));
    }

    private static List<Standing> standing(Collection<Track> tracks) {
        Map<List<Object>, Standing> standing = new HashMap<>();
        for (Track track : tracks) {
            if (!track.hasMoved && !track.isIdle) {
                DumpedThread thread = track.first;
                standing.computeIfAbsent(
                                List.of(thread.doing(), thread.stack()),
                                key -> new Standing(thread.doing(), thread.place(), thread.stack(), new ArrayList<>()))
                        .names()
                        .add(thread.name());
            }
        }
        return standing.values().stream()
                .sorted(Comparator.<Standing>comparingInt(each -> -each.names().size())
                        .thenComparing(Standing::place))
                .toList();
    }

    /** One thread through all dumps. Not thread-safe. */
    private static final class Track {

        private final DumpedThread first;
        private int dumps;
        private boolean hasMoved;
        private boolean isIdle = true; // in each dump so far
        private boolean isAmbiguous;

        Track(DumpedThread first) {
            this.first = first;
        }

        void see(DumpedThread thread, boolean isIdleNow, boolean isOnly) {
            dumps++;
            isAmbiguous |= !isOnly;
            isIdle &= isIdleNow;
            hasMoved |= !thread.stack().equals(first.stack());
        }
    }
}
