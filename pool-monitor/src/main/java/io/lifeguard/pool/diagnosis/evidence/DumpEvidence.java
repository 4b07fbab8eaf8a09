package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.diagnosis.evidence.stack.LimitedResource;
import io.lifeguard.pool.diagnosis.evidence.stack.Seen;
import io.lifeguard.pool.diagnosis.evidence.stack.Stratum;
import io.lifeguard.pool.diagnosis.evidence.stack.Waits;
import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Awaited.Lock;
import io.lifeguard.pool.diagnosis.window.Awaited.Result;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.Estimate;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Collects what thread dumps show of one pool's workers within a window, and computes the breakdown. Not thread-safe.
 *
 * <p>A dump shows the stacks of all workers at one moment, so it is census and stacks in one.
 */
public final class DumpEvidence {

    private static final String SEMAPHORE = "java.util.concurrent.Semaphore";

    private final Map<Stratum, List<Integer>> counts = new LinkedHashMap<>(); // a number for each dump until the last
    private final List<Seen> seen = new ArrayList<>();
    private final Map<String, Lock> locks = new HashMap<>(); // by canonical name, as last seen
    private final ChangingLocks changing = new ChangingLocks();
    private final Lines lines = new Lines();
    private Map<String, String> names = Map.of(); // of the objects in the latest dump: canonical name by name there
    private int dumps;
    private long workers; // summed over the dumps

    /**
     * One worker in one dump.
     *
     * @param threadId a number of the thread that no other has
     * @param object class and identity of what it waits for, as {@code com.example.Orders@1a2b3c}; empty when there is
     *     nothing
     * @param lock the lock of that name, where it waits for a lock
     * @param result whose result it waits for, as far as it is known; says nothing when it waits for no result
     */
    public record Worker(
            String thread,
            long threadId,
            Thread.State state,
            Doing doing,
            List<StackTraceElement> stack,
            String object,
            Optional<Lock> lock,
            Result result) {}

    public void see(List<Worker> all) {
        name(all);
        List<Seen> now = all.stream().map(this::seen).toList();
        Map<Stratum, Long> strata = now.stream().collect(Collectors.groupingBy(Seen::stratum, Collectors.counting()));
        strata.forEach((stratum, count) -> {
            List<Integer> numbers = counts.computeIfAbsent(stratum, key -> new ArrayList<>());
            while (numbers.size() < dumps) {
                numbers.add(0);
            }
            numbers.add(count.intValue());
        });
        dumps++;
        workers += all.size();
        seen.addAll(now);
        lines.see(now, strata);
        noteChanges(now);
    }

    private Seen seen(Worker worker) {
        Doing doing = worker.doing();
        String object = names.getOrDefault(worker.object(), worker.object());
        worker.lock()
                .ifPresent(lock -> locks.merge(
                        object, lock, (then, latest) -> latest.owner().isEmpty() ? then : latest));
        boolean isIdle = doing == Doing.IDLE;
        boolean isParked = Stratum.isWaiting(worker.state()) && !object.isEmpty();
        Stratum stratum = isIdle
                ? Stratum.IDLE
                : new Stratum(
                        false, worker.state(), isParked ? type(object) : "", isParked ? object.hashCode() | 1 : 0);
        return new Seen(
                worker.thread(),
                worker.threadId(),
                stratum,
                doing,
                isIdle ? "" : UserFrames.place(worker.stack()),
                worker.stack(),
                object,
                worker.result(),
                false);
    }

    /**
     * Names the objects of a dump. A collector may have moved an object since the dump before: then one of the same
     * class has appeared where another one has gone, and keeps its name.
     */
    private void name(List<Worker> all) {
        Set<String> here = all.stream()
                .map(Worker::object)
                .filter(object -> !object.isEmpty())
                .collect(Collectors.toSet());
        Map<String, List<String>> gone = new HashMap<>(); // names by class
        names.forEach((there, name) -> {
            if (!here.contains(there)) {
                gone.computeIfAbsent(type(there), type -> new ArrayList<>()).add(name);
            }
        });
        Map<String, String> named = new HashMap<>();
        for (String object : here) {
            List<String> free = gone.getOrDefault(type(object), List.of());
            boolean isMoved = !names.containsKey(object) && free.size() == 1;
            named.put(object, isMoved ? free.remove(0) : names.getOrDefault(object, object));
        }
        names = named;
    }

    private void noteChanges(List<Seen> now) {
        Map<List<String>, Set<String>> objects = new HashMap<>(); // by place and class
        now.stream()
                .filter(look -> !look.object().isEmpty() && look.doing().isWaitInside())
                .forEach(look -> objects.computeIfAbsent(
                                List.of(look.place(), look.objectClass()), key -> new HashSet<>())
                        .add(look.object()));
        objects.forEach((key, identities) -> changing.see(key.get(0), key.get(1), identities));
    }

    private static String type(String object) {
        int at = object.indexOf('@');
        return at < 0 ? object : object.substring(0, at);
    }

    public int dumps() {
        return dumps;
    }

    /** {@return the same window with its breakdown, if there was a dump} Begins the next window. */
    public PoolWindow close(PoolWindow window) {
        PoolWindow closed = dumps == 0
                ? window
                : window.toBuilder().breakdown(breakdown(window)).build();
        counts.clear();
        seen.clear();
        locks.clear();
        lines.clear();
        changing.age();
        dumps = 0;
        workers = 0;
        return closed;
    }

    private TimeBreakdown breakdown(PoolWindow window) {
        double mean = (double) workers / dumps;
        Map<Stratum, Estimate> census = new LinkedHashMap<>();
        counts.forEach((stratum, numbers) -> census.put(stratum, mean(numbers, mean)));
        Optional<ThreadTimes> perSecond = window.workerTimes().map(times -> times.times(1 / window.seconds()));
        return new TimeBreakdown(
                mean, dumps, seen.size(), Breakdown.of(census, seen, this::awaited, perSecond, false), Map.of());
    }

    /** The mean over the dumps, with its standard error. With one dump, each worker counts as independent. */
    private Estimate mean(List<Integer> numbers, double all) {
        double sum = numbers.stream().mapToInt(Integer::intValue).sum();
        double squares =
                numbers.stream().mapToDouble(number -> (double) number * number).sum();
        double mean = sum / dumps;
        double variance = dumps < 2
                ? mean * Math.max(0, 1 - mean / all)
                : Math.max(0, squares / dumps - mean * mean) * dumps / (dumps - 1);
        return new Estimate(mean, Math.sqrt(variance / dumps));
    }

    private Optional<Awaited> awaited(Seen one) {
        return switch (one.doing()) {
            case WAITING_FOR_LOCK -> one.object().isEmpty() ? Optional.empty() : Optional.of(lock(one));
            case WAITING_FOR_RESULT -> Optional.of(one.result());
            case WAITING_IN_LINE -> line(one);
            case SLEEPING -> LimitedResource.rateLimiter(one.stack()).map(Awaited.Line::ofRate);
            default -> Optional.empty();
        };
    }

    private Lock lock(Seen one) {
        Lock known = locks.get(one.object());
        boolean isChanging = changing.isChanging(one.place(), one.objectClass());
        return new Lock(
                isChanging ? one.objectClass() : one.object(),
                one.isMonitor(),
                known == null ? Optional.empty() : known.owner(),
                known == null ? List.of() : known.ownerStack(),
                known == null ? 0 : known.otherWaiters());
    }

    /**
     * {@return what a thread waits for, if that is lent in a limited number, as permits and connections are}
     *
     * @param type the class of the object that it is parked on; empty when there is none
     */
    public static Optional<String> limitedResource(List<StackTraceElement> stack, String type) {
        return LimitedResource.of(stack)
                .map(LimitedResource::description)
                .or(() -> type.startsWith(SEMAPHORE) ? Optional.of("a permit of " + SEMAPHORE) : Optional.empty())
                .or(() -> LimitedResource.byName(stack));
    }

    private Optional<Awaited> line(Seen one) {
        Optional<String> resource = LimitedResource.of(one.stack())
                .map(LimitedResource::description)
                .or(() -> Waits.fullQueue(one.stack()).map(Awaited.Line::roomIn));
        if (resource.isEmpty() && one.object().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                resource.map(name -> lines.line(name, true, one)).orElseGet(() -> lines.atObject(one, changing)));
    }
}
