package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.PoolDiagnosis;
import io.lifeguard.pool.diagnosis.outside.ExternalPool;
import io.lifeguard.pool.diagnosis.seen.CarrierLooks;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.lifeguard.pool.text.Units;
import io.lifeguard.pool.tools.dumps.DumpedThread;
import io.lifeguard.pool.tools.dumps.ThreadDump;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Watches the virtual threads of another JVM, by its carriers in each dump, and now and then by a dump that has virtual
 * threads. Not thread-safe.
 *
 * <p>While all carriers keep the threads that they have, no other virtual thread starts or goes on. JDK 24 and later
 * also tell how many wait. Before, the dump shows those that have not run yet.
 */
final class VirtualWatch {

    private static final String NAME = "virtual threads";

    /** After the third one, dumps with virtual threads may use 1 % of a core. */
    private static final long PAUSES_PER_DUMP = 100;

    /** After the second dump: three tell a standstill, and the time that a dump takes includes waits. */
    private static final long SECOND_PAUSES_PER_DUMP = 10;

    private static final long SHORTEST_PAUSE = Duration.ofSeconds(2).toNanos();

    /** A queue counts when two dumps have shown it, and must not be told two windows later than other findings. */
    private static final long FIRST_PAUSE = Duration.ofSeconds(1).toNanos();

    /** The third dump tells a standstill, which must have lasted for four seconds by then. */
    private static final long SECOND_PAUSE = Duration.ofMillis(3_100).toNanos();

    /** A standstill is judged at the end of one window, and raised a window later. */
    private static final int WINDOWS_OF_A_STANDSTILL = 2;

    /** A dump takes 0.05 to 0.1 ms per thread; of a JVM with more threads no second one is taken. */
    static final int MOST_THREADS = 2_000;

    private final Target target;
    private final PoolDiagnosis diagnosis;
    private final VirtualLines lines = new VirtualLines();
    private final CarrierTurns turns = new CarrierTurns();
    private final ThreadStarts starts = new ThreadStarts();
    private List<DumpedThread> carriers = List.of(); // that carry something, in the latest dump
    private boolean hasCarriers;
    private int parallelism;
    private int taken; // looks at which no carrier was free, and others waited
    private OptionalInt queued = OptionalInt.empty();
    private @Nullable ThreadDump virtual; // the latest dump with virtual threads
    private int dumps;
    private boolean hasTooMany;
    private int stood; // latest windows at whose ends dumps have shown a standstill
    private long nextDump;
    private @Nullable PoolSnapshot before;
    private Optional<String> unclear = Optional.empty(); // what the latest window neither showed nor ruled out

    VirtualWatch(Target target, FindingListener listener, long nanos) {
        this.target = target;
        this.diagnosis = new PoolDiagnosis(listener);
        this.nextDump = nanos;
    }

    /**
     * Adds a look.
     *
     * @param all the carriers in it, idle ones included, as far as they are recognised
     */
    void see(ThreadDump dump, List<DumpedThread> all, long now) {
        hasCarriers |= !all.isEmpty() || Carriers.hasHelper(dump); // idle carriers look like any workers
        if (!hasCarriers) {
            return;
        }
        carriers = all.stream().filter(each -> each.carries().isPresent()).toList();
        parallelism = Math.max(parallelism, all.size());
        dump(now);
        if (before == null) { // so that the first window counts
            before = snapshot();
        }
        askScheduler();
        boolean areTaken = !carriers.isEmpty() && carriers.size() >= parallelism;
        turns.see(carriers, areTaken, now);
        starts.see(carriers, now);
        taken += areTaken && queued.orElse(1) > 0 ? 1 : 0;
    }

    private void askScheduler() {
        target.scheduler().ifPresent(state -> {
            parallelism = state.parallelism();
            queued = OptionalInt.of(state.queued());
        });
    }

    /** Closes a window, and has it judged. */
    void close(
            ProcessWindow process,
            Map<Long, ThreadTimes> times,
            Duration length,
            Instant end,
            long now,
            Optional<String> disturbed) {
        if (!hasCarriers) {
            return;
        }
        PoolSnapshot after = snapshot();
        PoolSnapshot begin = before;
        before = after;
        dump(now);
        if (begin != null) {
            CarrierLooks looks = carrierLooks(process, times).waited(CarrierTurns.cpuWait(carriers, times, length));
            note(looks);
            PoolWindow window = PoolWindow.between(begin, after)
                    .end(end)
                    .process(process)
                    .subject(PoolWindow.Subject.VIRTUAL_THREADS)
                    .seen(CarrierLooks.class, looks)
                    .waitingThreads(lines.waiting())
                    .build();
            if (disturbed.isPresent()) {
                diagnosis.enterUnseen(window, WatchedPool.WINDOW, disturbed.get());
            } else {
                diagnosis.enter(window, WatchedPool.WINDOW, true);
            }
        }
        boolean isJudged = begin != null && disturbed.isEmpty();
        stood = !lines.standStill() ? 0 : isJudged ? stood + 1 : stood;
        turns.advance();
        taken = 0;
    }

    private PoolSnapshot snapshot() {
        return ExternalPool.unmeasured(
                NAME, parallelism, carriers.size(), 0, 0, new PoolSnapshot.Limits(parallelism, parallelism, 0));
    }

    private CarrierLooks carrierLooks(ProcessWindow process, Map<Long, ThreadTimes> times) {
        int unstarted = unstarted();
        if (queued.isPresent()) {
            long behind = turns.waitBehind(queued.getAsInt(), Math.max(1, parallelism));
            long late = Math.max(behind, starts.delay(unstarted));
            return looks(taken, queued, Math.max(turns.longest(), late), false);
        }
        // an executor of carriers starts them when it needs them: fewer than CPUs are not all that there may be
        boolean areAll = carriers.size() >= Math.max(1, Math.floor(process.cores()));
        boolean stand = areAll && carriers.stream().allMatch(each -> turns.stands(each, times));
        long wait = areAll ? turns.wait(parallelism) : 0;
        if (unstarted > 0) {
            boolean wantNoCpu = carriers.stream().allMatch(each -> turns.wantsNoCpu(each, times));
            long behind = areAll ? Math.max(turns.waitBehind(unstarted, parallelism), starts.delay(unstarted)) : 0;
            return looks(taken, OptionalInt.of(unstarted), Math.max(turns.longest(), behind), wantNoCpu);
        }
        if (wait > 0) {
            return looks(turns.looks(), OptionalInt.of(turns.others()), wait, false);
        }
        return stand && KeptThreads.anyInJavaCode(virtual)
                ? looks(0, OptionalInt.empty(), turns.longest(), true)
                : looks(0, OptionalInt.of(0), turns.longest(), false);
    }

    /** {@return how many virtual threads had not run yet in the latest dump that has them} */
    private int unstarted() {
        return virtual == null
                ? 0
                : (int) virtual.threads().stream()
                        .filter(thread -> thread.place().equals(DumpedThread.NOT_RUN))
                        .count();
    }

    private CarrierLooks looks(int late, OptionalInt waiting, long delay, boolean wantNoCpu) {
        boolean isLate = Duration.ofNanos(delay).compareTo(Duration.ofMillis(100)) >= 0;
        return new CarrierLooks(
                parallelism,
                turns.looks(),
                late,
                waiting,
                Duration.ofNanos(delay),
                false,
                isLate ? KeptThreads.of(carriers, virtual, wantNoCpu, queued.isPresent()) : List.of(),
                OptionalDouble.empty());
    }

    /** A sickness that these looks neither show nor rule out. */
    private void note(CarrierLooks looks) {
        boolean areLate = looks.areTaken(CarrierLooks.TAKEN.value())
                && looks.startDelay().toNanos() / 1e9 >= CarrierLooks.LATE.value();
        boolean areOwn = looks.ownDelay().toNanos() / 1e9 >= CarrierLooks.LATE.value();
        double cpuWait = looks.cpuWait().orElse(0);
        int waiting = queued.orElse(0);
        boolean mayBeLate = looks.areTaken(CarrierLooks.TAKEN.value())
                && turns.mostBehind(waiting, parallelism) / 1e9 >= CarrierLooks.LATE.value();
        if (!areLate && mayBeLate && unstarted() == 0) {
            unclear = Optional.of(
                    Units.format("%d virtual threads wait for a carrier, and no look tells how long", waiting));
            return;
        }
        unclear = areLate && (!areOwn || cpuWait >= CarrierLooks.CPU_WAIT.value())
                ? Optional.of(Units.format(
                        "virtual threads start late, but their carriers waited for a CPU themselves for %s of the time",
                        Units.percent(cpuWait)))
                : Optional.empty();
    }

    /** {@return whether the process has virtual threads, as far as was seen} */
    boolean areSeen() {
        return hasCarriers;
    }

    /** {@return whether more windows would not tell whether threads that wait stand still} */
    boolean mayStandStill() {
        return stood >= WINDOWS_OF_A_STANDSTILL;
    }

    /** {@return why it would be a guess that nothing is wrong with virtual threads; empty when enough was seen} */
    Optional<String> obstacle() {
        if (!hasCarriers || unclear.isPresent()) {
            return unclear;
        }
        if (virtual == null) {
            return blindness()
                    .or(() -> Optional.of(
                            "no dump with virtual threads could be taken, so it is unknown what they wait for"));
        }
        if (hasTooMany) {
            return Optional.of(Units.format(
                    "more than %,d threads take too long to dump, so what virtual threads wait for was seen only once",
                    MOST_THREADS));
        }
        return lines.unnamed();
    }

    /** {@return what of virtual threads is not looked at because the look could crash the JVM; empty when all is} */
    Optional<String> blindness() {
        String hazard = hasCarriers ? target.hazard() : "";
        return hazard.isEmpty()
                ? Optional.empty()
                : Optional.of("what virtual threads without a carrier wait for is unknown: " + hazard
                        + ", so none is taken; 'lifeguard watch --virtual-dump' takes it");
    }

    private void dump(long now) {
        if (!hasTooMany && now - nextDump >= 0) {
            long start = System.nanoTime();
            Optional<ThreadDump> answer = target.dumpWithVirtualThreads();
            long cost = System.nanoTime() - start;
            dumps += answer.isPresent() ? 1 : 0;
            nextDump = now
                    + switch (dumps) {
                        case 1 -> FIRST_PAUSE;
                        case 2 -> Math.max(SECOND_PAUSE, SECOND_PAUSES_PER_DUMP * cost);
                        default -> Math.max(SHORTEST_PAUSE, PAUSES_PER_DUMP * cost);
                    };
            answer.ifPresent(dump -> {
                virtual = dump;
                hasTooMany = dump.threads().size() > MOST_THREADS;
                lines.see(dump, now);
            });
        }
    }

    /** {@return the latest dump with virtual threads} */
    Optional<ThreadDump> latest() {
        return Optional.ofNullable(virtual);
    }

    /** {@return what was found; empty while nothing is} */
    Optional<PoolView> view() {
        List<Finding> findings = diagnosis.findings();
        return findings.isEmpty()
                ? Optional.empty()
                : Optional.of(new PoolView(
                        NAME, PoolKind.CARRIERS, carriers.size(), turns.looks(), Optional.empty(), findings, Set.of()));
    }
}
