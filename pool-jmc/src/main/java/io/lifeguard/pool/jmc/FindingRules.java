package io.lifeguard.pool.jmc;

import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.openjdk.jmc.common.item.IItemFilter;
import org.openjdk.jmc.common.item.ItemFilters;

/**
 * The rules, one per finding of the catalogue, and one for the findings of users' own rules. Stateless.
 *
 * <p>Each is a public class, because {@link java.util.ServiceLoader} makes no other on a class path. Its name is that
 * of the finding that it shows.
 */
@SuppressWarnings("doclint:missing") // each of its classes has one job, which its name says
public final class FindingRules {

    /** What Mission Control calls the rule, by the id of the finding. */
    private static final Map<String, String> CATALOGUE = Map.ofEntries(
            Map.entry("blocked-on-io", "Workers Wait Outside, and Tasks Queue"),
            Map.entry("carriers-starved", "Carriers Starved"),
            Map.entry("common-pool-blocked", "Common Pool Blocked"),
            Map.entry("cpu-saturated", "Threads Queue for the CPU"),
            Map.entry("cpu-throttled", "Stopped by the Container's CPU Quota"),
            Map.entry("deadlock", "Threads Wait for Each Other"),
            Map.entry("dispatcher-runs-tasks", "Dispatcher Runs Tasks While Workers Idle"),
            Map.entry("downstream-saturated", "More Concurrency Slows Each Call"),
            Map.entry("event-loop-blocked", "Event Loop Blocked"),
            Map.entry("event-loop-full", "Event Loop Full of Short Handlers"),
            Map.entry("failures-unseen", "Failures of Tasks Unseen"),
            Map.entry("high-system-cpu", "CPU Spent on Switching Between Threads"),
            Map.entry("lock-contention", "Workers Wait for a Lock"),
            Map.entry("max-size-unreachable", "Maximum Pool Size Unreachable"),
            Map.entry("no-worker-alive", "Tasks Wait, and the Pool Has No Worker"),
            Map.entry("oversized", "Pool Larger Than Needed"),
            Map.entry("pool-full", "Pool Full, and Tasks Wait"),
            Map.entry("pool-leaked", "Pool Leaked"),
            Map.entry("queue-growing", "Queue Growing"),
            Map.entry("schedule-late", "Scheduled Tasks Start Late"),
            Map.entry("stands-still", "Pool Stands Still"),
            Map.entry("starved-by-own-tasks", "Workers Wait for Tasks in Their Own Queue"),
            Map.entry("stuck-task", "Task Stuck"),
            Map.entry("tasks-discarded", "Tasks Thrown Away Unseen"),
            Map.entry("virtual-threads-in-line", "Virtual Threads Wait in Line"),
            Map.entry("waits-in-order", "Tasks Wait in Order Before Idle Workers"),
            Map.entry("waits-on-another-pool", "Workers Wait for Another Pool"));

    private FindingRules() {}

    /** Shows the findings with one id. */
    private abstract static class OfCatalogue extends FindingRule {

        private final String id = getClass()
                .getSimpleName()
                .replaceAll("(?<=[a-z])(?=[A-Z])", "-")
                .toLowerCase(Locale.ROOT);

        @Override
        String id() {
            return id;
        }

        @Override
        public String getName() {
            return Objects.requireNonNull(CATALOGUE.get(id), "every finding has a name");
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

    public static final class BlockedOnIo extends OfCatalogue {}

    public static final class CarriersStarved extends OfCatalogue {}

    public static final class CommonPoolBlocked extends OfCatalogue {}

    public static final class CpuSaturated extends OfCatalogue {}

    public static final class CpuThrottled extends OfCatalogue {}

    public static final class Deadlock extends OfCatalogue {}

    public static final class DispatcherRunsTasks extends OfCatalogue {}

    public static final class DownstreamSaturated extends OfCatalogue {}

    public static final class EventLoopBlocked extends OfCatalogue {}

    public static final class EventLoopFull extends OfCatalogue {}

    public static final class FailuresUnseen extends OfCatalogue {}

    public static final class HighSystemCpu extends OfCatalogue {}

    public static final class LockContention extends OfCatalogue {}

    public static final class MaxSizeUnreachable extends OfCatalogue {}

    public static final class NoWorkerAlive extends OfCatalogue {}

    public static final class Oversized extends OfCatalogue {}

    public static final class PoolFull extends OfCatalogue {}

    public static final class PoolLeaked extends OfCatalogue {}

    public static final class QueueGrowing extends OfCatalogue {}

    public static final class ScheduleLate extends OfCatalogue {}

    public static final class StandsStill extends OfCatalogue {}

    public static final class StarvedByOwnTasks extends OfCatalogue {}

    public static final class StuckTask extends OfCatalogue {}

    public static final class TasksDiscarded extends OfCatalogue {}

    public static final class VirtualThreadsInLine extends OfCatalogue {}

    public static final class WaitsInOrder extends OfCatalogue {}

    public static final class WaitsOnAnotherPool extends OfCatalogue {}

    /** Shows the findings of users' own rules, and those of later versions of the library. */
    public static final class OfUsers extends FindingRule {

        @Override
        String id() {
            return "other-findings";
        }

        @Override
        public String getName() {
            return "Other Findings of Thread Pools";
        }

        @Override
        boolean shows(String findingId) {
            return !CATALOGUE.containsKey(findingId);
        }

        @Override
        IItemFilter events() {
            return ItemFilters.not(ItemFilters.memberOf(RecordedFinding.ID, CATALOGUE.keySet()));
        }
    }
}
