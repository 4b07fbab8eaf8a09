package io.lifeguard.pool.diagnosis.evidence.loop;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.Pools;
import io.lifeguard.pool.WorkerState;
import io.lifeguard.pool.diagnosis.evidence.stack.LockQueues;
import io.lifeguard.pool.diagnosis.evidence.stack.ThreadLook;
import io.lifeguard.pool.diagnosis.seen.ClassMonitor;
import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.diagnosis.system.ThreadReader;
import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.os.LiveThreads;
import io.lifeguard.pool.os.NonBlockingThreads;
import io.lifeguard.pool.recording.Recorder;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the event loops of this process, and looks at what they do. Confined to the monitor's thread, except
 * {@link #groups}.
 *
 * <p>These threads are event loops: threads below the {@code run} of one of Netty's event loops, which are Vert.x's
 * too; the I/O threads of XNIO, which are Undertow's; threads that Reactor or RxJava marks as non-blocking; and the
 * threads of the default dispatchers of Pekko and Akka. The latter share their work, so the group is judged as a whole.
 * Workers of Reactor's and RxJava's schedulers and of dispatchers serve no events, and are there to compute, so only
 * their waits count. Loops of Netty and XNIO that run on the workers of an instrumented pool are found, too.
 *
 * <p>The search takes place in each window in which the JVM has started threads. It looks at some new threads in each
 * window, and at each twice at most, at all of their frames. Loops are then looked at once per window, and several
 * times where one was seen to be held up. A look costs 20 to 60 µs.
 */
public final class EventLoops {

    /** New threads that are looked at in one window: 2 ms at 60 µs each. */
    private static final int MOST_NEW = 32;

    /** Loops: one thread per CPU is usual, so more than 128 are rare. A look at each takes 8 ms at most. */
    private static final int MOST_WATCHED = 128;

    /** Looks: a thread that has just started may not have reached its loop. */
    private static final int LOOKS_AT_NEW = 2;

    /** A worker that has run one task for so long may run a loop: it is looked at twice, whatever else it runs. */
    private static final long LONG_NANOS = 500_000_000;

    /** 64 frames reach the user's own frame nearly always. Where they do not, all frames are taken. */
    private static final int DEPTH = 64;

    /** Locks whose holder is asked for at one look. */
    private static final int MOST_HOLDERS = 4;

    /**
     * Such a thread runs the actors, the streams and the handlers of HTTP. Dispatchers for blocking have other names.
     */
    private static final List<String> DISPATCHERS = List.of("actor.default-dispatcher-", "actor.internal-dispatcher-");

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final ThreadReader system = new ThreadReader();
    private final LongSupplier clock;
    private final LoopSamples samples;
    private final Map<Thread, Integer> looked = new WeakHashMap<>();

    // single writer: the monitor's thread; readers may lag by one window
    private final CopyOnWriteArrayList<EventLoopGroup> groups = new CopyOnWriteArrayList<>();
    private long started; // threads started when all of them had been looked at

    public EventLoops(LongSupplier clock, Recorder recorder) {
        this.clock = clock;
        this.samples = new LoopSamples(recorder);
    }

    /** Any thread. */
    public List<EventLoopGroup> groups() {
        return groups;
    }

    private List<EventLoopWatch> watches() {
        List<EventLoopWatch> watches = new ArrayList<>();
        for (EventLoopGroup group : groups) {
            watches.addAll(group.loops());
        }
        return watches;
    }

    /** Whether more frequent looks are worth their cost. */
    public boolean isSuspected() {
        for (EventLoopGroup group : groups) {
            for (EventLoopWatch loop : group.loops()) {
                if (loop.isSuspect()) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether a loop uses much CPU time, so that some looks more are to tell what for. */
    public boolean isAnyBusy() {
        for (EventLoopGroup group : groups) {
            for (EventLoopWatch loop : group.loops()) {
                if (loop.isBusy()) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Forgets all looks, because a time without looks follows. */
    public void forget() {
        for (EventLoopWatch watch : watches()) {
            watch.forget();
        }
    }

    public void look() {
        List<EventLoopWatch> watches = watches();
        if (watches.isEmpty()) {
            return;
        }
        ThreadInfo[] infos = threads.getThreadInfo(
                watches.stream().mapToLong(EventLoopWatch::id).toArray(), DEPTH);
        Map<String, Awaited.Lock> locks = new HashMap<>();
        int i = 0;
        for (EventLoopGroup group : groups) {
            for (EventLoopWatch loop : group.loops()) {
                ThreadInfo info = infos[i] == null ? null : deepEnough(infos[i]);
                if (info != null) {
                    samples.looked(group.name(), loop, loop.look(look(info, loop, locks)));
                }
                i++;
            }
        }
    }

    /** Takes all frames where none of the user's is among those that were taken. */
    private @Nullable ThreadInfo deepEnough(ThreadInfo info) {
        List<StackTraceElement> stack = Arrays.asList(info.getStackTrace());
        return stack.size() < DEPTH || UserFrames.hasUsersFrame(stack)
                ? info
                : threads.getThreadInfo(info.getThreadId(), Integer.MAX_VALUE);
    }

    private LoopLook look(ThreadInfo info, EventLoopWatch watch, Map<String, Awaited.Lock> locks) {
        ThreadLook look = ThreadLook.of(info);
        boolean runs = look.state() == Thread.State.RUNNABLE;
        return new LoopLook(
                clock.getAsLong(),
                look.state(),
                look.stack(),
                look.type(),
                lock(look, watch, locks),
                runs ? cpuTime(look.id(), false) : -1,
                runs && EventLoopFrames.hasHandler(look.stack()) ? cpuTime(look.id(), true) : -1);
    }

    /** The CPU time of a thread, or the part outside of the system; -1 where it is unknown. */
    private long cpuTime(long id, boolean user) {
        try {
            return user ? threads.getThreadUserTime(id) : threads.getThreadCpuTime(id);
        } catch (UnsupportedOperationException e) {
            return -1;
        }
    }

    private Optional<Awaited.Lock> lock(ThreadLook look, EventLoopWatch watch, Map<String, Awaited.Lock> known) {
        if (look.object().isEmpty() || !look.wantsLock()) {
            return Optional.empty();
        }
        Awaited.Lock seen = known.get(look.object());
        if (seen == null) {
            String className = watch.thread()
                    .map(thread -> ClassMonitor.name(look.object(), look.stack(), thread))
                    .orElse(look.object());
            boolean isWanted = known.size() < MOST_HOLDERS && look.holderId() != ThreadLook.NO_HOLDER;
            seen = new Awaited.Lock(
                    className,
                    look.state() == Thread.State.BLOCKED,
                    Optional.ofNullable(look.holderName()),
                    LockQueues.stacksOfHolders(threads::getThreadInfo, isWanted ? List.of(look) : List.of())
                            .getOrDefault(look.object(), List.of()),
                    0); // only loops are looked at
            known.put(look.object(), seen);
        }
        return Optional.of(seen);
    }

    /** Looks for new loops, and at all loops once more before their windows end. */
    public void round() {
        search();
        look();
        for (EventLoopWatch loop : watches()) {
            loop.read(clock.getAsLong(), cpuTime(loop.id(), false), system);
        }
    }

    public List<EventLoopGroup> removeDead() {
        List<EventLoopGroup> dead = new ArrayList<>();
        for (EventLoopGroup group : groups) {
            group.loops().removeIf(loop -> !loop.isAlive());
            if (group.loops().isEmpty()) {
                dead.add(group);
            }
        }
        if (!dead.isEmpty()) {
            groups.removeAll(dead);
        }
        return dead;
    }

    private void search() {
        long startedNow = threads.getTotalStartedThreadCount();
        if (startedNow == started || watches().size() >= MOST_WATCHED) {
            return;
        }
        Workers workers = workers();
        List<Thread> unknown = new ArrayList<>();
        for (Thread thread : LiveThreads.all()) {
            if (unknown.size() <= MOST_NEW
                    && looked.getOrDefault(thread, 0) < LOOKS_AT_NEW
                    && !workers.others().contains(thread)) {
                unknown.add(thread);
            }
        }
        List<Thread> now = unknown.subList(0, Math.min(MOST_NEW, unknown.size()));
        ThreadInfo[] infos = stacks(now);
        boolean again = workers.areSomeNew() || unknown.size() > now.size();
        for (int i = 0; i < now.size(); i++) {
            Thread thread = now.get(i);
            boolean isWorker = workers.busyForLong().contains(thread); // other rules judge it if it serves no events
            boolean isDispatcher = !isWorker && isDispatcher(thread.getName());
            ThreadInfo info = infos[i];
            boolean servesEvents = info != null && EventLoopFrames.hasLoop(Arrays.asList(info.getStackTrace()));
            if (isDispatcher || servesEvents || (!isWorker && NonBlockingThreads.isMarked(thread))) {
                add(thread, isDispatcher, servesEvents);
                looked.put(thread, LOOKS_AT_NEW);
            } else {
                int looks = looked.getOrDefault(thread, 0) + 1;
                looked.put(thread, looks);
                again |= looks < LOOKS_AT_NEW;
            }
        }
        if (!again) {
            started = startedNow;
        }
    }

    private void add(Thread thread, boolean isDispatcher, boolean servesEvents) {
        EventLoopWatch watch = new EventLoopWatch(thread, clock.getAsLong(), servesEvents);
        String threads = EventLoopGroup.nameOf(watch.name());
        String name = Pools.find(threads).isPresent() ? threads + " threads" : threads; // beside the pool's findings
        EventLoopGroup group = groups.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseGet(() -> new EventLoopGroup(name, isDispatcher));
        group.loops().add(watch);
        groups.addIfAbsent(group);
    }

    private static boolean isDispatcher(String thread) {
        int number = thread.lastIndexOf('-') + 1;
        String name = thread.substring(0, number);
        for (String dispatcher : DISPATCHERS) {
            if (name.endsWith("pekko." + dispatcher) || name.endsWith("akka." + dispatcher)) {
                return number < thread.length() && Character.isDigit(thread.charAt(number));
            }
        }
        return false;
    }

    /** All at once: each call stops all threads, and a busy machine may take a second until they go on. */
    @SuppressWarnings("deprecation") // threadId() exists since JDK 19
    private @Nullable ThreadInfo[] stacks(List<Thread> some) {
        long[] ids = new long[some.size()];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = some.get(i).getId();
        }
        return ids.length == 0 ? new ThreadInfo[0] : threads.getThreadInfo(ids, Integer.MAX_VALUE);
    }

    /**
     * The workers of instrumented pools. They are many, and a look at each would stop the JVM for nothing. An event
     * loop is a task that does not end, so only workers with long tasks may run one.
     *
     * @param areSomeNew whether some of the others run their first task, which may become a long one
     */
    private record Workers(Set<Thread> busyForLong, Set<Thread> others, boolean areSomeNew) {}

    private static Workers workers() {
        Set<Thread> busyForLong = new HashSet<>();
        Set<Thread> others = new HashSet<>();
        boolean areSomeNew = false;
        for (InstrumentedPool pool : Pools.live()) {
            for (WorkerState worker : pool.workers()) {
                boolean isLong = worker.runningFor().toNanos() >= LONG_NANOS;
                (isLong ? busyForLong : others).add(worker.thread());
                areSomeNew |= !isLong && worker.busy() && worker.begun() <= 1;
            }
        }
        return new Workers(busyForLong, others, areSomeNew);
    }
}
