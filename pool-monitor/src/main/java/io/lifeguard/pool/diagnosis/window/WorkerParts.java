package io.lifeguard.pool.diagnosis.window;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The workers of one window, or of several joined windows. Immutable.
 *
 * @param workers the workers of each part, latest first; joined on demand, because few callers need it
 * @param seconds how long each part was, in the same order
 */
record WorkerParts(List<List<WorkerWindow>> workers, List<Double> seconds) {

    /** With fewer known workers the sum would say too little of all. */
    private static final double KNOWN = 0.9;

    static final WorkerParts NONE = new WorkerParts(List.of(List.of()), List.of(0.0));

    /** The workers alive at the end, with what is known of each in all parts. */
    List<WorkerWindow> all() {
        if (workers.size() == 1) {
            return workers.get(0);
        }
        Map<Long, WorkerWindow> byThread = new LinkedHashMap<>();
        for (WorkerWindow worker : workers.get(0)) {
            byThread.put(worker.threadId(), worker);
        }
        for (List<WorkerWindow> part : workers.subList(1, workers.size())) {
            for (WorkerWindow then : part) {
                WorkerWindow later = byThread.get(then.threadId());
                if (later != null) {
                    byThread.put(then.threadId(), later.after(then));
                }
            }
        }
        return List.copyOf(byThread.values());
    }

    /** The operating system's times of all workers together: see {@code PoolWindow.workerTimes()}. */
    Optional<ThreadTimes> times() {
        ThreadTimes sum = ThreadTimes.NONE;
        double seen = 0;
        double all = 0;
        for (int i = 0; i < workers.size(); i++) {
            Optional<ThreadTimes> part = sum(workers.get(i));
            all += seconds.get(i);
            seen += part.isPresent() ? seconds.get(i) : 0;
            sum = sum.plus(part.orElse(ThreadTimes.NONE));
        }
        return seen == 0 ? Optional.empty() : Optional.of(sum.times(all / seen));
    }

    private static Optional<ThreadTimes> sum(List<WorkerWindow> workers) {
        ThreadTimes sum = ThreadTimes.NONE;
        int known = 0;
        for (WorkerWindow worker : workers) {
            known += worker.times().isPresent() ? 1 : 0;
            sum = worker.times().isPresent() ? sum.plus(worker.times().get()) : sum;
        }
        return known == 0 || known < KNOWN * workers.size()
                ? Optional.empty()
                : Optional.of(sum.times((double) workers.size() / known));
    }
}
