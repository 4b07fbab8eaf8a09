package io.lifeguard.pool.tools.dumps;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.schema.Json;
import io.lifeguard.pool.tools.jvm.CannotLookException;
import io.lifeguard.pool.tools.jvm.Jcmd;
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
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One or more thread dumps, and what their threads do together: how many threads do what at which place, which locks
 * they wait for, and which deadlocks there are. Immutable.
 *
 * <pre>{@code
 * System.out.println(ThreadDumps.read(Path.of("console.log")).ofPool("orders").toText(10));
 * }</pre>
 */
public final class ThreadDumps {

    /** A dump of very many threads takes long. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** The part of a thread's name that follows the pool's name. */
    private static final String NUMBER = "-(thread-|worker-)?\\d+";

    private static final Pattern POOL_THREAD = Pattern.compile("(.+?)" + NUMBER);

    private final List<ThreadDump> dumps;
    private final Said said;
    private final Pattern names;
    private final boolean severalProcesses;

    private ThreadDumps(List<ThreadDump> dumps, Said said, Pattern names) {
        this.dumps = List.copyOf(dumps);
        this.said = said;
        this.names = names;
        this.severalProcesses = dumps.stream()
                        .map(Movements::address)
                        .filter(address -> !address.isEmpty())
                        .distinct()
                        .count()
                > 1;
    }

    /**
     * Reads dumps from a file. It may hold any number of dumps by {@code jstack}, {@code jcmd Thread.print},
     * {@code kill -3} and {@code jcmd Thread.dump_to_file} (plain or JSON), of JDK 8 to 25, with other text between
     * them. What cannot be read is listed in {@link #problems()}. The rest is used.
     *
     * @param file the file, in UTF-8, or in UTF-16 with a byte order mark. Bytes that are neither are tolerated
     * @return the file's dumps
     * @throws IOException if the file cannot be read
     */
    public static ThreadDumps read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return read(String.valueOf(file.getFileName()), in);
        }
    }

    /**
     * Reads dumps from a stream, as from a file. Does not close the stream.
     *
     * @param source the stream's name in messages, not null
     * @param in the bytes, not null
     * @return the stream's dumps
     * @throws IOException if the stream cannot be read
     */
    public static ThreadDumps read(String source, InputStream in) throws IOException {
        Objects.requireNonNull(source, "source must not be null");
        Objects.requireNonNull(in, "in must not be null");
        return new Sources().read(source, in);
    }

    /**
     * Reads dumps from a text.
     *
     * @param source the text's name in messages, not null
     * @param text the text, not null
     * @return the text's dumps
     */
    public static ThreadDumps parse(String source, String text) {
        Objects.requireNonNull(source, "source must not be null");
        try {
            return read(
                    source, new StringReader(Objects.requireNonNull(text, "text must not be null")), new StackCache());
        } catch (IOException e) {
            throw new UncheckedIOException("a StringReader does not fail", e);
        }
    }

    private static ThreadDumps read(String source, Reader in, StackCache cache) throws IOException {
        ReadProblems problems = new ReadProblems(source);
        DumpReader reader = new DumpReader(source, in, problems, cache);
        List<ThreadDump> dumps = reader.read();
        if (dumps.isEmpty() && problems.isEmpty()) {
            problems.add(1, "no thread dump in it");
        }
        Said said = new Said(problems.lines(), problems.doubts(), reader.taken(), problems.notes());
        return new ThreadDumps(dumps, said, Pattern.compile(""));
    }

    /**
     * Takes one dump of another JVM, with the JDK's {@code jcmd}. The JVM stops all threads of that process meanwhile.
     *
     * @param pid the number of a process of the same user
     * @return the dump
     * @throws IOException if there is no {@code jcmd}, or the process is not a JVM of the same user
     */
    public static ThreadDumps ofProcess(long pid) throws IOException {
        try {
            ThreadDumps dumps = parse("process " + pid, Jcmd.run(PATIENCE, pid, "Thread.print", "-l"));
            if (!dumps.dumps.isEmpty()) {
                return dumps;
            }
            throw new IOException("no thread dump in the answer");
        } catch (CannotLookException e) {
            throw new IOException(e.sentence(), e);
        } catch (IOException e) {
            throw new IOException(
                    "jcmd " + pid + " Thread.print failed: is it a running JVM of this user? jps lists them", e);
        }
    }

    /**
     * Adds other dumps to these.
     *
     * @param others the other dumps, not null
     * @return all dumps, with the choice of names of this object
     */
    public ThreadDumps and(ThreadDumps others) {
        Objects.requireNonNull(others, "others must not be null");
        return new ThreadDumps(both(dumps, others.dumps), said.and(others.said), names);
    }

    /**
     * Chooses the threads whose names contain a match. Holders of locks and members of deadlocks are named even when
     * they are not chosen.
     *
     * @param pattern what to look for in names, not null
     * @return the same dumps with this choice
     */
    public ThreadDumps named(Pattern pattern) {
        return new ThreadDumps(dumps, said, Objects.requireNonNull(pattern, "pattern must not be null"));
    }

    /**
     * Chooses the threads of a pool, by their usual names: {@code orders-7}, {@code orders-thread-7},
     * {@code orders-worker-7}.
     *
     * @param pool the pool's name, not null
     * @return the same dumps with this choice
     */
    public ThreadDumps ofPool(String pool) {
        Objects.requireNonNull(pool, "pool must not be null");
        return named(Pattern.compile("^" + Pattern.quote(pool) + NUMBER + "$"));
    }

    /** {@return the names for which {@link #ofPool} finds threads, those with most threads first} */
    public List<String> poolNames() {
        Map<String, Integer> counts = new LinkedHashMap<>();
        threads()
                .map(thread -> POOL_THREAD.matcher(thread.name()))
                .filter(Matcher::matches)
                .forEach(matcher -> counts.merge(matcher.group(1), 1, Integer::sum));
        return counts.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue()
                        .reversed()
                        .thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** {@return the dumps in the order in which they were read, with all their threads, also those not chosen} */
    public List<ThreadDump> dumps() {
        return dumps;
    }

    /** {@return what could not be read: for each problem one line with the file, the line, and what is wrong there} */
    public List<String> problems() {
        return said.problems;
    }

    /**
     * {@return what was taken away from around the lines of the dumps, as prefixes of logs, HTML, escapes and wrapping:
     * one entry for each kind and source, with the number of lines}
     */
    public List<String> taken() {
        return said.taken;
    }

    /**
     * Lists what is missing from the dumps, because of which a deadlock may be missing as well: the end of a dump,
     * stacks of threads, lines about locks, or a deadlock that the JVM itself names.
     *
     * @return one clause for each; empty when the dumps are whole
     */
    public List<String> doubts() {
        return said.doubts;
    }

    /**
     * Counts how many of the chosen threads do what, where. Places in one method count as one. Idle threads of pools,
     * threads that wait for events of the network, and the JVM's own threads are one group each.
     *
     * @return groups that wait within the process first, idle ones last, and larger ones before others that do the same
     */
    public List<Group> groups() {
        return Groups.of(threads(), dumps.size());
    }

    /** {@return how many of the chosen threads a dump has in each state on average; without states that none has} */
    public Map<Thread.State, Double> states() {
        Map<Thread.State, Double> states = new EnumMap<>(Thread.State.class);
        threads().forEach(thread -> states.merge(thread.state(), mean(1), Double::sum));
        return states;
    }

    /**
     * Lists the locks that chosen threads wait for: monitors, and locks of {@code java.util.concurrent.locks}. A lock
     * that the garbage collector moved between two dumps is listed twice.
     *
     * @return the lock with most waiters first
     */
    public List<LockQueue> locks() {
        Map<List<String>, LockQueue> queues = new LinkedHashMap<>();
        for (ThreadDump dump : dumps) {
            DumpPicture picture = dump.picture();
            dump.threads().stream()
                    .filter(this::isChosen)
                    .filter(DumpedThread::wantsLock)
                    .forEach(thread -> {
                        DumpedThread.Lock lock = thread.waitsFor().orElseThrow();
                        Optional<DumpedThread> owner = picture.holder(lock);
                        queues.merge(
                                List.of(process(dump), lock.identity()),
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

    /** {@return the dumps of each process, compared, in the order in which the first ones were read} */
    public List<Series> series() {
        return Movements.of(dumps, this::isChosen);
    }

    /**
     * Finds threads that wait for each other's locks in a circle. Compares what each thread holds and wants, so it also
     * finds deadlocks that the dump does not list. For locks of {@code java.util.concurrent} the dump must say who
     * holds them ({@code jstack -l}).
     *
     * @return each circle once, whatever threads are chosen
     */
    public List<List<DumpedThread>> deadlocks() {
        Map<String, List<DumpedThread>> circles = new LinkedHashMap<>(); // several dumps may show the same one
        for (ThreadDump dump : dumps) {
            dump.picture().circles().forEach(circle -> circles.putIfAbsent(process(dump) + key(circle), circle));
        }
        return List.copyOf(circles.values());
    }

    /**
     * Two processes may have locks at the same address. Of one process, forms that do not say it show the same locks.
     */
    private String process(ThreadDump dump) {
        return severalProcesses ? Movements.address(dump) : "";
    }

    /** The collector moves locks between two dumps, so the system's number of a thread is better than its lock's. */
    private static String key(List<DumpedThread> circle) {
        return circle.stream()
                .map(thread -> thread.name()
                        + '\n'
                        + (thread.nativeId().isPresent()
                                ? String.valueOf(thread.nativeId().getAsLong())
                                : thread.waitsFor()
                                        .map(DumpedThread.Lock::identity)
                                        .orElse("")))
                .sorted()
                .collect(Collectors.joining("\n"));
    }

    /**
     * {@return a sentence for each dump in which virtual threads were started and have not run, because all carriers
     * are taken} Those of {@code Thread.dump_to_file} alone show it.
     */
    public List<String> starvations() {
        return dumps.stream().map(Starvation::in).flatMap(Optional::stream).toList();
    }

    /**
     * Writes everything as text for people.
     *
     * @param top how many groups and locks to show, at least 1
     * @return lines, each of which ends with a line break
     * @throws IllegalArgumentException if top is less than 1
     */
    public String toText(int top) {
        return TextReport.of(this, top);
    }

    /** {@return everything as JSON (RFC 8259), which is one object} */
    public String toJson() {
        return toJson(Map.of());
    }

    /**
     * {@return everything as JSON, with the sources that could not be read}
     *
     * @param notLookedAt why a source could not be read, by its name
     */
    public String toJson(Map<String, String> notLookedAt) {
        return Json.lines(JsonReport.of(this, notLookedAt));
    }

    /** {@return the same as {@link #toJson()}, before it is text: maps, lists, numbers and text} */
    public Map<String, Object> toMap() {
        return JsonReport.of(this, Map.of());
    }

    Set<String> notes() {
        return said.notes;
    }

    /** Returns how many chosen threads a dump has on average. */
    double threadsPerDump() {
        return mean((int) threads().count());
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

    private static <T> List<T> both(List<T> first, List<T> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }

    /** What is said of the reading: what could not be read, why a deadlock may be missing, and so on. */
    private record Said(List<String> problems, List<String> doubts, List<String> taken, Set<String> notes) {

        private Said and(Said others) {
            Set<String> all =
                    Stream.concat(notes.stream(), others.notes.stream()).collect(Collectors.toSet());
            return new Said(
                    both(problems, others.problems), both(doubts, others.doubts), both(taken, others.taken), all);
        }
    }

    /**
     * Threads that do the same at the same place.
     *
     * @param doing what the threads do
     * @param place the first frame that is the user's own, with all lines of its method; empty for the idle threads of
     *     pools, and words for other groups of idle threads
     * @param threads how many threads a dump has of them on average
     */
    public record Group(Doing doing, String place, double threads) {}

    /**
     * A lock and the threads that wait for it.
     *
     * @param lock the lock's address, or its class and hash code
     * @param type the lock's class
     * @param waiters how many threads wait for the lock, on average over all dumps
     * @param place where one of them waits
     * @param owner the thread that held the lock in the latest dump that says so
     */
    public record LockQueue(String lock, String type, double waiters, String place, Optional<DumpedThread> owner) {

        private LockQueue and(LockQueue later) {
            return new LockQueue(lock, type, waiters + later.waiters, place, later.owner.or(() -> owner));
        }
    }

    /**
     * The dumps of one process, and which of the chosen threads that are in all of them moved. Dumps in a form that
     * does not say the process are taken for those of one process if they are in one folder.
     *
     * @param process the process's number; empty where no dump says it
     * @param dumps the dumps, earliest first, or as they were read where one does not say when it was taken
     * @param threads how many threads are in all of them. Those that cannot be told apart, because they share name and
     *     number, are not counted
     * @param idle how many of these had nothing to do in any dump
     * @param standing the others that had the same stack each time, most threads first
     */
    public record Series(String process, List<ThreadDump> dumps, int threads, int idle, List<Standing> standing) {

        /** {@return how many of the threads were elsewhere in at least one of the dumps} */
        public int moved() {
            return threads
                    - idle
                    - standing.stream().mapToInt(each -> each.names().size()).sum();
        }
    }

    /**
     * A stack in which threads stand in all dumps of a process.
     *
     * @param doing what the threads do
     * @param place the first frame that is the user's own
     * @param stack the stack, top first
     * @param names the threads' names
     */
    public record Standing(Doing doing, String place, List<StackTraceElement> stack, List<String> names) {}

    /** Reads sources one after the other, and keeps what their dumps have in common once. Not thread-safe. */
    public static final class Sources {

        private final StackCache cache = new StackCache();

        /** Creates a reader that has read nothing yet. */
        public Sources() {}

        /**
         * Reads dumps from a stream. Does not close the stream.
         *
         * @param source the stream's name in messages, not null
         * @param in the bytes, not null
         * @return the stream's dumps
         * @throws IOException if the stream cannot be read
         */
        public ThreadDumps read(String source, InputStream in) throws IOException {
            List<ThreadDumps> all = new ArrayList<>();
            SourceBytes.read(source, in, (name, text) -> all.add(ThreadDumps.read(name, text, cache)));
            return all.stream().reduce(ThreadDumps::and).orElseGet(() -> parse(source, ""));
        }
    }
}
