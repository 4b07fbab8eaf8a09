package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.diagnosis.evidence.DumpEvidence;
import io.lifeguard.pool.diagnosis.evidence.stack.Waits;
import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.tools.dumps.DumpedThread;
import io.lifeguard.pool.tools.dumps.DumpedThread.Lock;
import io.lifeguard.pool.tools.dumps.Selectors;
import io.lifeguard.pool.tools.watch.PoolFinder.FoundPool;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Recognises pools of libraries that are not known, and of the user's own, by the shape of their threads. Remembers
 * what earlier dumps have shown. Not thread-safe.
 *
 * <p>The threads of a pool have names that differ in a number, and the same loop at the bottom of their stacks. A group
 * of such threads is a pool once one of them was seen at rest in that loop, or while they run code of others in a
 * library's loop. Threads that rest at queues of their own are no pool: each is a consumer, or an executor of one
 * thread.
 */
final class ThreadShapes {

    private static final int SMALLEST_POOL = 2;

    /** The loop itself, and its method that waits for the next task. */
    private static final int MOST_FRAMES_OF_A_LOOP = 2;

    /** Run what they are given; their caller tells nothing. */
    private static final List<String> WRAPPERS =
            List.of("java.lang.Thread", "io.netty.util.concurrent.FastThreadLocalRunnable", "kotlin.concurrent.");

    private final Set<Loop> pools = new HashSet<>();
    private final Set<Loop> apart = new HashSet<>(); // rest at queues of their own

    /** Threads of one name that run in one loop. */
    private record Loop(String name, String type) {}

    /**
     * What became of threads that belong to no pool of a known kind.
     *
     * @param pools those that are pools
     * @param others groups of two or more that are none
     */
    record Shaped(List<FoundPool> pools, List<FoundPool> others) {}

    /**
     * Groups the threads of a dump.
     *
     * @param threads those that belong to no pool of a known kind, not null
     * @param taken the names of the pools of known kinds, not null
     */
    Shaped group(List<DumpedThread> threads, Set<String> taken) {
        Map<Loop, List<DumpedThread>> groups = new LinkedHashMap<>();
        for (DumpedThread thread : threads) {
            root(thread.stack())
                    .ifPresent(root -> groups.computeIfAbsent(
                                    new Loop(
                                            PoolFinder.nameWithoutAnyNumber(thread.name()), outer(root.getClassName())),
                                    key -> new ArrayList<>())
                            .add(thread));
        }
        Set<String> names = new HashSet<>(taken);
        List<FoundPool> found = new ArrayList<>();
        List<FoundPool> others = new ArrayList<>();
        groups.forEach((loop, group) -> {
            if (group.size() >= SMALLEST_POOL) {
                learn(loop, group);
            }
            boolean isPool = pools.contains(loop) && !apart.contains(loop);
            if (isPool || group.size() >= SMALLEST_POOL) {
                String name = names.add(loop.name) ? loop.name : loop.name + " (" + simple(loop.type) + ')';
                List<DumpedThread> workers =
                        group.stream().map(ThreadShapes::withRest).toList();
                (isPool ? found : others)
                        .add(new FoundPool(name, isPool ? PoolKind.SHAPED : PoolKind.THREADS, workers));
            }
        });
        return new Shaped(found, others);
    }

    private void learn(Loop loop, List<DumpedThread> group) {
        List<DumpedThread> resting = group.stream()
                .filter(thread -> !Selectors.isSelecting(thread.stack()) && isAtRest(thread))
                .toList();
        List<String> queues = resting.stream()
                .flatMap(thread -> thread.waitsFor().map(Lock::identity).stream())
                .toList();
        if (queues.size() >= SMALLEST_POOL && Set.copyOf(queues).size() == queues.size()) {
            apart.add(loop);
        }
        boolean runsOthersCode =
                group.stream().filter(ThreadShapes::runsOthersCode).count() >= SMALLEST_POOL;
        if (resting.stream().anyMatch(thread -> !isJdkOnly(thread.stack())) || runsOthersCode) {
            pools.add(loop);
        }
    }

    /** What a thread in line waits for, if that is lent in a limited number. Others wait for a message. */
    static Optional<String> limitedResource(DumpedThread thread) {
        return DumpEvidence.limitedResource(
                thread.stack(), thread.waitsFor().map(Lock::type).orElse(""));
    }

    /** The same thread, as idle if it is at rest. */
    static DumpedThread withRest(DumpedThread thread) {
        return thread.doing() != Doing.IDLE && isAtRest(thread) ? thread.idle() : thread;
    }

    /**
     * {@return whether a thread waits in the loop at the bottom of its stack} It takes from a queue of the JDK, or is
     * parked or waits for a notification in methods of the loop's own class, or, in a library's loop, of that library.
     */
    static boolean isAtRest(DumpedThread thread) {
        List<StackTraceElement> stack = thread.stack();
        StackTraceElement root = root(stack).orElse(null);
        Doing doing = Selectors.doing(thread);
        if (root == null || doing == Doing.IDLE) {
            return doing == Doing.IDLE;
        }
        boolean isUsers = UserFrames.isUsers(root.getClassName());
        boolean mayRest = doing == Doing.WAITING_IN_LINE
                ? limitedResource(thread).isEmpty() && Waits.fullQueue(stack).isEmpty()
                : doing == Doing.SLEEPING && !isUsers;
        if (!mayRest) {
            return false;
        }
        List<StackTraceElement> below = stack.stream()
                .filter(frame -> !UserFrames.isJdk(frame) && !isWrapper(frame))
                .toList();
        boolean isInLoop = below.stream().allMatch(frame -> isSameLoop(frame, root, isUsers));
        boolean isClear = !isUsers || below.size() == 1 || isLoopOfItsOwn(below, root);
        return (isInLoop && isClear) || (below.size() <= MOST_FRAMES_OF_A_LOOP && Waits.takes(stack));
    }

    /** The user's loop, as {@code JobWorker.run}, and one method below it. A lambda in any class is none. */
    private static boolean isLoopOfItsOwn(List<StackTraceElement> below, StackTraceElement root) {
        return below.size() <= MOST_FRAMES_OF_A_LOOP && root.getMethodName().equals("run");
    }

    private static boolean isSameLoop(StackTraceElement frame, StackTraceElement root, boolean isUsers) {
        return isUsers
                ? outer(frame.getClassName()).equals(outer(root.getClassName()))
                : family(frame.getClassName()).equals(family(root.getClassName()));
    }

    /** Whether the loop of one library or module runs the user's code of another. */
    private static boolean runsOthersCode(DumpedThread thread) {
        return root(thread.stack())
                .map(root -> family(root.getClassName()))
                .filter(loop -> !loop.isEmpty()
                        && thread.stack().stream()
                                .map(StackTraceElement::getClassName)
                                .anyMatch(type -> UserFrames.isUsers(type)
                                        && !family(type).equals(loop)))
                .isPresent();
    }

    /** The lowest frame that tells whose loop it is; one of the JDK where there is no other. */
    private static Optional<StackTraceElement> root(List<StackTraceElement> stack) {
        StackTraceElement lowest = null;
        for (int i = stack.size() - 1; i >= 0; i--) {
            StackTraceElement frame = stack.get(i);
            if (!UserFrames.isJdk(frame) && !isWrapper(frame)) {
                return Optional.of(frame);
            }
            lowest = lowest == null && !isWrapper(frame) ? frame : lowest;
        }
        return Optional.ofNullable(lowest);
    }

    private static boolean isJdkOnly(List<StackTraceElement> stack) {
        return stack.stream().allMatch(UserFrames::isJdk);
    }

    private static boolean isWrapper(StackTraceElement frame) {
        return WRAPPERS.stream().anyMatch(frame.getClassName()::startsWith)
                || frame.getClassName().contains("$$Lambda");
    }

    private static String outer(String type) {
        int nested = type.indexOf('$');
        return nested < 0 ? type : type.substring(0, nested);
    }

    private static String simple(String type) {
        return type.substring(type.lastIndexOf('.') + 1);
    }

    /** The first two parts of the package, as {@code org.example}; empty where there is none. */
    private static String family(String type) {
        int first = type.indexOf('.');
        int second = first < 0 ? -1 : type.indexOf('.', first + 1);
        return first < 0 ? "" : type.substring(0, second < 0 ? first : second);
    }
}
