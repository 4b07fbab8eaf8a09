package io.lifeguard.pool.benchmarks.scenarios;

/** A measured quantity, with its unit and whether more is better. */
public enum Metric {
    /** Tasks completed per second, in thousands. */
    THROUGHPUT("throughput", "k tasks/s", true),
    /** CPU time of the whole process per task, garbage collector included. */
    CPU_PER_TASK("CPU per task", "ns", false),
    /** Bytes that producer and workers allocate per task, without the user's own task object. */
    ALLOCATION("allocation", "B/task", false),
    /** Context switches of the whole process per thousand tasks. */
    SWITCHES("context switches", "per 1,000 tasks", false),
    MAKESPAN_P50("makespan p50", "µs", false),
    MAKESPAN_P99("makespan p99", "µs", false),
    WAKE_UP_P50("wake-up p50", "µs", false),
    WAKE_UP_P99("wake-up p99", "µs", false),
    BLOCKED_P50("blocked submit p50", "µs", false),
    BLOCKED_P99("blocked submit p99", "µs", false),
    /** Heap retained per worker beyond the stock pool's. */
    MEMORY_PER_WORKER("memory per worker", "KiB", false),
    /** Heap retained per pool beyond the stock pool's, without its workers. */
    MEMORY_PER_POOL("memory per pool", "KiB", false),
    /** Error of the CPU time that the pool reports, with its sign. */
    CPU_ERROR("CPU error", "%", false),
    /** The CPU time that the pool reports, as a share of everything that its workers burnt, idle time included. */
    CPU_SHARE("reported of threads' CPU", "%", true),
    /**
     * Error of the CPU time that the pool reports for tasks and idle workers together, against everything its threads
     * burnt.
     */
    CPU_TOTAL_ERROR("error of tasks + idle", "%", false),
    /** Error of the queue wait that the pool reports, against the tasks' own clocks. */
    QUEUE_WAIT_ERROR("queue wait error", "%", false),
    /** Error of the service time that the pool reports, against the tasks' own clocks. */
    SERVICE_TIME_ERROR("service time error", "%", false);

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
