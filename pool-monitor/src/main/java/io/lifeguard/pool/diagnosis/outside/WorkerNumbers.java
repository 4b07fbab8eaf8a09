package io.lifeguard.pool.diagnosis.outside;

import io.lifeguard.pool.diagnosis.system.ThreadReader;
import io.lifeguard.pool.diagnosis.system.ThreadReading;
import io.lifeguard.pool.os.ThreadCpuTime;
import io.lifeguard.pool.os.Unknown;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The numbers by which the system knows the workers of an external pool. Java does not tell them, so they are found by
 * the names and the CPU times, which both know. Without them it is unknown how long workers wait for a CPU. Guarded by
 * the pool it belongs to.
 */
final class WorkerNumbers {

    /** The system adds the time of a thread that runs at its next tick; of two threads the nearer one is taken. */
    private static final long LAG = TimeUnit.MILLISECONDS.toNanos(20);

    /**
     * A search may cost 0.5 % of the time until the next one: 10 µs for each thread of the process, 25 for a worker.
     */
    private static final long COST_FACTOR = 200;

    private final ThreadReader system;
    private final Map<Thread, Long> numbers = new WeakHashMap<>();
    private long nextSearch = System.nanoTime();

    WorkerNumbers(ThreadReader system) {
        this.system = system;
    }

    OptionalLong of(Thread worker) {
        Long number = numbers.get(worker);
        return number == null ? OptionalLong.empty() : OptionalLong.of(number);
    }

    /** Searches those that are unknown, unless the last search was too dear to have one again. */
    void search(List<Thread> workers) {
        if (numbers.keySet().containsAll(workers) || System.nanoTime() - nextSearch < 0) {
            return;
        }
        long begin = ThreadCpuTime.ofCurrentThread();
        numbers.keySet().retainAll(workers); // the system gives numbers of ended threads to new ones
        numbers.entrySet().removeIf(known -> !isStill(known.getKey(), known.getValue()));
        Map<Thread, Long> unknown = new HashMap<>(); // with their CPU time before the system is asked
        for (Thread worker : workers) {
            if (!numbers.containsKey(worker)) {
                unknown.put(worker, ThreadCpuTime.of(worker.getId()));
            }
        }
        Map<Long, Long> candidates = new HashMap<>(); // CPU times by the system's numbers
        for (long number :
                system.named(unknown.keySet().stream().map(Thread::getName).toList())) {
            ThreadReading reading = numbers.containsValue(number) ? null : system.read(number);
            if (reading != null) {
                candidates.put(number, reading.cpuNanos());
            }
        }
        unknown.forEach((worker, before) -> {
            long number = nearest(candidates, before, ThreadCpuTime.of(worker.getId()));
            if (number != Unknown.NUMBER) {
                candidates.remove(number);
                numbers.put(worker, number);
            }
        });
        nextSearch = System.nanoTime() + COST_FACTOR * (ThreadCpuTime.ofCurrentThread() - begin);
    }

    /** Of workers with about the same CPU time one may have got the number of another. */
    private boolean isStill(Thread worker, long number) {
        long before = ThreadCpuTime.of(worker.getId());
        ThreadReading reading = system.read(number);
        return reading != null
                && nearest(Map.of(number, reading.cpuNanos()), before, ThreadCpuTime.of(worker.getId())) == number;
    }

    /** {@return the thread whose CPU time is between the two, or just below; the one that is nearest to the first} */
    private static long nearest(Map<Long, Long> candidates, long before, long after) {
        long found = Unknown.NUMBER;
        long least = Long.MAX_VALUE;
        for (Map.Entry<Long, Long> candidate : candidates.entrySet()) {
            long cpu = candidate.getValue();
            if (cpu >= before - LAG && cpu <= after && Math.abs(cpu - before) < least) {
                least = Math.abs(cpu - before);
                found = candidate.getKey();
            }
        }
        return found;
    }
}
