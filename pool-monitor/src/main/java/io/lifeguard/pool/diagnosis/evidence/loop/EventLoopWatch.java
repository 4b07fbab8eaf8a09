package io.lifeguard.pool.diagnosis.evidence.loop;

import io.lifeguard.pool.diagnosis.seen.EventLoopLooks;
import io.lifeguard.pool.diagnosis.system.ThreadReader;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Watches one event loop, and holds its thread weakly. Confined to one thread, which is usually the monitor's. */
final class EventLoopWatch {

    /*
     * A handler waits when one look says so. That it computes for too long takes several: the same method of the user's
     * is on the stack at each of them, for at least 100 ms together, and the thread uses a CPU all the time. A loop
     * that is busy with many short handlers may look like that, too. But it enters the system for each of its events,
     * to read and to write. So the system's part of its CPU time tells the two apart. And some looks meet it between
     * handlers, although it used the CPU all the time since the look before.
     */

    /** Older looks count only as long as there are fewer than {@link #ENOUGH} younger ones. */
    private static final long RECENT = TimeUnit.SECONDS.toNanos(2);

    /** 8 s: a loop that is not suspected is looked at once a second, and eight looks tell what it does. */
    private static final long MEMORY = TimeUnit.SECONDS.toNanos(8);

    /** Looks, of which the recent ones are enough: a loop that is suspected has more of them in 2 s. */
    private static final int ENOUGH = 12;

    /** In a loop's first 5 s, classes are loaded, and threads wait for each other meanwhile. */
    private static final long YOUTH = TimeUnit.SECONDS.toNanos(5);

    /** Evidence from that time counts if it stays the same for 1.5 s, which is most of the recent time. */
    private static final long PERSISTENT = TimeUnit.MILLISECONDS.toNanos(1_500);

    /** Pekko's thread starvation detector warns after 100 ms, and so do others. */
    private static final long LONG_HANDLER = TimeUnit.MILLISECONDS.toNanos(100);

    /**
     * Reading and writing a small message takes the system 20 to 40 µs. At 0.5 %, a handler takes 4 to 8 ms at least.
     * The system counts user time in steps of 10 ms.
     */
    private static final double OF_CPU_TIME = 0.005;

    /** One look in 25 may meet the moment after a long handler. */
    private static final int HANDLER_LOOKS_PER_OTHER = 25;

    /** One step in which the system counts user time. */
    private static final long STEP = TimeUnit.MILLISECONDS.toNanos(10);

    /** CPU time of the long runs, of which one step is about one percent. */
    private static final long ENOUGH_CPU_TIME = TimeUnit.MILLISECONDS.toNanos(800);

    private final WeakReference<Thread> thread;
    private final long id;
    private final long born;
    private final Deque<LoopMoment> seen = new ArrayDeque<>(); // oldest first
    private final List<LoopMoment> run = new ArrayList<>(); // the latest looks in a row at one handler that computes
    private final LoopLoad load;
    private boolean servesEvents;
    private String name;

    /**
     * Watches a thread.
     *
     * @param servesEvents whether a loop was seen on its stack. Otherwise it is a worker of a scheduler or a dispatcher
     *     that must not wait, but may compute, unless a loop is seen there later
     */
    @SuppressWarnings("deprecation") // threadId() exists since JDK 19
    EventLoopWatch(Thread thread, long nanos, boolean servesEvents) {
        this(new WeakReference<>(thread), thread.getId(), nanos, servesEvents, "");
        name = nameOf(thread);
    }

    EventLoopWatch(String name, long id, long nanos) {
        this(new WeakReference<>(null), id, nanos, true, name);
    }

    private EventLoopWatch(WeakReference<Thread> thread, long id, long nanos, boolean servesEvents, String name) {
        this.thread = thread;
        this.id = id;
        this.born = nanos;
        this.load = new LoopLoad(nanos);
        this.servesEvents = servesEvents;
        this.name = name;
    }

    /** The thread's name, or its last one: a finding outlives its thread by a window. */
    String name() {
        Thread alive = thread.get();
        if (alive != null) {
            name = nameOf(alive);
        }
        return name;
    }

    /** Findings need a name, and threads may have none. */
    private String nameOf(Thread loop) {
        return loop.getName().isBlank() ? "event loop " + id : loop.getName();
    }

    long id() {
        return id;
    }

    Optional<Thread> thread() {
        return Optional.ofNullable(thread.get());
    }

    boolean isAlive() {
        return thread().filter(Thread::isAlive).isPresent();
    }

    /** Whether it was held up lately, or a handler computes. */
    boolean isSuspect() {
        for (LoopMoment moment : seen) {
            if (moment.isWait() || moment.isInLongRun()) {
                return true;
            }
        }
        return !run.isEmpty();
    }

    /** Forgets all looks, because a time without looks follows. */
    void forget() {
        seen.clear();
        run.clear();
        load.forget();
    }

    /** Whether it uses much CPU time, so that some looks are to tell what for. */
    boolean isBusy() {
        return servesEvents && load.isBusy();
    }

    /**
     * Reads the loop's times.
     *
     * @param cpuNanos the CPU time that the thread has used; negative when it is unknown
     */
    void read(long nanos, long cpuNanos, ThreadReader system) {
        load.read(nanos, name(), cpuNanos, system);
    }

    /** Notes what it does now, and returns it. */
    LoopMoment look(LoopLook look) {
        servesEvents = servesEvents || EventLoopFrames.hasLoop(look.stack());
        LoopMoment now = LoopMoment.of(look, look.nanos() - born < YOUTH);
        seen.addLast(now);
        load.looked(look.nanos(), now.part());
        follow(now);
        while (look.nanos() - seen.getFirst().look().nanos() > (seen.size() > ENOUGH ? RECENT : MEMORY)) {
            seen.removeFirst();
        }
        return now;
    }

    /** Follows a handler that computes from look to look. */
    private void follow(LoopMoment now) {
        if (!servesEvents || !now.isInHandler()) {
            run.clear();
            return;
        }
        if (!run.isEmpty() && !now.mayContinue(run.get(run.size() - 1))) {
            run.clear();
        }
        run.add(now);
        LoopMoment start = run.get(0);
        if (now.look().nanos() - start.look().nanos() >= LONG_HANDLER) {
            run.forEach(moment -> moment.inRunSince(start));
            run.subList(1, run.size() - 1).clear(); // the first and the latest are enough from now on
        }
    }

    EventLoopLooks.Loop loop() {
        boolean computes = computesInHandlers();
        List<LoopMoment> held = seen.stream()
                .filter(moment -> moment.isWait() || (computes && moment.isInLongRun()))
                .toList();
        Map<String, List<LoopMoment>> byPlace = new LinkedHashMap<>();
        held.forEach(moment -> byPlace.computeIfAbsent(moment.place(), key -> new ArrayList<>())
                .add(moment));
        List<LoopMoment> most = byPlace.values().stream()
                .max(Comparator.comparingInt(List::size))
                .orElse(List.of());
        if (most.isEmpty() || (isYoung() && !isPersistent(most))) {
            return new EventLoopLooks.Loop(name(), seen.size(), 0, Optional.empty(), fill());
        }
        int count = isYoung() ? most.size() : held.size();
        return new EventLoopLooks.Loop(name(), seen.size(), count, Optional.of(hold(most)), fill());
    }

    private Optional<EventLoopLooks.Fill> fill() {
        return servesEvents ? load.fill() : Optional.empty();
    }

    private boolean isYoung() {
        return !seen.isEmpty() && seen.getLast().look().nanos() - born < YOUTH;
    }

    /** For long, and in most looks from its first one on. */
    private boolean isPersistent(List<LoopMoment> same) {
        long from = same.get(0).look().nanos();
        long since =
                seen.stream().filter(moment -> moment.look().nanos() >= from).count();
        return same.get(same.size() - 1).look().nanos() - from >= PERSISTENT && 2L * same.size() > since;
    }

    /** Whether its handlers, and not the system for the framework around them, took the CPU time of the long runs. */
    private boolean computesInHandlers() {
        long cpu = 0;
        long user = 0;
        int inRuns = 0;
        int between = 0;
        LoopMoment before = null;
        for (LoopMoment moment : seen) {
            inRuns += moment.isInLongRun() ? 1 : 0;
            between += before != null && moment.showsShortHandlers(before) ? 1 : 0;
            if (before != null && moment.isInSameRun(before)) {
                cpu += moment.look().cpuNanos() - before.look().cpuNanos();
                user += moment.look().userNanos() - before.look().userNanos();
            }
            before = moment;
        }
        return cpu >= ENOUGH_CPU_TIME
                && cpu - user <= OF_CPU_TIME * cpu + STEP
                && HANDLER_LOOKS_PER_OTHER * between <= inRuns;
    }

    /** What it did there most often, and the lock that it waited for then. */
    private static EventLoopLooks.Hold hold(List<LoopMoment> same) {
        List<LoopMoment> usual = same.stream().collect(Collectors.groupingBy(LoopMoment::doing)).values().stream()
                .max(Comparator.comparingInt(List::size))
                .orElse(same);
        LoopMoment latest = usual.get(usual.size() - 1);
        long longest = same.stream().mapToLong(LoopMoment::runNanos).max().orElse(0);
        return new EventLoopLooks.Hold(
                latest.doing(),
                latest.place(),
                Duration.ofNanos(longest),
                latest.stack(),
                usual.stream().map(LoopMoment::lock).flatMap(Optional::stream).reduce((one, later) -> later));
    }
}
