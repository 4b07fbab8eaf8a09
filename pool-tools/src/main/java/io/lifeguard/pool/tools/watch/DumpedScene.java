package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.diagnosis.evidence.WaitChains;
import io.lifeguard.pool.diagnosis.evidence.stack.OwnPorts;
import io.lifeguard.pool.diagnosis.evidence.stack.ThreadLook;
import io.lifeguard.pool.diagnosis.window.Awaited.Result;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.tools.dumps.DumpPicture;
import io.lifeguard.pool.tools.dumps.DumpedThread;
import io.lifeguard.pool.tools.dumps.Selectors;
import io.lifeguard.pool.tools.dumps.ThreadDump;
import io.lifeguard.pool.tools.watch.PoolFinder.FoundPool;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The threads of a dump, as far as a chain of waits asks about them. Not thread-safe. */
final class DumpedScene implements WaitChains.Scene {

    private static final String INITIALISATION = "the initialisation of class ";

    private final ThreadDump dump;
    private final List<FoundPool> pools;
    private final AwaitedResults results;
    private final long pid;
    private final boolean namesOwners;
    private @Nullable DumpPicture picture; // made when a chain asks for it

    /**
     * Makes the scene of the dump that was looked at last.
     *
     * @param namesOwners whether the dump lists who holds locks of {@code java.util.concurrent}
     */
    DumpedScene(ThreadDump dump, List<FoundPool> pools, AwaitedResults results, long pid, boolean namesOwners) {
        this.dump = dump;
        this.pools = pools;
        this.results = results;
        this.pid = pid;
        this.namesOwners = namesOwners;
    }

    boolean namesOwners() {
        return namesOwners;
    }

    /** Of virtual threads no dump tells which locks they hold. */
    @Override
    public boolean namesAllOwners() {
        return namesOwners
                && !Carriers.hasHelper(dump)
                && dump.threads().stream().noneMatch(DumpedThread::isVirtual);
    }

    private DumpPicture picture() {
        if (picture == null) {
            picture = dump.picture();
        }
        return picture;
    }

    @Override
    public @Nullable ThreadLook thread(long id) {
        return picture().thread(id).map(picture()::look).orElse(null);
    }

    @Override
    public List<ThreadLook> workers(String pool) {
        return pools.stream()
                .filter(found -> found.name().equals(pool))
                .flatMap(found -> found.workers().stream())
                .filter(worker -> Selectors.doing(worker) != Doing.IDLE)
                .map(picture()::look)
                .toList();
    }

    private List<ThreadLook> those(Predicate<DumpedThread> condition) {
        return dump.threads().stream().filter(condition).map(picture()::look).toList();
    }

    @Override
    public List<ThreadLook> named(String beginning) {
        return those(thread -> thread.name().startsWith(beginning));
    }

    @Override
    public List<ThreadLook> waitingFor(String object) {
        return those(thread ->
                thread.waitsFor().filter(lock -> lock.name().equals(object)).isPresent());
    }

    @Override
    public Result result(ThreadLook waiter) {
        return picture().thread(waiter.id()).map(results::likely).orElse(AwaitedResults.UNKNOWN);
    }

    @Override
    public boolean mayInitialise(ThreadLook look) {
        return initialised(look).isPresent();
    }

    @Override
    public Optional<String> initialised(ThreadLook look) {
        return look.object().startsWith(INITIALISATION)
                ? Optional.of(ThreadLook.typeOf(look.object()).substring(INITIALISATION.length()))
                : Optional.empty();
    }

    @Override
    public Map<Integer, OwnPorts.Port> ownPorts() {
        return OwnPorts.of(Path.of("/proc", Long.toString(pid)));
    }
}
