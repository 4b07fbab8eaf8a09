package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.Pools;
import io.lifeguard.pool.WorkerState;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/**
 * Finds the event loops of this process, and looks at what they do. Confined to the monitor's thread, except
 * {@link #watches}.
 *
 * <p>An event loop is a thread below the {@code run} of one of Netty's event loops, which are Vert.x's too, or one that
 * Reactor marks as non-blocking. The search takes place in each window in which the JVM has started threads. It looks
 * at some new threads in each window, and at each twice at most. Loops are looked at once per window, and several times
 * where one was seen to be held up. A look costs 20 to 60 µs.
 */
public final class EventLoops {

    private static final int MOST_NEW = 16;
    private static final int MOST_WATCHED = 128;
    private static final int LOOKS_AT_NEW = 2; // a thread that has just started may not have reached its loop
    private static final String REACTOR = "reactor.core.scheduler.NonBlocking";

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Map<Thread, Integer> looked = new WeakHashMap<>();
    private final CopyOnWriteArrayList<EventLoopWatch> watches = new CopyOnWriteArrayList<>();
    private long started; // threads started when all of them had been looked at

    /** Any thread. */
    public List<EventLoopWatch> watches() {
        return watches;
    }

    /** Whether more frequent looks are worth their cost. */
    public boolean isSuspected() {
        return watches.stream().anyMatch(EventLoopWatch::isSuspect);
    }

    /** Looks at all loops. */
    public void look() {
        if (watches.isEmpty()) {
            return;
        }
        long[] ids = watches.stream().mapToLong(EventLoopWatch::id).toArray();
        ThreadInfo[] infos = threads.getThreadInfo(ids, StackSampler.DEPTH);
        for (int i = 0; i < ids.length; i++) {
            watches.get(i).look(infos[i]); // no other thread adds or removes
        }
    }

    /** Looks for new loops, and at all loops once more before their windows end. */
    public void round() {
        search();
        look();
    }

    /** Removes and returns the loops that have ended. */
    public List<EventLoopWatch> removeDead() {
        List<EventLoopWatch> dead =
                watches.stream().filter(watch -> !watch.isAlive()).toList();
        watches.removeAll(dead);
        return dead;
    }

    private void search() {
        long startedNow = threads.getTotalStartedThreadCount();
        if (startedNow == started || watches.size() >= MOST_WATCHED) {
            return;
        }
        int looks = 0;
        boolean again = false;
        Set<Thread> workers = workers();
        for (Thread thread : allThreads()) {
            int times = looked.getOrDefault(thread, 0);
            if (times >= LOOKS_AT_NEW || workers.contains(thread)) {
                continue;
            }
            if (looks++ == MOST_NEW) {
                again = true;
                break;
            }
            if (isEventLoop(thread)) {
                watches.add(new EventLoopWatch(thread));
                looked.put(thread, LOOKS_AT_NEW);
            } else {
                looked.put(thread, times + 1);
                again |= times + 1 < LOOKS_AT_NEW;
            }
        }
        if (!again) {
            started = startedNow;
        }
    }

    /**
     * Workers of instrumented pools. They are many and no event loops, and a look at each would stop the JVM for
     * nothing.
     */
    private static Set<Thread> workers() {
        return Pools.live().stream()
                .flatMap(pool -> pool.workers().stream())
                .map(WorkerState::thread)
                .collect(Collectors.toSet());
    }

    private static boolean isEventLoop(Thread thread) {
        for (Class<?> type = thread.getClass(); type != null && type != Thread.class; type = type.getSuperclass()) {
            for (Class<?> face : type.getInterfaces()) {
                if (face.getName().endsWith(REACTOR)) {
                    return true;
                }
            }
        }
        return Arrays.stream(thread.getStackTrace()).anyMatch(EventLoopWatch::isNettysLoop);
    }

    private static List<Thread> allThreads() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        Thread[] all = new Thread[group.activeCount() + 64];
        return Arrays.asList(all).subList(0, group.enumerate(all, true));
    }
}
