package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.PoolDiagnosis;
import io.lifeguard.pool.diagnosis.external.ExternalPool;
import io.lifeguard.pool.diagnosis.window.CarrierLooks;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.diagnosis.window.WaitingThreads;
import io.lifeguard.pool.tools.dumps.DumpedThread;
import io.lifeguard.pool.tools.dumps.ThreadDump;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
    private static final Duration USUAL = Duration.ofSeconds(1);

    /** From the second one on, dumps with virtual threads may use 1 % of a core. */
    private static final long PAUSES_PER_DUMP = 100;

    private static final long SHORTEST_PAUSE = Duration.ofSeconds(2).toNanos();

    /** A dump takes 0.05 to 0.1 ms per thread; of a JVM with more threads no second one is taken. */
    private static final int MOST_THREADS = 2_000;

    /** The JVM has such a thread from the first virtual thread on: idle carriers look like any workers. */
    private static final String HELPER = "VirtualThread-un";

    private static final Pattern PARALLELISM = Pattern.compile("parallelism = (\\d+)");
    private static final Pattern WAITING = Pattern.compile("(?:tasks|submissions) = (\\d+)");

    private final Target target;
    private final PoolDiagnosis diagnosis;
    private final VirtualLines lines = new VirtualLines();
    private final Map<String, Kept> kept = new HashMap<>(); // by the carrier's name
    private List<DumpedThread> carriers = List.of(); // that carry something, in the latest dump
    private boolean hasCarriers;
    private int parallelism;
    private int looks;
    private int taken; // looks
    private OptionalInt queued = OptionalInt.empty();
    private long longest; // for which all carriers kept their threads
    private @Nullable ThreadDump virtual; // the latest dump with virtual threads
    private boolean hasTooMany;
    private long nextDump;
    private @Nullable PoolSnapshot before;

    /** What a carrier has carried since when. */
    private record Kept(long number, long since) {}

    VirtualWatch(Target target, FindingListener listener, long nanos) {
        this.target = target;
        this.diagnosis = new PoolDiagnosis(listener);
        this.nextDump = nanos;
    }

    /**
     * Adds a look.
     *
     * @param dump the dump
     * @param all the carriers in it, idle ones included, as far as they are recognised
     */
    void see(ThreadDump dump, List<DumpedThread> all, long now) {
        hasCarriers |= !all.isEmpty()
                || dump.threads().stream().anyMatch(thread -> thread.name().startsWith(HELPER));
        if (!hasCarriers) {
            return;
        }
        carriers = all.stream().filter(each -> each.carries().isPresent()).toList();
        Map<String, Kept> next = new HashMap<>();
        for (DumpedThread carrier : carriers) {
            long number = carrier.carries().getAsLong();
            Kept last = kept.get(carrier.name());
            next.put(carrier.name(), last != null && last.number == number ? last : new Kept(number, now));
        }
        kept.clear();
        kept.putAll(next);
        looks++;
        parallelism = Math.max(parallelism, all.size());
        askScheduler();
        if (!carriers.isEmpty() && carriers.size() >= parallelism) {
            long since = next.values().stream().mapToLong(Kept::since).max().orElse(now);
            longest = Math.max(longest, now - since);
            taken += queued.orElse(1) > 0 ? 1 : 0;
        }
    }

    private void askScheduler() {
        Optional<String> text = target.scheduler();
        if (text.isEmpty()) {
            return;
        }
        String pool = text.get()
                .lines()
                .filter(line -> line.contains("parallelism"))
                .findFirst()
                .orElse("");
        Matcher size = PARALLELISM.matcher(pool);
        if (size.find()) {
            parallelism = Integer.parseInt(size.group(1));
            int sum = 0;
            for (Matcher waiting = WAITING.matcher(pool); waiting.find(); ) {
                sum += Integer.parseInt(waiting.group(1));
            }
            queued = OptionalInt.of(sum);
        }
    }

    /** Closes a window, and has it judged. */
    void close(ProcessWindow process, Instant end, long now, Optional<String> disturbed) {
        if (!hasCarriers) {
            return;
        }
        PoolSnapshot after = ExternalPool.unmeasured(
                NAME, parallelism, carriers.size(), 0, 0, new PoolSnapshot.Limits(parallelism, parallelism, 0));
        PoolSnapshot begin = before;
        before = after;
        List<WaitingThreads> waiting = dump(now);
        if (begin != null) {
            PoolWindow window = PoolWindow.between(begin, after)
                    .end(end)
                    .process(process)
                    .carriers(carrierLooks())
                    .waitingThreads(waiting)
                    .build();
            if (disturbed.isPresent()) {
                diagnosis.enterUnseen(window, USUAL, disturbed.get());
            } else {
                diagnosis.enter(window, USUAL, true);
            }
        }
        looks = 0;
        taken = 0;
        longest = 0;
    }

    private CarrierLooks carrierLooks() {
        boolean isLate = Duration.ofNanos(longest).compareTo(Duration.ofMillis(100)) >= 0;
        ThreadDump known = virtual;
        int unstarted = known == null
                ? 0
                : (int) known.threads().stream()
                        .filter(thread -> thread.place().equals(DumpedThread.NOT_RUN))
                        .count();
        boolean isAsked = queued.isPresent();
        return new CarrierLooks(
                parallelism,
                looks,
                isAsked || unstarted > 0 ? taken : 0,
                isAsked ? queued : OptionalInt.of(unstarted),
                Duration.ofNanos(longest),
                false,
                isLate ? KeptThreads.of(carriers, known) : List.of());
    }

    private List<WaitingThreads> dump(long now) {
        if (!hasTooMany && now - nextDump >= 0) {
            long start = System.nanoTime();
            Optional<ThreadDump> answer = target.dumpWithVirtualThreads();
            long cost = System.nanoTime() - start;
            boolean isSecondDue = virtual == null && answer.isPresent(); // a queue counts when two dumps have shown it
            nextDump = now + (isSecondDue ? SHORTEST_PAUSE : Math.max(SHORTEST_PAUSE, PAUSES_PER_DUMP * cost));
            answer.ifPresent(dump -> {
                virtual = dump;
                hasTooMany = dump.threads().size() > MOST_THREADS;
                lines.see(dump, now);
            });
        }
        return lines.waiting();
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
                        NAME, PoolKind.CARRIERS, carriers.size(), looks, Optional.empty(), findings, Set.of()));
    }
}
