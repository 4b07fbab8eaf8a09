package io.lifeguard.pool.diagnosis.evidence.stack;

import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.diagnosis.window.Awaited.Lock;
import io.lifeguard.pool.diagnosis.window.Doing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the workers that wait until another one has initialised a class. Stateless.
 *
 * <p>To Java such a worker is {@code RUNNABLE}, in code outside of native methods. The system says that it sleeps. The
 * worker that initialises the class has a frame {@code <clinit>}. If no worker has one, it is unknown what the others
 * do.
 */
public final class ClassInitialisation {

    private ClassInitialisation() {}

    /**
     * Names the waits.
     *
     * @param locks where to add the locks found, by the text that {@link Seen#object} then has
     */
    public static List<Seen> resolved(List<Seen> all, Map<String, Lock> locks) {
        List<Seen> initialising = new ArrayList<>();
        for (Seen seen : all) {
            if (index(seen.stack()) >= 0) {
                initialising.add(seen);
            }
        }
        List<Seen> resolved = new ArrayList<>(all.size());
        for (Seen seen : all) {
            if (!seen.mayInitialise()) {
                resolved.add(seen);
                continue;
            }
            Optional<Seen> holder = initialising.stream()
                    .filter(other -> other.threadId() != seen.threadId())
                    .min((one, other) -> Boolean.compare(one.mayInitialise(), other.mayInitialise()));
            if (holder.isEmpty()) {
                resolved.add(seen.doing(Doing.UNKNOWN, ""));
                continue;
            }
            String name = "the initialisation of class "
                    + outermost(holder.get().stack()).orElse("");
            locks.put(
                    name,
                    new Lock(
                            name,
                            true,
                            Optional.of(holder.get().thread()),
                            holder.get().stack(),
                            0));
            resolved.add(seen.doing(Doing.WAITING_FOR_LOCK, name));
        }
        return resolved;
    }

    /** The class whose initialisation began first. */
    public static Optional<String> outermost(List<StackTraceElement> stack) {
        int index = index(stack);
        return index < 0 ? Optional.empty() : Optional.of(stack.get(index).getClassName());
    }

    /** The line of the initialiser that began first; where there is none, the user's line. */
    public static String place(List<StackTraceElement> stack) {
        return UserFrames.place(stack.subList(Math.max(0, index(stack)), stack.size()));
    }

    private static int index(List<StackTraceElement> stack) {
        for (int i = stack.size() - 1; i >= 0; i--) {
            if (stack.get(i).getMethodName().equals("<clinit>")) {
                return i;
            }
        }
        return -1;
    }
}
