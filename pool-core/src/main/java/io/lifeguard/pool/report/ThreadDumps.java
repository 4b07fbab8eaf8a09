package io.lifeguard.pool.report;

import io.lifeguard.pool.diagnosis.Doing;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the threads of one or more dumps do, together: how many do what where, which locks they wait for, and which deadlocks there are. Immutable.
 *
 * <pre>{@code
 * System.out.println(ThreadDumps.read(Path.of("console.log")).ofPool("orders").toText(10));
 * }</pre>
 */
public final class ThreadDumps {

    /** What follows a pool's name in those of its threads. */
    private static final String NUMBER = "-(thread-|worker-)?\\d+";

    private static final Pattern OF_POOL = Pattern.compile("(.+?)" + NUMBER);

    private final List<ThreadDump> dumps;
    private final List<String> problems;
    private final Pattern names;

    private ThreadDumps(List<ThreadDump> dumps, List<String> problems, Pattern names) {
        this.dumps = List.copyOf(dumps);
        this.problems = List.copyOf(problems);
        this.names = names;
    }

    /**
     * Reads dumps from a file: any number of what {@code jstack}, {@code jcmd Thread.print}, {@code kill -3} and
     * {@code jcmd Thread.dump_to_file} (plain or JSON) print, of JDK 8 to 25, with other lines in between. What cannot be read is in
     * {@link #problems()}, the rest is used.
     *
     * @param file the file, in UTF-8, or in UTF-16 with a byte order mark; bytes that are neither are tolerated
     * @return its dumps
     * @throws IOException if it cannot be read
     */
    public static ThreadDumps read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return read(String.valueOf(file.getFileName()), in);
        }
    }

    /**
     * Reads dumps from a stream, as from a file. Does not close it.
     *
     * @param source how to call it in messages, not null
     * @param in the bytes, not null
     * @return its dumps
     * @throws IOException if it cannot be read
     */
    public static ThreadDumps read(String source, InputStream in) throws IOException {
        Objects.requireNonNull(source, "source must not be null");
        Objects.requireNonNull(in, "in must not be null");
        return read(source, DumpReader.decoded(in));
    }

    /**
     * Reads dumps from a text.
     *
     * @param source how to call it in messages, not null
     * @param text the text, not null
     * @return its dumps
     */
    public static ThreadDumps parse(String source, String text) {
        Objects.requireNonNull(source, "source must not be null");
        try {
            return read(source, new StringReader(Objects.requireNonNull(text, "text must not be null")));
        } catch (IOException ofAString) {
            throw new UncheckedIOException(ofAString);
        }
    }

    private static ThreadDumps read(String source, Reader in) throws IOException {
        Problems problems = new Problems(source);
        List<ThreadDump> dumps = new DumpReader(source, in, problems).read();
        if (dumps.isEmpty() && problems.isEmpty()) {
            problems.add(1, "no thread dump in it");
        }
        return new ThreadDumps(dumps, problems.lines(), Pattern.compile(""));
    }

    /**
     * Takes dumps of this process; it stands still for each. Virtual threads are not in them.
     *
     * @param count how many, at least 1
     * @param interval the time between two, not null, not negative
     * @return the dumps
     * @throws IllegalArgumentException if count is less than 1 or the interval is negative
     * @throws InterruptedException if interrupted while waiting for the next
     */
    public static ThreadDumps live(int count, Duration interval) throws InterruptedException {
        if (count < 1) {
            throw new IllegalArgumentException("count must be >= 1 (was " + count + ")");
        }
        if (Objects.requireNonNull(interval, "interval must not be null").isNegative()) {
            throw new IllegalArgumentException("interval must not be negative (was " + interval + ")");
        }
        List<ThreadDump> dumps = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (i > 0) {
                Thread.sleep(interval.toMillis());
            }
            dumps.add(LiveDumps.take("live:" + (i + 1)));
        }
        return new ThreadDumps(dumps, List.of(), Pattern.compile(""));
    }

    /**
     * These dumps and others.
     *
     * @param others not null
     * @return all of them, with this one's choice of names
     */
    public ThreadDumps and(ThreadDumps others) {
        Objects.requireNonNull(others, "others must not be null");
        return new ThreadDumps(
                Stream.concat(dumps.stream(), others.dumps.stream()).toList(),
                Stream.concat(problems.stream(), others.problems.stream()).toList(),
                names);
    }

    /**
     * Only the threads whose names contain a match. Holders of locks and members of deadlocks are still named when they are others.
     *
     * @param pattern what to look for in names, not null
     * @return these dumps, seen so
     */
    public ThreadDumps named(Pattern pattern) {
        return new ThreadDumps(dumps, problems, Objects.requireNonNull(pattern, "pattern must not be null"));
    }

    /**
     * Only the threads of a pool, by their usual names: {@code orders-7}, {@code orders-thread-7}.
     *
     * @param pool the pool's name, not null
     * @return these dumps, seen so
     */
    public ThreadDumps ofPool(String pool) {
        Objects.requireNonNull(pool, "pool must not be null");
        return named(Pattern.compile("^" + Pattern.quote(pool) + NUMBER + "$"));
    }

    /** The names for which {@link #ofPool} finds threads, those with most threads first. */
    List<String> pools() {
        Map<String, Integer> counts = new LinkedHashMap<>();
        threads()
                .map(thread -> OF_POOL.matcher(thread.name()))
                .filter(Matcher::matches)
                .forEach(matcher -> counts.merge(matcher.group(1), 1, Integer::sum));
        return counts.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue()
                        .reversed()
                        .thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /**
     * The dumps, unfiltered.
     *
     * @return in the order in which they were read
     */
    public List<ThreadDump> dumps() {
        return dumps;
    }

    /**
     * What could not be read.
     *
     * @return one line each: file, line, and what is wrong there
     */
    public List<String> problems() {
        return problems;
    }

    /**
     * How many threads do what, where.
     *
     * @return largest first
     */
    public List<Group> groups() {
        Map<List<Object>, Integer> counts = new LinkedHashMap<>();
        threads().forEach(thread -> counts.merge(List.of(thread.doing(), thread.place()), 1, Integer::sum));
        return counts.entrySet().stream()
                .map(entry -> new Group(
                        (Doing) entry.getKey().get(0), (String) entry.getKey().get(1), mean(entry.getValue())))
                .sorted(Comparator.comparingDouble(Group::threads).reversed().thenComparing(Group::place))
                .toList();
    }

    /**
     * The locks that threads wait for: monitors, and those of {@code java.util.concurrent.locks}. One that moved in memory between two dumps is
     * counted as two.
     *
     * @return most waiters first
     */
    public List<LockQueue> locks() {
        Map<String, LockQueue> queues = new LinkedHashMap<>();
        for (ThreadDump dump : dumps) {
            Map<String, DumpedThread> owners = dump.owners();
            dump.threads().stream()
                    .filter(this::isChosen)
                    .filter(ThreadDumps::wantsLock)
                    .forEach(thread -> {
                        DumpedThread.Lock lock = thread.waitsFor().orElseThrow();
                        Optional<DumpedThread> owner = Optional.ofNullable(owners.get(lock.identity()));
                        queues.merge(
                                lock.identity(),
                                new LockQueue(lock.identity(), lock.type(), mean(1), thread.place(), owner),
                                LockQueue::and);
                    });
        }
        return queues.values().stream()
                .sorted(Comparator.comparingDouble(LockQueue::waiters)
                        .reversed()
                        .thenComparing(LockQueue::lock))
                .toList();
    }

    /**
     * Threads that wait for each other's locks in a circle. Found from what each holds and wants, so also where the dump does not list
     * them; for locks of {@code java.util.concurrent} the dump must say who holds them ({@code jstack -l}).
     *
     * @return each circle once, whatever names are chosen
     */
    public List<List<DumpedThread>> deadlocks() {
        Map<Set<String>, List<DumpedThread>> circles = new LinkedHashMap<>();
        for (ThreadDump dump : dumps) {
            Map<String, DumpedThread> owners = dump.owners();
            for (DumpedThread thread : dump.threads()) {
                List<DumpedThread> circle = circle(thread, owners);
                if (!circle.isEmpty()) {
                    Set<String> members = new HashSet<>();
                    circle.forEach(member -> members.add(member.name()));
                    circles.putIfAbsent(members, circle);
                }
            }
        }
        return List.copyOf(circles.values());
    }

    /**
     * All of it as text for people.
     *
     * @param top how many groups and locks to show, at least 1
     * @return lines, the last one ended as well
     */
    public String toText(int top) {
        return new DumpText(this, top).toString();
    }

    /** How many threads there are, in the mean over the dumps. */
    double threadsPerDump() {
        return mean((int) threads().count());
    }

    private static List<DumpedThread> circle(DumpedThread first, Map<String, DumpedThread> owners) {
        Set<DumpedThread> way = new LinkedHashSet<>();
        DumpedThread next = first;
        while (next != null && way.add(next)) {
            next = holder(next, owners);
        }
        return first.equals(next) && way.size() > 1 ? List.copyOf(way) : List.of();
    }

    private static @Nullable DumpedThread holder(DumpedThread waiter, Map<String, DumpedThread> owners) {
        return waiter.waitsFor().map(lock -> owners.get(lock.identity())).orElse(null);
    }

    private static boolean wantsLock(DumpedThread thread) {
        return thread.waitsFor().isPresent()
                && (thread.doing() == Doing.BLOCKED_ON_MONITOR || thread.doing() == Doing.BLOCKED_ON_LOCK);
    }

    private Stream<DumpedThread> threads() {
        return dumps.stream().flatMap(dump -> dump.threads().stream()).filter(this::isChosen);
    }

    private boolean isChosen(DumpedThread thread) {
        return names.matcher(thread.name()).find();
    }

    private double mean(int count) {
        return dumps.isEmpty() ? 0 : (double) count / dumps.size();
    }

    /**
     * Threads that do the same at the same place.
     *
     * @param doing what
     * @param place the first frame that is the user's own; empty for those that are idle
     * @param threads how many, in the mean over the dumps
     */
    public record Group(Doing doing, String place, double threads) {}

    /**
     * A lock and those who wait for it.
     *
     * @param lock its address, or class and hash code
     * @param type its class
     * @param waiters how many threads wait for it, in the mean over the dumps
     * @param place where one of them waits
     * @param owner the thread that held it last, where the dump says so
     */
    public record LockQueue(String lock, String type, double waiters, String place, Optional<DumpedThread> owner) {

        private LockQueue and(LockQueue later) {
            return new LockQueue(lock, type, waiters + later.waiters, place, later.owner.or(() -> owner));
        }
    }
}
