package io.lifeguard.pool.tools.dumps;

import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.tools.dumps.DumpedThread.Lock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds from their stacks which threads others wait for, where no dump lists it: those that initialise a class, and
 * those that must bring a result. Stateless.
 */
final class Unlisted {

    private Unlisted() {}

    /**
     * Adds to the threads what they hold up in this way. Returns how many threads may wait for each other to initialise
     * classes, which the dump does not name.
     */
    static int findHolders(List<ThreadDraft> threads, Map<String, ThreadDraft> holders, StackCache cache) {
        findInitialisers(threads);
        int undecided = findInitialisersWithoutNames(threads);
        findResults(threads, holders, cache);
        return undecided;
    }

    /**
     * From 17 on the dump names the class, and the thread that initialises it has its {@code <clinit>} on the stack.
     */
    private static void findInitialisers(List<ThreadDraft> threads) {
        Map<String, ThreadDraft> initialisers = new HashMap<>();
        for (ThreadDraft thread : threads) {
            initialised(thread).forEach(type -> initialisers.putIfAbsent(type, thread));
        }
        for (ThreadDraft thread : threads) {
            Lock wanted = thread.wanted();
            ThreadDraft initialiser = wanted == null ? null : initialisers.get(wanted.identity());
            if (wanted != null && initialiser != null && !initialiser.equals(thread)) {
                initialiser.holds(wanted.identity());
            }
        }
    }

    /**
     * In 8 to 16 the dump does not name the class. If all threads that initialise one wait for one themselves, they
     * wait for each other. If another runs, they may all wait for that.
     */
    private static int findInitialisersWithoutNames(List<ThreadDraft> threads) {
        List<ThreadDraft> initialisers = threads.stream()
                .filter(thread -> !initialised(thread).isEmpty())
                .toList();
        int waiting = (int)
                initialisers.stream().filter(ThreadDraft::waitsForSomeClass).count();
        if (waiting < 2 || waiting < initialisers.size()) {
            return waiting < 2 ? 0 : waiting;
        }
        for (int i = 0; i < initialisers.size(); i++) {
            ThreadDraft next = initialisers.get((i + 1) % initialisers.size());
            String type = initialised(next).iterator().next();
            initialisers.get(i).waitsForInitialisation(type);
            next.holds(type);
        }
        return 0;
    }

    private static Set<String> initialised(ThreadDraft thread) {
        Set<String> types = new HashSet<>();
        for (StackTraceElement frame : thread.stack) {
            if (frame.getMethodName().equals("<clinit>")) {
                types.add(frame.getClassName());
            }
        }
        return types;
    }

    /**
     * A thread holds a lock and waits for a result. Another wants this lock in the middle of a call of the same class
     * that waits for the result, and belongs to another group of threads: it seems to be the one that must bring it.
     */
    private static void findResults(List<ThreadDraft> threads, Map<String, ThreadDraft> holders, StackCache cache) {
        for (ThreadDraft waiter : threads) {
            Lock lock = waiter.wanted();
            ThreadDraft holder = lock == null ? null : holders.get(lock.identity());
            Lock result = holder == null ? null : holder.wanted();
            if (holder != null
                    && result != null
                    && lock != null
                    && !holders.containsKey(result.identity())
                    && !group(waiter.name).equals(group(holder.name))
                    && holder.waitsForResult(cache)
                    && isCalledBack(waiter, holder.framesAbove(lock.identity()))) {
                waiter.holds(result.identity());
                holders.put(result.identity(), waiter);
            }
        }
    }

    private static boolean isCalledBack(ThreadDraft waiter, List<StackTraceElement> caller) {
        Optional<String> taker = waiter.stack.stream()
                .filter(frame -> !UserFrames.isJdk(frame))
                .map(StackTraceElement::getClassName)
                .findFirst();
        Set<String> called = new HashSet<>();
        waiter.stack.forEach(frame -> called.add(frame.getClassName()));
        taker.ifPresent(called::remove);
        return caller.stream()
                .filter(frame -> !UserFrames.isJdk(frame))
                .anyMatch(frame -> called.contains(frame.getClassName()));
    }

    /** Returns a thread's name without its numbers. */
    static String group(String name) {
        StringBuilder group = new StringBuilder(name.length());
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) < '0' || name.charAt(i) > '9') {
                group.append(name.charAt(i));
            }
        }
        return group.toString();
    }
}
