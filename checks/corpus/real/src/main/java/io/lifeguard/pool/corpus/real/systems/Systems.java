package io.lifeguard.pool.corpus.real.systems;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The list of all real systems. Stateless. */
public final class Systems {

    /** The system property that names the jar of Payara Micro. Without it, Payara is not played. */
    public static final String PAYARA = "payara.jar";

    private static final List<RealSystem> ALL = Stream.of(
                    EventLoopServers.all(),
                    ThreadServers.all(),
                    Clients.all(),
                    Crowds.all(),
                    AsynchronousClients.instrumented(),
                    Loggers.all(),
                    Lucene.all(),
                    Flows.all())
            .flatMap(List::stream)
            .toList();

    private static final List<RealSystem> SEEN_FROM_OUTSIDE = Stream.of(
                    ALL,
                    PlainPrograms.all(),
                    UnknownPools.all(),
                    ApplicationServers.all(),
                    LibraryPrograms.all(),
                    AsynchronousClients.all())
            .flatMap(List::stream)
            .toList();

    private Systems() {}

    /** All systems, in the order in which they run. */
    public static List<RealSystem> all() {
        return ALL;
    }

    /** The same, and those with pools that only a watcher from outside can see. */
    public static List<RealSystem> seenFromOutside() {
        return SEEN_FROM_OUTSIDE;
    }

    /** The system of that name. */
    public static Optional<RealSystem> named(String name) {
        return SEEN_FROM_OUTSIDE.stream()
                .filter(system -> system.name().equals(name))
                .findFirst();
    }
}
