package io.lifeguard.pool.queue;

import io.lifeguard.pool.queue.Tasks.Numbered;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;
import java.util.stream.Stream;

/**
 * An Error strikes a producer at a given site, right after a consumer has taken what there was. Each accepted task must
 * then have been taken once, with a time stamp of its own, and no slot may hold a task that was taken.
 *
 * <p>Loaded by the loader of {@link Faults}, and called through the JDK's interface. The argument is the number of the
 * site. The result says what went wrong; it is empty if nothing did, and null if the producer came to no such site.
 */
public final class FaultyAppend implements LongFunction<String> {

    private static final int SEGMENT = 2;

    @Override
    public String apply(long site) {
        String bounded = attempt(WorkQueue.bounded(SEGMENT), (int) site);
        String unbounded = attempt(new SegmentQueue(WorkQueue.UNBOUNDED, SEGMENT), (int) site);
        return bounded == null && unbounded == null
                ? null
                : Objects.requireNonNullElse(bounded, "") + Objects.requireNonNullElse(unbounded, "");
    }

    private static String attempt(WorkQueue queue, int site) {
        List<Runnable> taken = new ArrayList<>();
        for (int i = 0; i < SEGMENT; i++) { // the next task needs another segment
            queue.add(new Numbered(i));
            queue.poll();
        }
        Numbered task = new Numbered(SEGMENT);
        boolean accepted = false;
        Faults.arm(site, () -> drain(queue, taken));
        try {
            accepted = queue.offer(task);
        } catch (Error ignored) { // not accepted
            accepted = false;
        }
        boolean thrown = Faults.disarm();
        if (queue.peek() != null && queue.oldestNanos() == 0) {
            return "the task has no time stamp; ";
        }
        drain(queue, taken);
        if (accepted != taken.contains(task) || taken.size() > 1) {
            return "accepted: " + accepted + ", taken: " + taken + "; ";
        }
        Stream<Object> slots = Stream.of(queue.cursor(queue.accepted() - taken.size()).items);
        if (slots.anyMatch(Objects::nonNull)) {
            return "a taken task is back in its slot; ";
        }
        return thrown ? "" : null;
    }

    /** Takes what is there. A position that is claimed and not published yet would be waited for. */
    private static void drain(WorkQueue queue, List<Runnable> taken) {
        while (queue.hasTasks() && queue.cursor(queue.positions.head()).item() != null) {
            taken.add(queue.poll());
        }
    }
}
