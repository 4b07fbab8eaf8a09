package io.lifeguard.pool.diagnosis.evidence.stack;

import io.lifeguard.pool.diagnosis.seen.DeadlockCircle;
import io.lifeguard.pool.diagnosis.seen.DeadlockCircle.Member;
import io.lifeguard.pool.diagnosis.seen.UserFrames;
import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All threads of a moment: who waits for which object, who holds it, and what the holder waits for. Not thread-safe.
 *
 * <p>Made from looks of this JVM or from a dump. Where nobody says who holds a lock, stacks may tell, see
 * {@link #likelyHolder}.
 */
public final class ThreadPicture {

    /** The search for likely holders costs locks times threads times frames. */
    private static final int MOST_TO_CONCLUDE = 2_000;

    private final Map<Long, ThreadLook> threads = new LinkedHashMap<>();
    private final @Nullable LongFunction<@Nullable ThreadLook> others; // null where there are none

    /**
     * Makes a picture that looks at further threads when it is asked about them.
     *
     * @param others looks at a thread by its number; null where there is none
     */
    public ThreadPicture(Collection<ThreadLook> looks, @Nullable LongFunction<@Nullable ThreadLook> others) {
        this.others = others;
        for (ThreadLook look : looks) {
            threads.put(look.id(), look);
        }
    }

    public static ThreadPicture of(Collection<ThreadLook> looks) {
        return new ThreadPicture(looks, null);
    }

    /** {@return a picture of these threads alone; null stands for a thread that has ended} */
    public static ThreadPicture of(@Nullable ThreadInfo[] infos) {
        List<ThreadLook> looks = new ArrayList<>(infos.length);
        for (ThreadInfo info : infos) {
            if (info != null) {
                looks.add(ThreadLook.of(info));
            }
        }
        return of(looks);
    }

    /** {@return the thread of this number; null where there is none} */
    public @Nullable ThreadLook thread(long id) {
        ThreadLook known = threads.get(id);
        if (known == null && id >= 0 && others != null) {
            known = others.apply(id);
            if (known != null) {
                threads.put(id, known);
            }
        }
        return known;
    }

    /** {@return the thread that holds what a thread waits for; null where nobody does or it is unknown} */
    public @Nullable ThreadLook holder(ThreadLook waiter) {
        return waiter.holderId() == ThreadLook.NO_HOLDER ? null : thread(waiter.holderId());
    }

    /** {@return the threads that want this object} */
    public List<ThreadLook> waiters(String object) {
        List<ThreadLook> waiters = new ArrayList<>();
        for (ThreadLook look : threads.values()) {
            if (look.object().equals(object) && look.wantsLock()) {
                waiters.add(look);
            }
        }
        return waiters;
    }

    /** {@return a thread, the next one, and so on, until there is none, or before a thread that came already} */
    private static List<ThreadLook> way(ThreadLook first, UnaryOperator<@Nullable ThreadLook> next) {
        Set<Long> seen = new HashSet<>();
        List<ThreadLook> way = new ArrayList<>();
        ThreadLook thread = first;
        while (thread != null && seen.add(thread.id())) {
            way.add(thread);
            thread = next.apply(thread);
        }
        return way;
    }

    /**
     * {@return each circle of threads that wait for each other without a time limit, once, beginning with the thread
     * that was looked at first}
     */
    public List<List<ThreadLook>> circles() {
        return circles(this::holder);
    }

    private List<List<ThreadLook>> circles(UnaryOperator<@Nullable ThreadLook> holder) {
        UnaryOperator<@Nullable ThreadLook> next =
                look -> look.state() == Thread.State.TIMED_WAITING ? null : holder.apply(look);
        List<List<ThreadLook>> circles = new ArrayList<>();
        Set<Long> done = new HashSet<>();
        for (ThreadLook first : List.copyOf(threads.values())) {
            if (done.contains(first.id())) {
                continue;
            }
            List<ThreadLook> way = way(first, next);
            ThreadLook end = next.apply(way.get(way.size() - 1));
            int begin = end == null || done.contains(end.id()) ? -1 : way.indexOf(threads.get(end.id()));
            if (begin >= 0 && way.size() - begin > 1) {
                circles.add(List.copyOf(way.subList(begin, way.size())));
            }
            way.forEach(look -> done.add(look.id()));
        }
        return circles;
    }

    /**
     * {@return who seems to hold the lock that all these threads wait for; null where that is unknown}
     *
     * <p>No dump of JDK 21 to 25 says who owns a lock of {@code java.util.concurrent}, if the owner is a virtual
     * thread. But a thread that waits shows the method and the line that takes the lock. Whoever is in the same method
     * behind that line, or in what that line calls, as the function of a {@code computeIfAbsent}, and does not wait for
     * the lock, has taken it. That is concluded only if there is exactly one such thread. A wait with a time limit
     * tells nothing: behind {@code tryLock} may be a thread that did not get the lock. Of more than 2,000 threads
     * nothing is concluded.
     *
     * @param waiters all that wait for it
     */
    public @Nullable ThreadLook likelyHolder(List<ThreadLook> waiters) {
        if (threads.size() > MOST_TO_CONCLUDE) {
            return null;
        }
        Set<ThreadLook> waiting = Collections.newSetFromMap(new IdentityHashMap<>());
        waiting.addAll(waiters);
        Set<StackTraceElement> takers = new LinkedHashSet<>();
        waiters.stream()
                .filter(waiter -> waiter.state() != Thread.State.TIMED_WAITING)
                .forEach(waiter -> waiter.stack().stream()
                        .filter(frame -> !UserFrames.isJdk(frame))
                        .findFirst()
                        .ifPresent(takers::add));
        List<ThreadLook> behind = threads.values().stream()
                .filter(thread -> !waiting.contains(thread))
                .filter(thread -> thread.stack().stream()
                                .anyMatch(frame -> takers.stream().anyMatch(taker -> isBehind(frame, taker)))
                        || isInside(thread, takers))
                .limit(2)
                .toList();
        return behind.size() == 1 ? behind.get(0) : null;
    }

    private static boolean isInside(ThreadLook thread, Set<StackTraceElement> takers) {
        List<StackTraceElement> users = thread.stack().stream()
                .filter(frame -> !UserFrames.isJdk(frame))
                .toList();
        return thread.state() != Thread.State.BLOCKED && users.stream().skip(1).anyMatch(takers::contains);
    }

    private static boolean isBehind(StackTraceElement frame, StackTraceElement taker) {
        return taker.getLineNumber() > 0
                && frame.getLineNumber() > taker.getLineNumber()
                && frame.getMethodName().equals(taker.getMethodName())
                && frame.getClassName().equals(taker.getClassName());
    }

    /** {@return the circles of virtual threads that stacks show, where {@link #likelyHolder} tells who holds a lock} */
    public List<List<ThreadLook>> likelyCircles() {
        Map<String, List<ThreadLook>> waiters = threads.values().stream()
                .filter(look ->
                        look.isVirtual() && look.wantsLock() && !look.object().isEmpty())
                .filter(look -> look.holds().isEmpty())
                .collect(Collectors.groupingBy(ThreadLook::object, LinkedHashMap::new, Collectors.toList()));
        Map<String, ThreadLook> holders = new HashMap<>();
        waiters.forEach((object, threads) -> {
            ThreadLook holder = likelyHolder(threads);
            if (holder != null) {
                holders.put(object, holder);
            }
        });
        return circles(look -> holders.get(look.object()));
    }

    /** {@return the circle as findings show it} */
    public static DeadlockCircle circle(List<ThreadLook> threads, boolean isConcluded) {
        return new DeadlockCircle(threads.stream().map(ThreadPicture::member).toList(), isConcluded);
    }

    private static Member member(ThreadLook look) {
        return new Member(
                Math.max(0, look.id()),
                look.name(),
                look.isVirtual(),
                ThreadLook.title(look.object()),
                look.place(),
                look.stack().stream().map(StackTraceElement::toString).toList());
    }
}
