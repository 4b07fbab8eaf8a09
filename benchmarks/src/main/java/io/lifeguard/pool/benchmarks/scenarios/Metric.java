package io.lifeguard.pool.benchmarks.scenarios;

/** What is measured, with its unit and which way is good. */
public enum Metric {
    /** Tasks completed per second, in thousands. */
    THROUGHPUT("throughput", "k tasks/s", true),
    /** CPU time of the whole process, garbage collector and all, per task. */
    CPU_PER_TASK("CPU per task", "ns", false),
    /** Allocated by the producer and the workers per task, less the user's own task object. */
    ALLOCATION("allocation", "B/task", false),
    /** Context switches of the whole process per thousand tasks. */
    SWITCHES("context switches", "per 1,000 tasks", false),
    MAKESPAN_P50("makespan p50", "µs", false),
    MAKESPAN_P99("makespan p99", "µs", false),
    WAKE_UP_P50("wake-up p50", "µs", false),
    WAKE_UP_P99("wake-up p99", "µs", false),
    /** Heap retained per worker beyond the stock pool's. */
    MEMORY_PER_WORKER("memory per worker", "KiB", false),
    /** Heap retained per pool beyond the stock pool's, without its workers. */
    MEMORY_PER_POOL("memory per pool", "KiB", false),
    /** How far the CPU time that the pool reports is from the truth, with its sign. */
    CPU_ERROR("CPU error", "%", false),
    /** The CPU time that the pool reports, as a share of everything its workers burnt, idling included. */
    CPU_SHARE("reported of threads' CPU", "%", true),
    /** How far the CPU time that the pool reports, of its tasks and of its idle workers, is from all that its threads burnt. */
    CPU_TOTAL_ERROR("error of tasks + idle", "%", false);

    private final String title;
    private final String unit;
    private final boolean moreIsBetter;

    Metric(String title, String unit, boolean moreIsBetter) {
        this.title = title;
        this.unit = unit;
        this.moreIsBetter = moreIsBetter;
    }

    public String title() {
        return title;
    }

    public String unit() {
        return unit;
    }

    public boolean moreIsBetter() {
        return moreIsBetter;
    }
}
