package io.lifeguard.pool.jmc;

import java.util.Set;
import org.openjdk.jmc.common.item.IItemFilter;
import org.openjdk.jmc.common.item.ItemFilters;

/**
 * The rules, one per finding of the catalogue, and one for the findings of users' own rules. Stateless.
 *
 * <p>Each is a class with a public constructor, because {@link java.util.ServiceLoader} makes no other on a class path.
 */
public final class FindingRules {

    private FindingRules() {}

    /** Shows the findings with one id. */
    private abstract static class OfCatalogue extends FindingRule {

        private final String id;

        OfCatalogue(String id, String name) {
            super(id, name);
            this.id = id;
        }

        @Override
        boolean shows(String findingId) {
            return findingId.equals(id);
        }

        @Override
        IItemFilter events() {
            return ItemFilters.equals(RecordedFinding.ID, id);
        }
    }

    private static final Set<String> CATALOGUE = Set.of(
            "blocked-on-io",
            "carriers-starved",
            "common-pool-blocked",
            "cpu-saturated",
            "cpu-throttled",
            "deadlock",
            "dispatcher-runs-tasks",
            "downstream-saturated",
            "event-loop-blocked",
            "event-loop-full",
            "failures-unseen",
            "high-system-cpu",
            "lock-contention",
            "max-size-unreachable",
            "no-worker-alive",
            "oversized",
            "pool-leaked",
            "queue-growing",
            "schedule-late",
            "starved-by-own-tasks",
            "stuck-task",
            "virtual-threads-in-line",
            "waits-on-another-pool");

    /** Shows {@code blocked-on-io}. */
    public static final class BlockedOnIo extends OfCatalogue {
        /** For {@link java.util.ServiceLoader}. */
        public BlockedOnIo() {
            super("blocked-on-io", "Workers Wait Outside, and Tasks Queue");
        }
    }

    /** Shows {@code carriers-starved}. */
    public static final class CarriersStarved extends OfCatalogue {
        /** For {@link java.util.ServiceLoader}. */
        public CarriersStarved() {
            super("carriers-starved", "Carriers Starved");
        }
    }

    /** Shows {@code common-pool-blocked}. */
    public static final class CommonPoolBlocked extends OfCatalogue {
        /** For {@link java.util.ServiceLoader}. */
        public CommonPoolBlocked() {
            super("common-pool-blocked", "Common Pool Blocked");
        }
    }

    /** Shows {@code cpu-saturated}. */
    public static final class CpuSaturated extends OfCatalogue {
        /** For {@link java.util.ServiceLoader}. */
        public CpuSaturated() {
            super("cpu-saturated", "Threads Queue for the CPU");
        }
    }

    /** Shows {@code cpu-throttled}. */
    public static final class CpuThrottled extends OfCatalogue {
        /** For {@link java.util.ServiceLoader}. */
        public CpuThrottled() {
            super("cpu-throttled", "Stopped by the Container's CPU Quota");
        }
    }

    /** Shows {@code deadlock}. */
    public static final class Deadlock extends OfCatalogue {
        /** For {@link java.util.ServiceLoader}. */
        public Deadlock() {
            super("deadlock", "Threads Wait for Each Other");
        }
    }

    /** Shows {@code dispatcher-runs-tasks}. */
    public static final class DispatcherRunsTasks extends OfCatalogue {
        /** For {@link java.util.ServiceLoader}. */
        public DispatcherRunsTasks() {
            super("dispatcher-runs-tasks", "Dispatcher Runs Tasks While Workers Idle");
        }
    }

    /** Shows {@code downstream-saturated}. */
    public static final class DownstreamSaturated extends OfCatalogue {
        /** For {@link java.util.ServiceLoader}. */
        public DownstreamSaturated() {
            super("downstream-saturated", "More Concurrency Slows Each Call");
        }
    }

    /** Shows {@code event-loop-blocked}. */
    public static final class EventLoopBlocked extends OfCatalogue {
        /** For {@link java.util.ServiceLoader}. */
        public EventLoopBlocked() {
            super("event-loop-blocked", "Event Loop Blocked");
        }
    }

    /** Shows {@code event-loop-full}. */
    public static final class EventLoopFull extends OfCatalogue {
        /** For {@link java.util.ServiceLoader}. */
        public EventLoopFull() {
            super("event-loop-full", "Event Loop Full of Short Handlers");
        }
    }

    /** Shows {@code failures-unseen}. */
    public static final class FailuresUnseen extends OfCatalogue {
        /** For {@link java.util.ServiceLoader}. */
        public FailuresUnseen() {
            super("failures-unseen", "Failures of Tasks Unseen");
        }
    }

    /** Shows {@code high-system-cpu}. */
    public static final class HighSystemCpu extends OfCatalogue {
        /** For {@link java.util.ServiceLoader}. */
        public HighSystemCpu() {
            super("high-system-cpu", "CPU Spent on Switching Between Threads");
        }
    }

    /** Shows {@code lock-contention}. */
    public static final class LockContention extends OfCatalogue {
        /** For {@link java.util.ServiceLoader}. */
        public LockContention() {
            super("lock-contention", "Workers Wait for a Lock");
        }
    }

    /** Shows {@code max-size-unreachable}. */
    public static final class MaxSizeUnreachable extends OfCatalogue {
        /** For {@link java.util.ServiceLoader}. */
        public MaxSizeUnreachable() {
            super("max-size-unreachable", "Maximum Pool Size Unreachable");
        }
    }

    /** Shows {@code no-worker-alive}. */
    public static final class NoWorkerAlive extends OfCatalogue {
        /** For {@link java.util.ServiceLoader}. */
        public NoWorkerAlive() {
            super("no-worker-alive", "Tasks Wait, and the Pool Has No Worker");
        }
    }

    /** Shows {@code oversized}. */
    public static final class Oversized extends OfCatalogue {
        /** For {@link java.util.ServiceLoader}. */
        public Oversized() {
            super("oversized", "Pool Larger Than Needed");
        }
    }

    /** Shows {@code pool-leaked}. */
    public static final class PoolLeaked extends OfCatalogue {
        /** For {@link java.util.ServiceLoader}. */
        public PoolLeaked() {
            super("pool-leaked", "Pool Leaked");
        }
    }

    /** Shows {@code queue-growing}. */
    public static final class QueueGrowing extends OfCatalogue {
        /** For {@link java.util.ServiceLoader}. */
        public QueueGrowing() {
            super("queue-growing", "Queue Growing");
        }
    }

    /** Shows {@code schedule-late}. */
    public static final class ScheduleLate extends OfCatalogue {
        /** For {@link java.util.ServiceLoader}. */
        public ScheduleLate() {
            super("schedule-late", "Scheduled Tasks Start Late");
        }
    }

    /** Shows {@code starved-by-own-tasks}. */
    public static final class StarvedByOwnTasks extends OfCatalogue {
        /** For {@link java.util.ServiceLoader}. */
        public StarvedByOwnTasks() {
            super("starved-by-own-tasks", "Workers Wait for Tasks in Their Own Queue");
        }
    }

    /** Shows {@code stuck-task}. */
    public static final class StuckTask extends OfCatalogue {
        /** For {@link java.util.ServiceLoader}. */
        public StuckTask() {
            super("stuck-task", "Task Stuck");
        }
    }

    /** Shows {@code virtual-threads-in-line}. */
    public static final class VirtualThreadsInLine extends OfCatalogue {
        /** For {@link java.util.ServiceLoader}. */
        public VirtualThreadsInLine() {
            super("virtual-threads-in-line", "Virtual Threads Wait in Line");
        }
    }

    /** Shows {@code waits-on-another-pool}. */
    public static final class WaitsOnAnotherPool extends OfCatalogue {
        /** For {@link java.util.ServiceLoader}. */
        public WaitsOnAnotherPool() {
            super("waits-on-another-pool", "Workers Wait for Another Pool");
        }
    }

    /** Shows the findings of users' own rules, and those of later versions of the library. */
    public static final class OfUsers extends FindingRule {
        /** For {@link java.util.ServiceLoader}. */
        public OfUsers() {
            super("other-findings", "Other Findings of Thread Pools");
        }

        @Override
        boolean shows(String findingId) {
            return !CATALOGUE.contains(findingId);
        }

        @Override
        IItemFilter events() {
            return ItemFilters.not(ItemFilters.memberOf(RecordedFinding.ID, CATALOGUE));
        }
    }
}
