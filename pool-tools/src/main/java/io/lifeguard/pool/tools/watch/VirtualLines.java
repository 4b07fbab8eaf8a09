package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.diagnosis.evidence.carrier.WaitingLines;
import io.lifeguard.pool.diagnosis.evidence.stack.Waits;
import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.WaitingThreads;
import io.lifeguard.pool.diagnosis.window.WaitingThreads.Kind;
import io.lifeguard.pool.diagnosis.window.WaitingThreads.Stopped;
import io.lifeguard.pool.text.LogText;
import io.lifeguard.pool.text.Units;
import io.lifeguard.pool.tools.dumps.DumpPicture;
import io.lifeguard.pool.tools.dumps.DumpedThread;
import io.lifeguard.pool.tools.dumps.ThreadDump;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Counts the virtual threads of another JVM by what they wait for. Not thread-safe. A queue counts when two dumps have
 * shown it, because one dump does not tell how long it lasts.
 */
final class VirtualLines {

    /** Its bins are short-lived, and each is locked by itself. So two dumps may show one queue at different bins. */
    private static final String MAP = "java.util.concurrent.ConcurrentHashMap$";

    private static final String BIN = "a bin of a ConcurrentHashMap";

    /** The first two dumps are no further apart. */
    private static final Duration STANDS = Duration.ofMillis(900);

    /** As the rule about such threads has it. */
    private static final Duration STANDSTILL = Duration.ofSeconds(4);

    private static final int MANY = 20; // threads that came meanwhile, as the rule has it

    private Map<Line, List<DumpedThread>> before = Map.of();
    private Map<Line, First> first = Map.of();
    private long seenAt;
    private List<WaitingThreads> waiting = List.of();
    private boolean standStill; // threads of a line, in the latest dump
    private Optional<String> unnamed = Optional.empty(); // a wait of which the dumps tell too little, as text

    /**
     * What threads wait for, and where.
     *
     * @param isDoubtful whether it may be a message that comes some day, so that no finding tells it
     */
    private record Line(Kind kind, String object, String place, boolean isDoubtful) {

        Line(Kind kind, String object, String place) {
            this(kind, object, place, false);
        }

        /** {@return whether it is told only while none of the threads gets what it waits for} */
        boolean isToldWhileStopped() {
            return kind == Kind.ROOM || kind == Kind.RESULT;
        }

        boolean isExclusive() {
            return kind == Kind.LOCK || kind == Kind.MONITOR;
        }

        /**
         * {@return those of the threads that wait for one and the same thing} Each bin of a map has a queue of its own;
         * they are those at the bin for which half of all or more wait, if there is one.
         */
        List<DumpedThread> atOneThing(List<DumpedThread> threads) {
            if (!object.endsWith(BIN)) {
                return threads;
            }
            return threads.stream()
                    .collect(Collectors.groupingBy(thread ->
                            thread.waitsFor().map(DumpedThread.Lock::identity).orElse("")))
                    .values()
                    .stream()
                    .filter(some -> 2 * some.size() >= threads.size())
                    .findFirst()
                    .orElse(List.of());
        }
    }

    /** The threads that a dump has shown at a line, of which none has gone on since. */
    private record First(Set<Long> threads, long nanos) {

        First then(Set<Long> now, long nanosNow) {
            return !threads.isEmpty() && now.containsAll(threads) ? this : new First(now, nanosNow);
        }

        Optional<Stopped> stopped(int now, long nanosNow) {
            return threads.isEmpty() || nanosNow <= nanos
                    ? Optional.empty()
                    : Optional.of(new Stopped(Duration.ofNanos(nanosNow - nanos), (long) now - threads.size()));
        }
    }

    void see(ThreadDump dump, long now) {
        Map<Line, First> firsts = new HashMap<>();
        Map<Line, List<DumpedThread>> lines = new HashMap<>();
        List<DumpedThread> all =
                dump.threads().stream().filter(DumpedThread::isVirtual).toList();
        for (DumpedThread thread : all) {
            Line line = line(thread);
            if (line != null) {
                lines.computeIfAbsent(line, key -> new ArrayList<>()).add(thread);
            }
        }
        List<WaitingThreads> found = new ArrayList<>();
        unnamed = Optional.empty();
        standStill = false;
        List<Set<String>> awaitResults = all.stream()
                .filter(thread -> thread.doing() == Doing.WAITING_FOR_RESULT)
                .map(VirtualLines::methods)
                .toList();
        lines.forEach((line, threads) -> {
            int least = Math.min(
                    threads.size(), before.getOrDefault(line, List.of()).size());
            int others = all.size() - threads.size() - haveNothing(awaitResults, threads);
            String holder = line.isExclusive() ? holder(dump, line.atOneThing(threads)) : "";
            Set<Long> ids = ids(threads);
            First since = first.getOrDefault(line, new First(Set.of(), now)).then(ids, now);
            firsts.put(line, since);
            Optional<Stopped> stopped = since.stopped(ids.size(), now);
            if (!line.isDoubtful && (stopped.isPresent() || !line.isToldWhileStopped())) {
                WaitingThreads waiters = waiting(line, threads, least, others, now - seenAt, holder);
                found.add(stopped.map(waiters::stopped).orElse(waiters));
            }
            if (stopped.filter(VirtualLines::isLong).isPresent()) {
                standStill |= stopped.get().length().compareTo(STANDSTILL) >= 0;
                unnamed = Optional.of(Units.format(
                        "%,d virtual threads wait for %s at %s, and none has gone on for %s: dead, or waiting for %s",
                        threads.size(),
                        line.object,
                        line.place,
                        Units.time(stopped.get().length()),
                        line.isDoubtful ? "messages" : "something long"));
            } else if (line.isExclusive() && holder.isEmpty()) {
                unnamed = unnamed.or(() -> stuck(line, threads));
            }
            if (least < MANY && threads.size() >= MANY && threads.size() > others && !line.isToldWhileStopped()) {
                unnamed = unnamed.or(() -> seenOnce(line, threads));
            }
        });
        waiting = found;
        first = firsts;
        before = lines;
        seenAt = now;
    }

    private static boolean isLong(Stopped stopped) {
        return stopped.length().compareTo(STANDS) >= 0 && stopped.begun() >= MANY;
    }

    private static Set<Long> ids(List<DumpedThread> threads) {
        return threads.stream()
                .flatMap(thread -> thread.nativeId().stream().boxed())
                .collect(Collectors.toSet());
    }

    /**
     * Counts the threads that wait for a result and have nothing of what the others wait for: a request that waits for
     * the results of tasks in the queue has nothing. But a thread may wait for a result while it has a permit, in a
     * method in which the others wait for theirs.
     */
    private static int haveNothing(List<Set<String>> awaitResults, List<DumpedThread> waiters) {
        Set<String> methods = methods(waiters.get(0));
        return (int) awaitResults.stream()
                .filter(other -> Collections.disjoint(other, methods))
                .count();
    }

    private static Set<String> methods(DumpedThread thread) {
        return thread.stack().stream()
                .filter(frame -> !UserFrames.isJdk(frame))
                .map(frame -> frame.getClassName() + '.' + frame.getMethodName())
                .collect(Collectors.toSet());
    }

    /**
     * A queue that only the latest dump shows. On full CPUs a dump takes seconds, and the next one may come too late.
     */
    private static Optional<String> seenOnce(Line line, List<DumpedThread> threads) {
        return Optional.of(Units.format(
                "%,d virtual threads wait for %s at %s in the latest dump, and no other tells whether that lasts",
                threads.size(), line.object, line.place));
    }

    /** One that waits for a lock in two dumps, seconds apart. It may wait forever, in a circle that no dump shows. */
    private Optional<String> stuck(Line line, List<DumpedThread> threads) {
        Set<String> earlier = before.getOrDefault(line, List.of()).stream()
                .map(DumpedThread::name)
                .filter(name -> !name.isBlank())
                .collect(Collectors.toSet());
        return threads.stream()
                .map(DumpedThread::name)
                .filter(earlier::contains)
                .findFirst()
                .map(name -> Units.format(
                        "virtual thread %s keeps waiting for %s at %s, and the dumps of this JVM do not tell who holds it",
                        LogText.name(name), line.object, line.place));
    }

    /** Who holds what these threads wait for, and where. Only of monitors a dump says it, since JDK 25. */
    private static String holder(ThreadDump dump, List<DumpedThread> waiters) {
        DumpPicture picture = dump.picture();
        return waiters.stream()
                .findFirst()
                .flatMap(DumpedThread::waitsFor)
                .flatMap(picture::holder)
                .map(VirtualLines::text)
                .or(() -> picture.likelyHolder(waiters).map(thread -> text(thread) + " (by its stack)"))
                .orElse("");
    }

    private static String text(DumpedThread thread) {
        return (thread.name().isEmpty() ? "without a name" : '"' + thread.name() + '"')
                + (thread.place().isEmpty() ? "" : " at " + thread.place());
    }

    private static WaitingThreads waiting(
            Line line, List<DumpedThread> threads, int least, int others, long nanos, String holder) {
        DumpedThread one = threads.get(0);
        return new WaitingThreads(
                "",
                line.kind,
                line.object,
                line.isExclusive() && !Waits.mayBeShared(line.object) ? OptionalInt.of(1) : OptionalInt.empty(),
                OptionalInt.empty(),
                least,
                others,
                2,
                Duration.ofNanos(Math.max(0, nanos)),
                line.place,
                one.stack().stream().map(StackTraceElement::toString).toList(),
                holder,
                Optional.empty());
    }

    private static @Nullable Line line(DumpedThread thread) {
        String object = thread.waitsFor()
                .map(lock -> lock.type().startsWith(MAP) ? BIN : lock.identity())
                .map(identity -> identity.replaceAll("\\$(Nonfair|Fair)?Sync@", "@"))
                .orElse("");
        if (thread.doing() == Doing.WAITING_FOR_LOCK) {
            boolean isMonitor = thread.state() == Thread.State.BLOCKED;
            String what = object.isEmpty()
                    ? (isMonitor ? "a monitor" : "a lock")
                    : (isMonitor ? "the monitor of " : "") + object;
            return new Line(isMonitor ? Kind.MONITOR : Kind.LOCK, what, thread.place());
        }
        if (thread.doing() == Doing.WAITING_FOR_RESULT || thread.doing() == Doing.WAITING_OUTSIDE) {
            return brought(thread);
        }
        if (thread.doing() != Doing.WAITING_IN_LINE) {
            return null;
        }
        String lender = WaitingLines.lender(thread.stack()).orElse("");
        if (!lender.isEmpty()) {
            return new Line(Kind.CONNECTION, lender, thread.place());
        }
        boolean isSemaphore = thread.stack().stream()
                .anyMatch(frame -> frame.getClassName().equals("java.util.concurrent.Semaphore"));
        return isSemaphore
                ? new Line(Kind.PERMIT, object.isEmpty() ? "a semaphore" : object, thread.place())
                : Waits.handOver(thread.stack())
                        .filter(what -> !Waits.forLimitedTime(thread.stack()))
                        .map(what -> new Line(Kind.ROOM, what, thread.place()))
                        .orElseGet(() -> brought(thread));
    }

    private static @Nullable Line brought(DumpedThread thread) {
        return Waits.forLimitedTime(thread.stack())
                ? null
                : new Line(
                        Kind.RESULT,
                        Waits.brought(thread.stack()),
                        thread.place(),
                        thread.doing() != Doing.WAITING_FOR_RESULT);
    }

    /** {@return the queues that two dumps have shown} */
    List<WaitingThreads> waiting() {
        return waiting;
    }

    /** {@return whether more and more threads wait for one thing, and none has gone on for as long as a standstill} */
    boolean standStill() {
        return standStill;
    }

    /** {@return a wait that may last, of which the dumps tell too little; empty when there is none} */
    Optional<String> unnamed() {
        return unnamed;
    }
}
