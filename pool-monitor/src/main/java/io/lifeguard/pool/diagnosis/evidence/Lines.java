package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.diagnosis.evidence.stack.LimitedResource;
import io.lifeguard.pool.diagnosis.evidence.stack.Seen;
import io.lifeguard.pool.diagnosis.evidence.stack.Stacks;
import io.lifeguard.pool.diagnosis.evidence.stack.Stratum;
import io.lifeguard.pool.diagnosis.evidence.stack.Waits;
import io.lifeguard.pool.diagnosis.seen.UserFrames;
import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Doing;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Counts the workers that are past a line, where others wait in it. Confined to the monitor's thread.
 *
 * <p>A worker is past the line if its stack leaves a waiting worker's stack, seen from the bottom, within one method at
 * a later source line, or at the waiting worker's place itself by another call. That worker has got what the other
 * waits for. A worker elsewhere does not count.
 */
public final class Lines {

    private final Map<String, List<Integer>> served = new HashMap<>(); // by place; one number for each look

    void see(List<Seen> looks, Map<Stratum, Long> workers) {
        Map<Stratum, Long> looked = new HashMap<>();
        Map<String, Seen> lines = new HashMap<>();
        for (Seen look : looks) {
            looked.put(look.stratum(), looked.getOrDefault(look.stratum(), 0L) + 1);
            if (look.doing() == Doing.WAITING_IN_LINE) {
                lines.putIfAbsent(look.place(), look);
            }
        }
        for (Map.Entry<String, Seen> line : lines.entrySet()) {
            double past = 0;
            for (Seen look : looks) {
                if (look.doing() != Doing.WAITING_IN_LINE
                        && isPast(line.getValue().stack(), look.stack())) {
                    past += (double) workers.getOrDefault(look.stratum(), 0L) / looked.getOrDefault(look.stratum(), 1L);
                }
            }
            Seen.add(served, line.getKey(), (int) Math.round(past));
        }
    }

    /** The largest number that two looks have seen, or the only look; empty when no worker was past the line. */
    OptionalInt served(String place) {
        List<Integer> numbers = new ArrayList<>(served.getOrDefault(place, List.of()));
        Collections.sort(numbers, Collections.reverseOrder());
        int most = numbers.isEmpty() ? 0 : numbers.get(Math.min(1, numbers.size() - 1));
        return most == 0 ? OptionalInt.empty() : OptionalInt.of(most);
    }

    /**
     * What a thread waits for in line, by the object on which it waits: no resource is known for its frames.
     *
     * @param changing knows whether each task waits on an object of its own; then only its class is named
     */
    Awaited.Line atObject(Seen one, ChangingLocks changing) {
        String type = one.objectClass();
        String object = changing.isChanging(one.place(), type)
                ? type
                : one.object().replaceFirst("^(java\\.util\\.concurrent\\.Semaphore)\\$\\w+@", "$1@");
        boolean isSemaphore = one.stratum().isSemaphore();
        Optional<String> lender = isSemaphore ? Optional.empty() : LimitedResource.byName(one.stack());
        Optional<String> queue = lender.isPresent() ? Optional.empty() : Waits.emptyQueue(one.stack());
        String known = lender.isPresent() ? lender.get() : queue.isPresent() ? "an element of " + queue.get() : "";
        String name = known.isEmpty() ? object : known + " (" + Stacks.shortName(object) + ")";
        return line(name, isSemaphore || lender.isPresent(), one);
    }

    /** What a thread waits for in line, without its capacity. */
    Awaited.Line line(String name, boolean isLimited, Seen one) {
        return new Awaited.Line(name, isLimited, served(one.place()), OptionalInt.empty(), OptionalInt.empty());
    }

    void clear() {
        served.clear();
    }

    static boolean isPast(List<StackTraceElement> waiter, List<StackTraceElement> other) {
        String place = UserFrames.place(waiter);
        int depth = Math.min(waiter.size(), other.size());
        boolean isAtPlace = false;
        for (int up = 1; up <= depth; up++) {
            StackTraceElement here = waiter.get(waiter.size() - up);
            StackTraceElement there = other.get(other.size() - up);
            if (!here.equals(there)) {
                boolean sameMethod = here.getClassName().equals(there.getClassName())
                        && here.getMethodName().equals(there.getMethodName());
                return sameMethod ? there.getLineNumber() > here.getLineNumber() : isAtPlace;
            }
            isAtPlace = UserFrames.place(List.of(here)).equals(place);
        }
        return false;
    }
}
