package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Evidence;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown.Share;
import io.lifeguard.pool.diagnosis.window.WorkerWindow;
import io.lifeguard.pool.text.Units;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds executors that keep tasks in order in front of a pool whose workers idle. Stateless, thread-safe.
 *
 * <p><b>Formula.</b> A worker runs the loop of such an executor, by the kind of its task or by its frames, and was
 * never idle. Within the JVM any task is such a loop that runs for as long, whose class declares a queue, and which
 * always runs the code of other classes from one line: a consumer that waits, or a task of several steps, is none. The
 * loop ends when no task waits for its turn. At least half of all workers are idle meanwhile, by the lower bound; those
 * that were not started yet count. Without the order up to so many times the throughput is possible as there are
 * workers for each of those that run such a loop, as far as the CPUs can carry that.
 *
 * <p><b>Window.</b> The last 5 s.
 *
 * <p><b>Thresholds.</b> 5 s: an order that holds up tasks only now and then is empty once in that time. A judgement.
 *
 * <p><b>Closest healthy workload.</b> An order for each of many keys, each of them empty now and then; a single task in
 * such an executor that takes long.
 */
public final class WaitsInOrder extends StandardRule {

    static final String ID = "waits-in-order";

    static final Threshold SECONDS = new Threshold(
            ID + ".seconds", 5, "seconds for which tasks have waited for their turn without a gap; a judgement");
    private static final double IDLE = 0.5; // share of the workers that have nothing to do, 0 to 1; a judgement
    /**
     * Share of the busy time in frames of an executor that keeps order, 0 to 1; a look between two tasks may show none.
     */
    private static final double IN_ORDER = 0.95;

    /** Beginnings of the names of classes whose loop runs tasks one after the other. */
    private static final List<String> ORDERS = List.of(
            "com.google.common.util.concurrent.SequentialExecutor",
            "com.google.common.util.concurrent.SerializingExecutor",
            "io.vertx.core.impl.TaskQueue",
            "io.vertx.core.impl.OrderedExecutor",
            "io.grpc.internal.SerializingExecutor",
            "org.apache.pekko.dispatch.Mailbox",
            "akka.dispatch.Mailbox",
            "kotlinx.coroutines.internal.LimitedDispatcher$Worker",
            "org.apache.activemq.artemis.utils.actors.ProcessorBase");

    /** In the names of executors that others wrote, as {@code com.example.SerialExecutor}. */
    private static final List<String> WORDS = List.of("Serial", "Sequential", "Ordered", "Fifo");

    private static final String ADVICE = "If these tasks need no order, give them to the pool itself (in Vert.x"
            + " executeBlocking with ordered = false). If only those of one key do, make such an executor for each key.";

    public WaitsInOrder() {
        super(ID, SECONDS);
    }

    @Override
    public Verdict examine(PoolWindow latest) {
        PoolWindow window = latest.last(SECONDS);
        int workers = workers(latest);
        if (!window.lasts(latest.threshold(SECONDS))) {
            return Verdict.clear();
        }
        Set<Long> never = neverIdle(latest);
        TimeBreakdown times = window.breakdown();
        boolean areIdle = workers > 1 && idle(latest, times.workers(Doing.IDLE).low()) >= IDLE * workers;
        boolean mayBeMore = workers == 1 && !latest.countsQueue();
        if (never.isEmpty() || !(areIdle || mayBeMore)) {
            return Verdict.clear();
        }
        List<Share> inOrder = times.shares().stream()
                .filter(share -> order(share).isPresent())
                .toList();
        Optional<String> kind = latest.workers().stream()
                .filter(worker -> never.contains(worker.threadId()))
                .flatMap(worker -> worker.kind().stream())
                .flatMap(name -> order(name).stream())
                .findFirst();
        List<Share> seen = times.shares().stream()
                .filter(share -> share.doing() != Doing.IDLE && !share.stack().isEmpty())
                .toList();
        Optional<String> order = kind.or(() -> areAllInOrder(times) ? order(inOrder.get(0)) : Optional.empty())
                .or(() -> ownOrder(latest, seen));
        List<Share> shown = inOrder.isEmpty() && kind.isEmpty() ? seen : inOrder;
        return order.map(name -> Verdict.found(finding(latest, times, never.size(), name, shown)))
                .orElse(Verdict.clear());
    }

    /** With those that the pool starts when a task comes. */
    private static int workers(PoolWindow window) {
        return Math.max(window.after().size(), window.after().limits().coreSize());
    }

    /** Those that were not started yet count. */
    private static double idle(PoolWindow window, double seen) {
        return seen + workers(window) - window.after().size();
    }

    /** The threads that were busy at the ends of all windows, and do not hang as far as the system tells. */
    private static Set<Long> neverIdle(PoolWindow latest) {
        Set<Long> never = new HashSet<>();
        Set<Long> moved = new HashSet<>();
        double seconds = 0;
        for (PoolWindow part : latest.parts(latest.windows())) {
            Set<Long> busy = new HashSet<>();
            for (WorkerWindow worker : part.workers()) {
                if (worker.busy()) {
                    busy.add(worker.threadId());
                }
                if (worker.hasMoved() || worker.times().isEmpty()) {
                    moved.add(worker.threadId());
                }
            }
            if (seconds == 0) {
                never.addAll(busy);
            }
            never.retainAll(busy);
            seconds += part.seconds();
            if (seconds >= latest.threshold(SECONDS)) {
                break;
            }
        }
        never.retainAll(moved);
        return never;
    }

    /** The class of a task that has run for long, holds a queue, and ran others' code from one line whenever seen. */
    private static Optional<String> ownOrder(PoolWindow latest, List<Share> seen) {
        Set<String> orders = new HashSet<>();
        for (WorkerWindow worker : latest.workers()) {
            if (mayKeepOrder(worker, latest.threshold(SECONDS))) {
                orders.add(withoutLambda(kind(worker)));
            }
        }
        String order = orders.size() == 1 ? orders.iterator().next() : "";
        Set<Optional<StackTraceElement>> lines = new HashSet<>();
        seen.forEach(share -> lines.add(runsOthers(order, share)));
        return lines.size() == 1 && lines.iterator().next().isPresent() ? Optional.of(order) : Optional.empty();
    }

    /** The frame of this class that calls those of another, besides the JDK's, and not only to pause. */
    private static Optional<StackTraceElement> runsOthers(String order, Share share) {
        int others = 0;
        for (StackTraceElement frame : share.stack()) {
            if (frame.getClassName().equals(order)) {
                return others > (share.doing() == Doing.SLEEPING ? 1 : 0) ? Optional.of(frame) : Optional.empty();
            }
            others += UserFrames.isJdk(frame) ? 0 : 1;
        }
        return Optional.empty();
    }

    /** Whether a worker runs a task that has lasted for so long, of a class of this JVM that declares a queue. */
    private static boolean mayKeepOrder(WorkerWindow worker, double seconds) {
        if (!worker.busy() || !PoolWindow.lasts(worker.runningFor().toNanos() / 1e9, seconds)) {
            return false;
        }
        String type = withoutLambda(kind(worker));
        return declaresQueue(type, WaitsInOrder.class.getClassLoader()) // of an application whose jar loads both
                || declaresQueue(type, ClassLoader.getSystemClassLoader());
    }

    private static boolean declaresQueue(String name, ClassLoader loader) {
        try {
            Class<?> type = Class.forName(name, false, loader);
            return Stream.of(type, type.getNestHost())
                    .flatMap(each -> Stream.of(each.getDeclaredFields()))
                    .filter(field -> !Modifier.isStatic(field.getModifiers()))
                    .map(Field::getType)
                    .anyMatch(field -> Queue.class.isAssignableFrom(field)
                            || field.getSimpleName().endsWith("Queue"));
        } catch (ClassNotFoundException | LinkageError e) { // of another JVM or class loader, or a name that was given
            return false;
        }
    }

    private static String withoutLambda(String kind) {
        int lambda = kind.indexOf(' ');
        return lambda < 0 ? kind : kind.substring(0, lambda);
    }

    /** Of what was seen of those that are not idle. */
    private static boolean areAllInOrder(TimeBreakdown times) {
        double seen = 0;
        double inOrder = 0;
        for (Share share : times.shares()) {
            double workers = share.doing() == Doing.IDLE || share.stack().isEmpty()
                    ? 0
                    : share.workers().value();
            seen += workers;
            inOrder += order(share).isPresent() ? workers : 0;
        }
        return seen > 0 && inOrder >= IN_ORDER * seen;
    }

    /** The time itself is the evidence. */
    @Override
    public int windowsToRaise() {
        return 1;
    }

    private static Optional<String> order(Share share) {
        return share.doing() == Doing.IDLE
                ? Optional.empty()
                : share.stack().stream()
                        .flatMap(frame -> order(frame.getClassName()).stream())
                        .findFirst();
    }

    private static Optional<String> order(String type) {
        for (String order : ORDERS) {
            if (type.startsWith(order)) {
                return Optional.of(order);
            }
        }
        int end = type.indexOf('$'); // of a nested class
        String outer = withoutLambda(end >= 0 ? type.substring(0, end) : type);
        String name = outer.substring(outer.lastIndexOf('.') + 1);
        boolean isExecutor = name.endsWith("Executor") || name.endsWith("ExecutorService");
        return isExecutor && WORDS.stream().anyMatch(name::contains) ? Optional.of(outer) : Optional.empty();
    }

    private static Finding finding(
            PoolWindow window, TimeBreakdown breakdown, int running, String order, List<Share> inOrder) {
        int workers = workers(window);
        double idle = idle(window, breakdown.workers(Doing.IDLE).value());
        double onCpu = breakdown.workers(Doing.COMPUTING, Doing.WAITING_FOR_CPU).value();
        double carried = window.process().cores() / Math.max(onCpu, 1e-9);
        double times = Math.max(1, Math.min((double) workers / running, carried));
        String place = inOrder.isEmpty() ? "" : UserFrames.place(inOrder.get(0).stack());
        String where = order + (place.isEmpty() ? "" : " at " + place);
        Finding.Builder finding = Finding.of(ID, window).severity(Severity.INFO);
        if (workers == 1) {
            finding.summary(
                    "tasks wait for their turn: the only worker that was started runs them one after the other in %s, and"
                            + " whether the pool may have more is unknown",
                    where);
        } else {
            finding.summary(
                    "tasks wait for their turn before idle workers: %d of %d workers %s them one after the other in %s,"
                            + " and %d idle",
                    running, workers, running == 1 ? "runs" : "run", where, Math.round(idle));
        }
        String gain = workers == 1
                ? ""
                : Units.format(
                        " Expect up to %s the throughput without the order, if nothing else limits it first.",
                        Units.times(times));
        finding.advice("%s", ADVICE + gain)
                .evidence("order", order)
                .evidence("workersInOrder", running)
                .evidence("workers", workers)
                .evidence("idleWorkers", idle)
                .evidence("timesWithoutOrder", times);
        if (!place.isEmpty()) {
            finding.place(place).stack(lines(inOrder.get(0).stack()));
        }
        return finding.build();
    }

    @Override
    public Set<Evidence> needs(PoolWindow window) {
        for (WorkerWindow worker : window.workers()) {
            if (worker.busy() && (order(kind(worker)).isPresent() || mayKeepOrder(worker, window.threshold(SECONDS)))) {
                return Set.of(Evidence.STACKS);
            }
        }
        return Set.of();
    }
}
