package io.lifeguard.pool.diagnosis.evidence;

import io.lifeguard.pool.diagnosis.window.StackSample;
import io.lifeguard.pool.diagnosis.window.StackSample.Group;
import io.lifeguard.pool.diagnosis.window.StackSample.Lock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Stream;

/** Joins two stack samples; each number is weighted by its rounds. Stateless. */
public final class StackJoin {

    private static final Comparator<Group> LARGEST_FIRST =
            Comparator.comparingDouble(Group::workers).reversed().thenComparing(Group::place);
    private static final Comparator<Lock> MOST_WAITERS_FIRST =
            Comparator.comparingDouble(Lock::waiters).reversed().thenComparing(Lock::lock);

    private StackJoin() {}

    public static StackSample join(StackSample earlier, StackSample later) {
        int rounds = Math.addExact(earlier.rounds(), later.rounds());
        double then = rounds == 0 ? 0 : (double) earlier.rounds() / rounds;
        double now = 1 - then;
        return new StackSample(
                rounds,
                earlier.workersPerRound() * then + later.workersPerRound() * now,
                groups(Stream.concat(
                        earlier.groups().stream().map(group -> scaled(group, then)),
                        later.groups().stream().map(group -> scaled(group, now)))),
                locks(Stream.concat(
                        earlier.locks().stream().map(lock -> scaled(lock, then)),
                        later.locks().stream().map(lock -> scaled(lock, now)))),
                earlier.starvedWorkers() * then + later.starvedWorkers() * now,
                earlier.perhapsStarvedWorkers() * then + later.perhapsStarvedWorkers() * now,
                longest(earlier.longestRunning(), later.longestRunning()));
    }

    /** Joins groups with the same place and the same doing; largest first. */
    static List<Group> groups(Stream<Group> parts) {
        return joined(parts, group -> List.of(group.doing(), group.place()), StackJoin::together).stream()
                .sorted(LARGEST_FIRST)
                .toList();
    }

    /** Joins locks with the same identity; most waiters first. */
    static List<Lock> locks(Stream<Lock> parts) {
        return joined(parts, Lock::lock, StackJoin::together).stream()
                .sorted(MOST_WAITERS_FIRST)
                .toList();
    }

    private static <T, K> List<T> joined(Stream<T> parts, Function<T, K> key, BinaryOperator<T> both) {
        Map<K, T> byKey = new LinkedHashMap<>();
        parts.forEach(part -> byKey.merge(key.apply(part), part, both));
        return new ArrayList<>(byKey.values());
    }

    private static Group together(Group one, Group other) {
        return new Group(one.doing(), one.place(), one.workers() + other.workers(), other.stack());
    }

    /** Place and owner are the latest that were seen. */
    private static Lock together(Lock earlier, Lock later) {
        Lock holder = later.ownerStack().isEmpty() && earlier.owner().isPresent() ? earlier : later;
        return new Lock(
                later.lock(),
                later.monitor(),
                earlier.waiters() + later.waiters(),
                later.place().isEmpty() ? earlier.place() : later.place(),
                holder.owner(),
                holder.ownerStack(),
                earlier.otherWaiters() + later.otherWaiters());
    }

    private static Group scaled(Group group, double weight) {
        return new Group(group.doing(), group.place(), group.workers() * weight, group.stack());
    }

    private static Lock scaled(Lock lock, double weight) {
        return new Lock(
                lock.lock(),
                lock.monitor(),
                lock.waiters() * weight,
                lock.place(),
                lock.owner(),
                lock.ownerStack(),
                lock.otherWaiters() * weight);
    }

    /** The later stacks, and as many of the earlier ones as there is room for. */
    private static Map<Long, List<StackTraceElement>> longest(
            Map<Long, List<StackTraceElement>> earlier, Map<Long, List<StackTraceElement>> later) {
        Map<Long, List<StackTraceElement>> stacks = new LinkedHashMap<>(later);
        earlier.forEach((id, stack) -> {
            if (stacks.size() < StackSample.LONGEST) {
                stacks.putIfAbsent(id, stack);
            }
        });
        return stacks;
    }
}
