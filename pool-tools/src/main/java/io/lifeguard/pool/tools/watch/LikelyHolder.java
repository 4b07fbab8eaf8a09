package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.UserFrames;
import io.lifeguard.pool.tools.dumps.DumpedThread;
import io.lifeguard.pool.tools.dumps.DumpedThread.Lock;
import io.lifeguard.pool.tools.dumps.ThreadDump;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Concludes from stacks who holds a lock of {@code java.util.concurrent}. Stateless.
 *
 * <p>No dump of JDK 21 to 25 says who owns such a lock, if the owner is a virtual thread. But a thread that waits shows
 * the method and the line that takes the lock. Whoever is in the same method behind that line, and does not wait for
 * the lock, has taken it. That is concluded only if there is exactly one such thread. A wait with a time limit tells
 * nothing: behind {@code tryLock} may be a thread that did not get the lock.
 */
final class LikelyHolder {

    /** The search costs locks times threads times frames. Of a JVM with more threads no second dump is taken anyway. */
    private static final int MOST_THREADS = VirtualWatch.MOST_THREADS;

    private LikelyHolder() {}

    /**
     * {@return who seems to hold the lock that all these threads wait for}
     *
     * <p>Of a dump with more than 2,000 threads nothing is concluded.
     *
     * @param waiters all that wait for it
     */
    static Optional<DumpedThread> of(ThreadDump dump, List<DumpedThread> waiters) {
        if (dump.threads().size() > MOST_THREADS) {
            return Optional.empty();
        }
        Set<DumpedThread> waiting = Collections.newSetFromMap(new IdentityHashMap<>());
        waiting.addAll(waiters);
        Set<StackTraceElement> takers = new LinkedHashSet<>();
        waiters.stream()
                .filter(waiter -> waiter.state() != Thread.State.TIMED_WAITING)
                .forEach(waiter -> waiter.stack().stream()
                        .filter(frame -> !UserFrames.isJdk(frame))
                        .findFirst()
                        .ifPresent(takers::add));
        List<DumpedThread> behind = dump.threads().stream()
                .filter(thread -> !waiting.contains(thread))
                .filter(thread -> thread.stack().stream()
                        .anyMatch(frame -> takers.stream().anyMatch(taker -> isBehind(frame, taker))))
                .limit(2)
                .toList();
        return behind.size() == 1 ? Optional.of(behind.get(0)) : Optional.empty();
    }

    private static boolean isBehind(StackTraceElement frame, StackTraceElement taker) {
        return taker.getLineNumber() > 0
                && frame.getLineNumber() > taker.getLineNumber()
                && frame.getMethodName().equals(taker.getMethodName())
                && frame.getClassName().equals(taker.getClassName());
    }

    /**
     * {@return circles of threads that wait for each other's locks without a time limit, each once}
     *
     * <p>Of a dump with more than 2,000 threads nothing is concluded.
     */
    static List<List<DumpedThread>> circles(ThreadDump dump) {
        if (dump.threads().size() > MOST_THREADS) {
            return List.of();
        }
        Map<String, List<DumpedThread>> waiters = new HashMap<>();
        for (DumpedThread thread : dump.threads()) {
            if (thread.isVirtual()
                    && thread.doing() == Doing.WAITING_FOR_LOCK
                    && thread.holds().isEmpty()) {
                lock(thread)
                        .ifPresent(lock -> waiters.computeIfAbsent(lock, key -> new ArrayList<>())
                                .add(thread));
            }
        }
        Map<String, DumpedThread> holders = new HashMap<>();
        waiters.forEach((lock, threads) -> of(dump, threads).ifPresent(holder -> holders.put(lock, holder)));
        List<List<DumpedThread>> circles = new ArrayList<>();
        Set<Set<DumpedThread>> known = new LinkedHashSet<>();
        for (DumpedThread first : holders.values()) {
            Set<DumpedThread> way = new LinkedHashSet<>();
            DumpedThread next = first;
            while (next != null && way.add(next)) {
                next = next.state() == Thread.State.WAITING
                        ? lock(next).map(holders::get).orElse(null)
                        : null; // a wait with a time limit ends by itself
            }
            if (first.equals(next) && way.size() > 1 && known.add(way)) {
                circles.add(List.copyOf(way));
            }
        }
        return circles;
    }

    /** {@return the lock for which a thread waits; empty where the dump does not say it, as before JDK 25} */
    static Optional<String> lock(DumpedThread thread) {
        return thread.waitsFor().map(Lock::identity);
    }
}
