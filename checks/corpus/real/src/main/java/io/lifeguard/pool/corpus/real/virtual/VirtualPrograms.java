package io.lifeguard.pool.corpus.real.virtual;

import java.util.List;
import java.util.stream.Stream;

/** The list of all programs on virtual threads. Stateless. */
final class VirtualPrograms {

    private VirtualPrograms() {}

    /** {@return the sick programs, in the order in which they run} */
    static List<VirtualProgram> sick() {
        return Stream.of(ConnectionPools.all(), Locks.all(), TakenCarriers.all(), Helidon.all())
                .flatMap(List::stream)
                .toList();
    }

    /** {@return the program of that name} */
    static VirtualProgram named(String name) {
        return Stream.concat(sick().stream(), HealthyVirtualPrograms.all().stream())
                .filter(program -> program.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no program \"" + name + "\""));
    }
}
