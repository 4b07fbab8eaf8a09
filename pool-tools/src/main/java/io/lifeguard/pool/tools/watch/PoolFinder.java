package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.tools.dumps.DumpedThread;
import io.lifeguard.pool.tools.dumps.ThreadDump;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the pools in a thread dump: threads with the frames of a worker, grouped by kind and name. Stateless.
 *
 * <p>Names that differ in a number at their end are those of one pool. Two pools with such names look like one.
 */
public final class PoolFinder {

    private static final String SEPARATORS = "-_ .#";
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
        return find(dump, UnaryOperator.identity());
    }

    /** The same, where groups of threads may belong to one pool. */
    static List<FoundPool> find(ThreadDump dump, UnaryOperator<String> poolOfGroup) {
        Map<String, Map<PoolKind, List<DumpedThread>>> groups = new LinkedHashMap<>();
        for (DumpedThread thread : dump.threads()) {
            PoolKind.of(thread.stack())
                    .filter(kind -> !kind.isServing(thread.stack()))
                    .ifPresent(kind -> groups.computeIfAbsent(
                                    poolOfGroup.apply(name(thread.name())), name -> new LinkedHashMap<>())
                            .computeIfAbsent(kind, key -> new ArrayList<>())
                            .add(thread));
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
        return pools;
    }

    /**
     * {@return whether a thread works for a pool of a known kind}
     *
     * @param stack its stack, top first, not null
     */
    public static boolean isWorker(List<StackTraceElement> stack) {
        return PoolKind.of(stack).isPresent();
    }

    /**
     * {@return the name of the pool to which a thread of such a name belongs; the name itself without a number}
     *
     * @param thread the thread's name, not null
     */
    public static String name(String thread) {
        Matcher jetty = JETTY.matcher(thread);
        return jetty.matches() ? jetty.group(1) : withoutNumber(thread);
    }

    /**
     * Leaves out the end of {@code orders-7}, {@code pool-1-thread-7}, {@code ForkJoinPool-1-worker-7} and
     * {@code http-nio-8080-exec-7}. No pattern, because a pattern takes time per pair of letters, and any program may
     * give its threads long names.
     */
    private static String withoutNumber(String thread) {
        int number = without(DIGITS, thread, thread.length());
        if (number == thread.length()) {
            return thread;
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

    /** {@return where the letters of a kind begin that stand before an end} */
    static int without(String letters, String text, int end) {
        int begin = end;
        while (begin > 0 && letters.indexOf(text.charAt(begin - 1)) >= 0) {
            begin--;
        }
        return begin;
    }
}
