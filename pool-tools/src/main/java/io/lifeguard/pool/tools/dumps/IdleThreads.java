package io.lifeguard.pool.tools.dumps;

import io.lifeguard.pool.diagnosis.evidence.stack.LimitedResource;
import io.lifeguard.pool.diagnosis.evidence.stack.Waits;
import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.diagnosis.window.Doing;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Tells which threads that wait for a notification have nothing to do: workers of hand-made pools, timers, consumers of
 * queues. Stateless.
 *
 * <p>Such a thread waits near its own {@code run}, or nearly all threads of its name wait where it does. It is no task
 * of a pool, holds nothing, and waits neither for room nor for a resource that is lent. A thread made for one request
 * that waits for a hand-made semaphore comes closest: that is no idle one if the name of a method or class says so.
 */
final class IdleThreads {

    /** Between the wait and the end of the stack: a loop, its method that waits, and two that call the loop. */
    private static final int MOST_FRAMES = 4;

    /** If the whole group waits at the same place. */
    private static final int MOST_SHARED_FRAMES = 8;

    private static final int SMALLEST_GROUP = 3;

    private static final Set<String> LOOPS = Set.of(
            "java.util.TimerThread.mainLoop",
            "sun.nio.fs.AbstractWatchService.take",
            "java.lang.ref.ReferenceQueue.remove",
            "java.awt.EventQueue.getNextEvent",
            "io.netty.util.concurrent.SingleThreadEventExecutor.takeTask");

    private static final Set<String> ACQUIRING = Set.of("acquire", "tryAcquire", "acquireUninterruptibly", "exchange");

    private IdleThreads() {}

    /** Returns those of these threads, by their identity. */
    static Set<DumpedThread> among(List<DumpedThread> threads) {
        IdentityHashMap<List<StackTraceElement>, Integer> depths =
                new IdentityHashMap<>(); // equal stacks are the same object
        Map<String, Integer> sizes = new HashMap<>();
        Map<List<String>, Integer> sharing = new HashMap<>();
        for (DumpedThread thread : threads) {
            sizes.merge(group(thread), 1, Integer::sum);
            if (depth(thread, depths) <= MOST_SHARED_FRAMES) {
                sharing.merge(List.of(group(thread), thread.place()), 1, Integer::sum);
            }
        }
        Set<DumpedThread> idle = Collections.newSetFromMap(new IdentityHashMap<>());
        for (DumpedThread thread : threads) {
            int depth = depth(thread, depths);
            if (depth <= MOST_FRAMES || (depth <= MOST_SHARED_FRAMES && isShared(thread, sizes, sharing))) {
                idle.add(thread);
            }
        }
        return idle;
    }

    /** Nine of ten. */
    private static boolean isShared(
            DumpedThread thread, Map<String, Integer> sizes, Map<List<String>, Integer> sharing) {
        int size = sizes.getOrDefault(group(thread), 0);
        int same = sharing.getOrDefault(List.of(group(thread), thread.place()), 0);
        return same >= SMALLEST_GROUP && same * 10L >= size * 9L;
    }

    private static String group(DumpedThread thread) {
        return Unlisted.group(thread.name());
    }

    private static int depth(DumpedThread thread, IdentityHashMap<List<StackTraceElement>, Integer> depths) {
        return (thread.doing() != Doing.WAITING_IN_LINE && !isParkedForATime(thread))
                        || !thread.holds().isEmpty()
                ? Integer.MAX_VALUE
                : depths.computeIfAbsent(thread.stack(), IdleThreads::depth);
    }

    /** A worker of a hand-made pool that waits by itself for its next task. */
    private static boolean isParkedForATime(DumpedThread thread) {
        return thread.doing() == Doing.SLEEPING
                && thread.stack().size() > 1
                && thread.stack().get(1).getClassName().equals("java.util.concurrent.locks.LockSupport");
    }

    /** Returns how many frames there are between the wait and the bottom; very many where the thread has a task. */
    private static int depth(List<StackTraceElement> stack) {
        if (stack.stream().anyMatch(frame -> LOOPS.contains(frame.getClassName() + '.' + frame.getMethodName()))) {
            return 0;
        }
        int begin = 0;
        boolean acquires = false;
        while (begin < stack.size() && UserFrames.isJdk(stack.get(begin))) {
            acquires |= ACQUIRING.contains(stack.get(begin).getMethodName());
            begin++;
        }
        int end = stack.size();
        while (end > begin && stack.get(end - 1).getClassName().matches("java\\.lang\\.(Virtual)?Thread(\\$.*)?")) {
            end--;
        }
        boolean isTask = stack.subList(begin, end).stream().anyMatch(UserFrames::isJdk)
                || (begin == stack.size() && !isThreadOfJdk(stack));
        boolean isLent = acquires
                || LimitedResource.of(stack).isPresent()
                || LimitedResource.byName(stack).isPresent()
                || Waits.handOver(stack).isPresent();
        return isTask || isLent ? Integer.MAX_VALUE : end - begin;
    }

    /** One of the JDK's own threads, such as that of Swing's timers: it ends in their {@code run}, and runs no task. */
    private static boolean isThreadOfJdk(List<StackTraceElement> stack) {
        return stack.get(stack.size() - 1).getMethodName().equals("run")
                && stack.stream()
                        .map(StackTraceElement::getClassName)
                        .noneMatch(type -> type.matches(
                                "java\\.util\\.concurrent\\.(ThreadPool|ForkJoin|FutureTask|CompletableFuture).*"));
    }
}
