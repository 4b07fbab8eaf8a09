package io.lifeguard.pool.diagnosis.window;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The workers of one window, or of several that are joined. Immutable.
 *
 * @param workers of each part, latest first; joined when somebody asks, since few do
 * @param seconds how long each part was, in the same order
 */
record WorkerParts(List<List<WorkerWindow>> workers, List<Double> seconds) {

    /** Of fewer workers the sum would say too little of all. */
    private static final double KNOWN = 0.9;

    static WorkerParts of(List<WorkerWindow> workers, double seconds) {
        return new WorkerParts(List.of(workers), List.of(seconds));
    }

    /** Those alive at the end, with what is known of each in all parts. */
    List<WorkerWindow> all() {
        if (workers.size() == 1) {
            return workers.get(0);
        }
        Map<Long, WorkerWindow> byThread = new LinkedHashMap<>();
        workers.get(0).forEach(worker -> byThread.put(worker.threadId(), worker));
        for (List<WorkerWindow> part : workers.subList(1, workers.size())) {
            for (WorkerWindow then : part) {
                byThread.computeIfPresent(then.threadId(), (id, later) -> later.after(then));
            }
        }
        return List.copyOf(byThread.values());
    }

    /** What the operating system says of all together: see {@code PoolWindow.workerTimes()}. */
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
        List<ThreadTimes> known =
                workers.stream().flatMap(worker -> worker.times().stream()).toList();
        if (known.isEmpty() || known.size() < KNOWN * workers.size()) {
            return Optional.empty();
        }
        ThreadTimes sum = known.stream().reduce(ThreadTimes.NONE, ThreadTimes::plus);
        return Optional.of(sum.times((double) workers.size() / known.size()));
    }
}
