package io.lifeguard.pool.corpus.looks;

import java.util.ArrayList;
import java.util.List;

/** Looks, each with its time. Thread-safe. */
final class TakenLooks {

    private final List<Taken> all = new ArrayList<>(); // guarded by this

    /** Adds what stands now. */
    synchronized void add(List<Standing> standing) {
        all.add(new Taken(System.nanoTime(), standing));
    }

    /**
     * Prints all looks for {@link Course#parse}.
     *
     * @param zero the {@link System#nanoTime()} from which the looks count
     */
    synchronized void print(long zero) {
        for (Taken each : all) {
            long millis = Math.floorDiv(each.nanoTime - zero, 1_000_000L);
            new Look(millis, each.findings).lines().forEach(System.out::println);
        }
    }

    private record Taken(long nanoTime, List<Standing> findings) {}
}
