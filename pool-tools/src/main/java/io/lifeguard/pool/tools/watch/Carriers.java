package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.tools.dumps.ThreadDump;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * How many virtual threads of a JVM have a carrier, as a dump without virtual threads shows it. Immutable.
 *
 * @param running how many carriers have a virtual thread
 * @param all how many carriers there are; empty where all are idle, because they look like any workers then
 * @param queued how many virtual threads wait for a carrier; empty before JDK 24
 */
public record Carriers(int running, OptionalInt all, OptionalInt queued) {

    /** The JVM has such a thread from the first virtual thread on. */
    private static final String HELPER = "VirtualThread-un";

    /** {@return whether a dump shows that virtual threads have run} */
    static boolean hasHelper(ThreadDump dump) {
        return dump.threads().stream().anyMatch(thread -> thread.name().startsWith(HELPER));
    }

    /**
     * {@return the carriers in a dump; empty where no virtual thread has run}
     *
     * @param scheduler asks the JVM's scheduler. It is asked only where virtual threads have run: the JVM would make it
     */
    static Optional<Carriers> of(
            ThreadDump dump, List<PoolFinder.FoundPool> pools, Supplier<Optional<SchedulerState>> scheduler) {
        List<PoolFinder.FoundPool> found =
                pools.stream().filter(pool -> pool.kind() == PoolKind.CARRIERS).toList();
        if (found.isEmpty() && !hasHelper(dump)) {
            return Optional.empty();
        }
        int running = (int) found.stream()
                .flatMap(pool -> pool.workers().stream())
                .filter(worker -> worker.carries().isPresent())
                .count();
        OptionalInt seen = found.isEmpty()
                ? OptionalInt.empty()
                : OptionalInt.of(
                        found.stream().mapToInt(pool -> pool.workers().size()).sum());
        Optional<SchedulerState> told = scheduler.get();
        return Optional.of(new Carriers(
                running,
                told.map(state -> OptionalInt.of(Math.max(state.parallelism(), running)))
                        .orElse(seen),
                told.map(state -> OptionalInt.of(state.queued())).orElse(OptionalInt.empty())));
    }

    /** {@return the same in one line, which also says that nothing else is known of virtual threads} */
    public String words(long pid) {
        String carriers = all.isPresent()
                ? "of " + Counted.of(all.getAsInt(), "carrier", "carriers") + ", " + running
                        + (running == 1 ? " has" : " have") + " a virtual thread"
                : Counted.of(running, "carrier has a virtual thread", "carriers have a virtual thread");
        String queue = queued.isEmpty()
                ? ""
                : ", and " + Counted.of(queued.getAsInt(), "virtual thread waits", "virtual threads wait") + " for one";
        return carriers + queue + "; what virtual threads do was not looked at: 'lifeguard watch " + pid
                + "' does that";
    }
}
