package io.lifeguard.pool.tools.dumps;

import io.lifeguard.pool.text.Counted;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Tells that virtual threads were started and have not run, because all carriers are taken. Stateless.
 *
 * <p>One idle carrier is enough to say nothing: it would have run them. Programs that compute on all CPUs come closest.
 * Their virtual threads wait as well, but only until the others yield.
 */
final class Starvation {

    /** The JDK calls its carriers like workers of the first pool of this kind. */
    private static final String CARRIER = "ForkJoinPool-1-worker-";

    private Starvation() {}

    /** Returns the finding in one sentence; empty where there is none. */
    static Optional<String> in(ThreadDump dump) {
        long waiting = dump.threads().stream()
                .filter(thread -> thread.place().equals(DumpedThread.NOT_RUN))
                .count();
        List<DumpedThread> carriers = dump.threads().stream()
                .filter(thread -> thread.name().startsWith(CARRIER) && !thread.isVirtual())
                .toList();
        if (waiting == 0 || carriers.isEmpty() || !carriers.stream().allMatch(Starvation::isTaken)) {
            return Optional.empty();
        }
        Optional<Map.Entry<String, Long>> place = dump.threads().stream()
                .filter(thread -> thread.isVirtual() && isMounted(thread.stack().get(0)))
                .collect(Collectors.groupingBy(DumpedThread::place, Collectors.counting()))
                .entrySet()
                .stream()
                .max(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()));
        return Optional.of(
                (carriers.size() == 1 ? "the only carrier is taken" : "all " + carriers.size() + " carriers are taken")
                        + place.map(found -> ", most at " + found.getKey()).orElse("")
                        + ", so " + Counted.of(waiting, "virtual thread has", "virtual threads have")
                        + " not run yet ("
                        + dump.source() + ")");
    }

    private static boolean isTaken(DumpedThread carrier) {
        return carrier.carries().isPresent()
                || carrier.stack().stream()
                        .anyMatch(frame -> frame.getMethodName().equals("runContinuation")
                                && frame.getClassName().equals("java.lang.VirtualThread"));
    }

    /** A thread that has left its carrier stands where it yielded. */
    private static boolean isMounted(StackTraceElement top) {
        return !top.getClassName().equals("java.lang.VirtualThread")
                || top.getMethodName().equals("parkOnCarrierThread");
    }
}
