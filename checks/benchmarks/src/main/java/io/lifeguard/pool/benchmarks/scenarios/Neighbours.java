package io.lifeguard.pool.benchmarks.scenarios;

import io.lifeguard.workbench.Machine;
import java.util.List;

/**
 * Who else wants the CPUs while a pool is measured. Immutable.
 *
 * @param name the short name, as in the tables
 * @param description what it is, for people
 * @param machine the conditions under which the fork runs
 * @param threads computing threads of the same JVM
 */
public record Neighbours(String name, String description, Machine machine, int threads) {
    /** Nobody. */
    public static final Neighbours NONE = new Neighbours("", "nobody", Machine.UNCHANGED, 0);

    static final Neighbours FOUR_PROCESSES = processes(4);

    static final List<Neighbours> ALL = List.of(
            processes(2),
            FOUR_PROCESSES,
            processes(8),
            threads(2),
            threads(4),
            threads(8),
            new Neighbours("quota", "a quota of half a CPU", Machine.UNCHANGED.limitedTo(0.5), 0),
            new Neighbours(
                    "nice",
                    "2 computing processes of normal priority, the pool at nice 10",
                    Machine.UNCHANGED.beside(2).nicer(10),
                    0));

    private static Neighbours processes(int number) {
        return new Neighbours("p" + number, number + " computing processes", Machine.UNCHANGED.beside(number), 0);
    }

    private static Neighbours threads(int number) {
        return new Neighbours("t" + number, number + " computing threads of the same JVM", Machine.UNCHANGED, number);
    }
}
