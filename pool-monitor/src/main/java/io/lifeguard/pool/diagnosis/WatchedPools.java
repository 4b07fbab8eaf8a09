package io.lifeguard.pool.diagnosis;

import io.lifeguard.pool.diagnosis.evidence.FirstQuestion;
import io.lifeguard.pool.diagnosis.outside.ExternalForkJoinPool;
import io.lifeguard.pool.diagnosis.outside.PoolSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The pools that one monitor watches. Any thread may add pools and end the watch; the monitor's thread removes them.
 */
final class WatchedPools {

    /** Ten seconds: a program that ends after two, and one whose code is still being compiled, are seen in detail. */
    private static final Duration YOUTH = Duration.ofSeconds(10);

    /*
     * Adding checks for duplicates and for the end under the lock of watches. So no pool is watched twice, and none is
     * watched after the end. A pool that is announced waits in a queue of its own until a thread asks for the watched
     * pools, so the thread that makes a pool does not pay for its watch, and no thread does for a pool that was dropped
     * meanwhile. A pool leaves that queue after it was added to watches. So a thread that looks at the queue first, and
     * then at watches, overlooks none: the monitor's thread does not end beside a pool that is on its way. end() moves
     * the watches to left in the same step, so that the monitor's thread ends their findings itself: a ledger has one
     * writer.
     */

    private final Engine engine;
    private final NewWatch newWatch;

    // added to under its own lock; the monitor's thread removes; readers may see a pool that has just ended
    private final CopyOnWriteArrayList<PoolWatch> watches = new CopyOnWriteArrayList<>();

    // Pools that are not watched yet, held weakly. Added to by any thread, emptied under the lock of watches.
    private final Queue<Announced> announced = new ConcurrentLinkedQueue<>();

    // filled once by the thread that ends the watch, emptied by the monitor's thread
    private final Queue<PoolWatch> left = new ConcurrentLinkedQueue<>();

    // Pools that have terminated since the last round. Held, so that none is collected before its last window is
    // closed. Added to by any thread, emptied by the monitor's thread.
    private final Queue<Object> departed = new ConcurrentLinkedQueue<>();

    private volatile boolean ended; // written under the lock of watches; from false to true

    private int first; // the pool that gets its evidence first; confined to the monitor's thread
    private List<PoolWatch> silent = List.of(); // whose queues do not answer; confined to the monitor's thread

    private @Nullable PoolWatch commonPool; // watched without having been asked for; confined to the monitor's thread

    /** Makes the watch of a pool of that name, which is known to exist since then by the monitor's clock. */
    @FunctionalInterface
    interface NewWatch {
        PoolWatch of(PoolSource source, String name, long bornNanos);
    }

    private record Announced(PoolSource source, String name, long bornNanos) {}

    /**
     * Makes a registry without pools.
     *
     * @param newWatch called by any thread
     */
    WatchedPools(Engine engine, NewWatch newWatch) {
        this.engine = engine;
        this.newWatch = newWatch;
    }

    /**
     * Watches a pool from now on. Has no effect if it is being watched, or after the {@linkplain #end() end}. Any
     * thread.
     */
    void add(PoolSource source, String name) {
        watchAnnounced();
        synchronized (watches) {
            Object executor = source.executor();
            if (!ended && executor != null && !isAnyOf(watches, executor)) {
                watches.add(newWatch.of(source, name, engine.clock().nanoTime()));
            }
        }
    }

    /**
     * Watches a pool from the next time on that the watched pools are asked for. Any thread.
     *
     * @param bornNanos since when the pool is known to exist, by the monitor's clock
     * @return whether the caller must see to it that a thread asks for them: no pool that still waits was announced
     *     earlier
     */
    @SuppressWarnings("ReferenceEquality") // the same pool may be announced twice
    boolean announce(PoolSource source, String name, long bornNanos) {
        Announced mine = new Announced(source, name, bornNanos);
        announced.add(mine);
        Announced earliest = announced.peek();
        return earliest == null || earliest == mine;
    }

    private void watchAnnounced() {
        if (announced.isEmpty()) {
            return;
        }
        synchronized (watches) {
            Set<Object> watched = Collections.newSetFromMap(new IdentityHashMap<>());
            for (PoolWatch watch : watches) {
                watched.add(watch.source().executor()); // null for those that were collected
            }
            while (!announced.isEmpty()) {
                List<PoolWatch> added = new ArrayList<>();
                int read = 0;
                for (Announced next : announced) {
                    read++;
                    Object executor = next.source.executor();
                    if (!ended && executor != null && watched.add(executor)) {
                        added.add(newWatch.of(next.source, next.name, next.bornNanos));
                    }
                }
                watches.addAll(added);
                for (int i = 0; i < read; i++) {
                    announced.poll(); // not before it is watched: see above
                }
            }
        }
    }

    /** {@return whether a pool is young and works, or the next windows decide about a finding of a pool} */
    boolean wantShortWindows(long now) {
        for (PoolWatch watch : all()) {
            boolean isYoung = watch.isYoungerThan(YOUTH, now) && !watch.isCalm();
            if (isYoung || watch.ledger().isUndecided()) {
                return true;
            }
        }
        return false;
    }

    private static boolean isAnyOf(List<PoolWatch> watches, Object executor) {
        for (PoolWatch watch : watches) {
            if (watch.isOf(executor)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Keeps a pool that has terminated from being collected before its last window is closed. It may not be watched: to
     * look for it among thousands of pools would cost its last thread more than the next round needs to let it go. Any
     * thread.
     */
    void terminated(Object executor) {
        if (!announced.isEmpty() || !watches.isEmpty()) {
            departed.add(executor);
        }
    }

    /** {@return how many pools have terminated and are held} The monitor's thread only. */
    int departed() {
        return departed.size();
    }

    /** Lets go of so many pools that have terminated, because all were visited. The monitor's thread only. */
    void release(int count) {
        for (int i = 0; i < count; i++) {
            departed.poll();
        }
    }

    /** {@return the wanted name, with a number where another pool has it} Any thread. */
    String freeName(String wanted) {
        String name = wanted;
        for (int n = 2; isTaken(name); n++) {
            name = wanted + "#" + n;
        }
        return name;
    }

    private boolean isTaken(String name) {
        return present().anyMatch(watch -> watch.name().equals(name));
    }

    /**
     * Watches the common fork-join pool while it has threads and another pool is watched. Alone it would keep the
     * monitor's thread from ending. One that a user watches is left alone. The monitor's thread only.
     */
    void watchCommonPool() {
        watchAnnounced();
        ForkJoinPool common = ForkJoinPool.commonPool();
        boolean isAlone = true;
        for (PoolWatch watch : watches) {
            isAlone &= watch.isOf(common);
        }
        if (isAlone && commonPool != null) {
            leave(commonPool);
            commonPool = null;
        } else if (!isAlone && commonPool == null && common.getPoolSize() > 0) {
            String name = freeName("ForkJoinPool.commonPool");
            add(new ExternalForkJoinPool(common, name), name);
            commonPool = watches.stream()
                    .filter(watch -> watch.isOf(common) && watch.name().equals(name))
                    .findFirst()
                    .orElse(null);
        }
    }

    /** Any thread. */
    List<PoolWatch> all() {
        watchAnnounced();
        return watches;
    }

    /**
     * {@return all pools in a new list that begins with another pool each time} The budget for evidence may not suffice
     * for all. The monitor's thread only.
     */
    List<PoolWatch> inTurn() {
        List<PoolWatch> all = new ArrayList<>(all());
        first++;
        Collections.rotate(all, all.isEmpty() ? 0 : -(first % all.size()));
        return all;
    }

    /**
     * {@return those pools that may be asked, in the same order} A user's queue whose {@code size()} never returns
     * would stop the watch of all pools otherwise. The monitor's thread only.
     *
     * @param isRound whether more than the queues will be asked for
     */
    List<PoolWatch> answering(List<PoolWatch> all, boolean isRound) {
        List<PoolWatch> silentNow = new ArrayList<>();
        for (PoolWatch watch : all) {
            try {
                if (!answers(watch, isRound || watch.isUnread())) {
                    silentNow.add(watch);
                }
            } catch (Throwable e) {
                engine.guard().failed(watch, e);
            }
        }
        silent = silentNow;
        if (silentNow.isEmpty()) {
            return all;
        }
        List<PoolWatch> answering = new ArrayList<>(all);
        answering.removeAll(silentNow);
        return answering;
    }

    private boolean answers(PoolWatch watch, boolean isThorough) {
        boolean wasSilent = engine.guard().isSilent(watch);
        FirstQuestion question = FirstQuestion.of(watch.source(), wasSilent || isThorough);
        if (question == null) {
            return true;
        }
        boolean answers = engine.guard()
                .hasReturned(watch, question, () -> question.title(watch.name()), "the pool is not watched");
        if (answers && wasSilent) {
            watch.beginAnew();
        }
        return answers;
    }

    /** {@return whether a pool answers, as far as is known} The monitor's thread only. */
    boolean mayBeAsked(PoolWatch watch) {
        return !silent.contains(watch);
    }

    /** {@return whether an executor is known not to answer} The monitor's thread only. */
    boolean isSilent(Object executor) {
        return isAnyOf(silent, executor);
    }

    /** {@return the watches of pools that have not ended since the last round} Any thread. */
    Stream<PoolWatch> present() {
        return all().stream().filter(watch -> !isGone(watch));
    }

    /** {@return the pools themselves, in a new list} Any thread. */
    List<PoolSource> sources() {
        return all().stream().map(PoolWatch::source).toList();
    }

    /** {@return whether a pool has ended} A user's pool that throws when it is asked counts as alive. Any thread. */
    boolean isGone(PoolWatch watch) {
        Object executor = watch.source().executor();
        if (executor == null) {
            return true;
        }
        try {
            return !engine.guard().isSilent(watch) && watch.source().isGone();
        } catch (Throwable e) {
            engine.guard().failed(executor, e);
            return false;
        }
    }

    /** {@return whether the watch has ended} Any thread. */
    boolean hasEnded() {
        return ended;
    }

    /** Ends the watch of all pools for good. Their findings end at the next {@link #rest()}. Any thread. */
    void end() {
        synchronized (watches) {
            ended = true;
            announced.clear();
            left.addAll(watches);
            watches.clear();
        }
    }

    /** Ends the findings of the pools that were left when the watch ended. The monitor's thread only. */
    void rest() {
        for (PoolWatch watch = left.poll(); watch != null; watch = left.poll()) {
            FindingLedger ledger = watch.ledger();
            engine.guard().run(watch, () -> ledger.end("the monitor was closed", engine.listeners()));
        }
    }

    /** Watches a pool no longer, because it has ended. The monitor's thread only. */
    void leave(PoolWatch watch) {
        watch.ledger().endOfPool(engine.listeners());
        engine.guard().forget(watch);
        engine.recorder().forget(watch.name());
        watches.remove(watch);
    }
}
