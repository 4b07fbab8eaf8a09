package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.tools.dumps.DumpedThread;
import io.lifeguard.pool.tools.dumps.ThreadDump;
import io.lifeguard.pool.tools.watch.ThreadShapes.Shaped;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Finds the pools in a thread dump: threads with the frames of a worker, grouped by kind and name. Stateless.
 *
 * <p>Names that differ in a number, mostly at their end, are those of one pool. Two pools with such names look like
 * one.
 */
public final class PoolFinder {

    private static final String SEPARATORS = "-_ .#([{";
    private static final String CLOSING = ")]}";
    private static final String MARKS = "#([{";
    private static final String DIGITS = "0123456789";
    private static final List<String> WORDS = List.of("thread", "worker");

    /** Jetty's acceptors have longer names: {@code qtp1585787493-25-acceptor-0@7a0b-ServerConnector@1b2c{…}}. */
    private static final Pattern JETTY = Pattern.compile("(qtp\\d+)-\\d+.*", Pattern.DOTALL);

    private PoolFinder() {}

    /**
     * A pool in a dump.
     *
     * @param name what the names of its threads have in common
     * @param kind whose workers they are
     * @param workers its threads, at least one
     */
    public record FoundPool(String name, PoolKind kind, List<DumpedThread> workers) {

        /** Copies the list. */
        public FoundPool {
            workers = List.copyOf(workers);
        }
    }

    /**
     * Finds all pools.
     *
     * @return the pools in the order of their first threads, each with a name of its own
     */
    public static List<FoundPool> find(ThreadDump dump) {
        return find(dump, UnaryOperator.identity(), new ThreadShapes()).pools();
    }

    /** The same, where groups of threads may belong to one pool, and with the groups that are no pool. */
    static Shaped find(ThreadDump dump, UnaryOperator<String> poolOfGroup, ThreadShapes shapes) {
        Map<String, Map<PoolKind, List<DumpedThread>>> groups = new LinkedHashMap<>();
        List<DumpedThread> unknown = new ArrayList<>();
        for (DumpedThread thread : dump.threads()) {
            PoolKind kind = PoolKind.of(thread.stack()).orElse(null);
            if (kind == null) {
                unknown.add(thread);
            } else if (!kind.isServing(thread.stack())) {
                groups.computeIfAbsent(poolOfGroup.apply(name(thread.name())), name -> new LinkedHashMap<>())
                        .computeIfAbsent(kind, key -> new ArrayList<>())
                        .add(kind.hasOwnLoop() ? ThreadShapes.withRest(thread) : thread);
            }
        }
        List<FoundPool> pools = new ArrayList<>();
        groups.forEach((name, kinds) -> {
            List<DumpedThread> carriers = kinds.get(PoolKind.CARRIERS);
            List<DumpedThread> idleCarriers = kinds.get(PoolKind.FORK_JOIN);
            if (carriers != null && idleCarriers != null) { // one without a virtual thread looks like any worker
                carriers.addAll(idleCarriers);
                kinds.remove(PoolKind.FORK_JOIN);
            }
            kinds.forEach((kind, workers) -> pools.add(new FoundPool(
                    workers == kinds.values().iterator().next() ? name : name + " (" + kind.words() + ")",
                    kind,
                    workers)));
        });
        Shaped shaped = shapes.group(
                unknown.stream().filter(thread -> !thread.isVirtual()).toList(),
                pools.stream().map(FoundPool::name).collect(Collectors.toSet()));
        List<FoundPool> others = new ArrayList<>(shaped.others());
        pools.forEach(pool -> limited(pool).ifPresent(others::add));
        pools.addAll(shaped.pools());
        return new Shaped(pools, others);
    }

    /** The part of a pool that runs tasks of a dispatcher with a limit. */
    private static Optional<FoundPool> limited(FoundPool pool) {
        List<DumpedThread> workers = pool.workers().stream()
                .filter(worker -> pool.kind().isInLimited(worker.stack()))
                .toList();
        return workers.isEmpty()
                ? Optional.empty()
                : Optional.of(new FoundPool(pool.name() + " (IO or limited)", pool.kind(), workers));
    }

    /** {@return whether a thread works for a pool of a known kind} */
    public static boolean isWorker(List<StackTraceElement> stack) {
        return PoolKind.of(stack).isPresent();
    }

    /** {@return the name of the pool to which a thread of such a name belongs; the name itself without a number} */
    public static String name(String thread) {
        Matcher jetty = JETTY.matcher(thread);
        if (jetty.matches()) {
            return jetty.group(1);
        }
        int pool = thread.startsWith("Thread-") ? thread.indexOf(" (") : -1; // Thread-7 (ActiveMQ-server)
        boolean isBehind = pool > 0
                && thread.endsWith(")")
                && without(DIGITS, thread, pool) == "Thread-".length()
                && thread.length() > pool + 3;
        return isBehind ? thread.substring(pool + 2, thread.length() - 1) : withoutNumber(thread);
    }

    /**
     * Leaves out the end of {@code orders-7}, {@code orders(7)}, {@code pool-1-thread-7},
     * {@code ForkJoinPool-1-worker-7} and {@code http-nio-8080-exec-7}. No pattern, because a pattern takes time per
     * pair of letters, and any program may give its threads long names.
     */
    private static String withoutNumber(String thread) {
        int last = without(CLOSING, thread, thread.length());
        int number = without(DIGITS, thread, last);
        if (number == last) {
            return withoutMarkedNumber(thread);
        }
        int end = without(SEPARATORS, thread, number);
        for (String word : WORDS) {
            int begin = end - word.length();
            if (thread.startsWith(word, begin)) {
                end = without(SEPARATORS, thread, begin);
                break;
            }
        }
        String name = thread.substring(0, end);
        return name.isBlank() ? thread : name;
    }

    /** Leaves out the number of {@code orders #7 prio} and {@code orders[7] batch}. */
    private static String withoutMarkedNumber(String thread) {
        for (int i = thread.length() - 1; i > 0; i--) {
            int begin = without(DIGITS, thread, i + 1);
            if (begin > 0 && begin <= i && MARKS.indexOf(thread.charAt(begin - 1)) >= 0) {
                return without(thread, begin, i + 1);
            }
            i = Math.min(i, begin);
        }
        return thread;
    }

    /**
     * {@return the name without its last number, also one between two words as in {@code worker 7 of orders}} Names of
     * executors are not treated so: {@code HikariPool-1 housekeeper} is one executor, and the next is another.
     */
    static String nameWithoutAnyNumber(String thread) {
        String name = name(thread);
        if (!name.equals(thread)) {
            return name;
        }
        for (int end = thread.length() - 1; end > 0; end--) {
            int begin = without(DIGITS, thread, end);
            boolean isWord = begin < end
                    && SEPARATORS.indexOf(thread.charAt(end)) >= 0
                    && (begin == 0 || SEPARATORS.indexOf(thread.charAt(begin - 1)) >= 0);
            if (isWord) {
                return without(thread, begin, end);
            }
            end = begin < end ? begin : end;
        }
        return thread;
    }

    private static String without(String thread, int begin, int end) {
        String before = thread.substring(0, without(SEPARATORS, thread, begin));
        String after = thread.substring(end);
        int text = 0;
        while (text < after.length() && (CLOSING + SEPARATORS).indexOf(after.charAt(text)) >= 0) {
            text++;
        }
        String name = (before + ' ' + after.substring(text)).strip();
        return name.isEmpty() ? thread : name;
    }

    /** {@return where the letters of a kind begin that stand before an end} */
    static int without(String letters, String text, int end) {
        int begin = end;
        while (begin > 0 && letters.indexOf(text.charAt(begin - 1)) >= 0) {
            begin--;
        }
        return begin;
    }
}
