package io.lifeguard.pool.corpus.real.systems;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The list of all real systems. Stateless. */
public final class Systems {

    private static final List<RealSystem> ALL = Stream.of(
                    EventLoopServers.all(),
                    ThreadServers.all(),
                    Clients.all(),
                    Loggers.all(),
                    Lucene.all(),
                    Flows.all())
            .flatMap(List::stream)
            .toList();

    private Systems() {}

    /** All systems, in the order in which they run. */
    public static List<RealSystem> all() {
        return ALL;
    }

    /** The system of that name. */
    public static Optional<RealSystem> named(String name) {
        return ALL.stream().filter(system -> system.name().equals(name)).findFirst();
    }
}
