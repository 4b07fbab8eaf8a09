package io.lifeguard.pool.diagnosis.rules;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.seen.CarrierLooks;
import io.lifeguard.pool.diagnosis.seen.CarrierLooks.Mounted;
import io.lifeguard.pool.diagnosis.seen.CarrierLooks.Why;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.PoolWindow.Subject;
import io.lifeguard.pool.text.Counted;
import io.lifeguard.pool.text.Units;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Finds virtual threads that could run but wait for a carrier, because all carriers are taken. Stateless.
 *
 * <p><b>Formula.</b> A virtual thread that the monitor starts runs {@code carriers-starved.delay} seconds later, or not
 * at all yet. From Java 24 on, all carriers were also taken, and other virtual threads queued, at nine of ten looks in
 * the window. Before, the JVM does not tell that, and the delay must also be 1 s.
 *
 * <p>A virtual thread keeps its carrier while the carrier waits for a CPU. So on a full machine all carriers are taken
 * although no thread keeps one. Linux tells for which share of the time the carriers waited for a CPU. Without this
 * share the delay must still be as long. Carriers that get a small part of a CPU fall behind with any work, so the
 * share must also be below {@code carriers-starved.cpu-wait}. Otherwise it is unknown what the carriers would do with
 * CPUs of their own.
 *
 * <p><b>Window.</b> The latest one.
 *
 * <p><b>Threshold.</b> 0.1 s. Measured on two CPUs: a virtual thread starts after 0.02 to 2.4 ms where all is well,
 * with rare spikes to 31 ms, and after 0.2 s or never where carriers are taken. Carriers wait for a CPU for 61 to 64 %
 * of the time where eight threads compute on virtual threads beside a build, and for 88 to 95 % where healthy ones run
 * beside 16 or 40 threads that compute.
 *
 * <p><b>Closest healthy workload.</b> A burst of short tasks that drains; other processes or threads that take the
 * CPUs.
 */
public final class CarriersStarved extends StandardRule {

    static final String ID = "carriers-starved";

    /** Looks of a window that tell whether all carriers are taken; of two, chance decides. */
    private static final double FEWEST_LOOKS = 3;

    /** Seconds after which a virtual thread starts, where nothing else is known; ten times as much as with looks. */
    private static final double DELAY_ALONE = 1;

    /** Seconds after which a virtual thread starts, from which on it is critical; a judgement: requests time out. */
    private static final double CRITICAL_SECONDS = 5;

    public CarriersStarved() {
        super(ID, CarrierLooks.LATE, CarrierLooks.TAKEN, CarrierLooks.CPU_WAIT);
    }

    @Override
    public Subject examines() {
        return Subject.VIRTUAL_THREADS;
    }

    @Override
    public Verdict examine(PoolWindow window) {
        CarrierLooks looks = window.seen(CarrierLooks.class).orElse(null);
        if (looks == null) {
            return Verdict.unknown("looks at the carriers of virtual threads");
        }
        if (!areEnough(looks)) {
            return Verdict.unknown("enough looks at the scheduler of virtual threads");
        }
        if (!areStarved(window, looks)) {
            return Verdict.clear();
        }
        double cpuWait = looks.cpuWait().orElse(0);
        return cpuWait < window.threshold(CarrierLooks.CPU_WAIT) && isLate(window, looks, looks.ownDelay())
                ? Verdict.found(finding(window, looks))
                : Verdict.unknown(
                        "what keeps virtual threads from starting: the carriers waited for a CPU themselves for "
                                + Units.percent(cpuWait) + " of the time");
    }

    private static boolean areStarved(PoolWindow window, CarrierLooks looks) {
        return areEnough(looks)
                && looks.areTaken(window.threshold(CarrierLooks.TAKEN))
                && isLate(window, looks, looks.startDelay());
    }

    private static boolean areEnough(CarrierLooks looks) {
        return looks.queued().isEmpty() || looks.looks() >= FEWEST_LOOKS;
    }

    private static boolean isLate(PoolWindow window, CarrierLooks looks, Duration delay) {
        double late = window.threshold(CarrierLooks.LATE);
        double least = looks.queued().isPresent() ? late : Math.max(late, DELAY_ALONE);
        return delay.toNanos() / 1e9 >= least;
    }

    /**
     * {@return whether virtual threads wait for carriers, or with these for a CPU, so that all their other waits may
     * only be a consequence}
     */
    static boolean areStarved(PoolWindow window) {
        return window.seen(CarrierLooks.class)
                .filter(looks -> areStarved(window, looks))
                .isPresent();
    }

    private static Finding finding(PoolWindow window, CarrierLooks looks) {
        List<Mounted> worst = mostCommon(looks.mounted());
        Finding.Builder finding = Finding.of(ID, window)
                .severity(looks.startDelay().toNanos() / 1e9 >= CRITICAL_SECONDS ? Severity.CRITICAL : Severity.WARNING)
                .summary(
                        "virtual threads wait for a carrier: a new one %s%s; %s",
                        looks.hasStarted()
                                ? "started " + Units.time(looks.startDelay()) + " late"
                                : "has not started for " + Units.time(looks.startDelay()),
                        looks.queued().isPresent()
                                ? ", and " + Counted.of(looks.queued().getAsInt(), "thread queues", "threads queue")
                                : "",
                        worst.isEmpty()
                                ? "all " + Counted.of(looks.carriers(), "carrier is taken", "carriers are taken")
                                : who(looks, worst))
                .advice(advice(worst.stream().findFirst()))
                .evidence("carriers", looks.carriers())
                .evidence("startDelay", looks.startDelay())
                .evidence("hasStarted", looks.hasStarted());
        looks.cpuWait().ifPresent(share -> finding.evidence("cpuWait", share));
        looks.queued().ifPresent(queued -> finding.evidence("queued", queued));
        worst.stream().findFirst().ifPresent(one -> {
            finding.evidence("why", one.why().name())
                    .place(one.place())
                    .evidence("carrier", one.carrier())
                    .stack(one.stack().stream().limit(16).toList());
            if (!one.object().isEmpty()) {
                finding.evidence("object", one.object());
            }
        });
        return finding.build();
    }

    /** Those that keep their carriers for the same reason, the most of them. One that waits explains more. */
    private static List<Mounted> mostCommon(List<Mounted> mounted) {
        Map<String, List<Mounted>> groups = mounted.stream()
                .collect(Collectors.groupingBy(
                        one -> one.why() + one.object() + (one.why() == Why.CLASS_INITIALISATION ? "" : one.place()),
                        LinkedHashMap::new,
                        Collectors.toList()));
        return groups.values().stream()
                .max(Comparator.<List<Mounted>>comparingInt(List::size)
                        .thenComparing(group -> group.get(0).why() != Why.COMPUTES))
                .map(group -> group.stream()
                        .sorted(Comparator.comparing(one -> !one.place().contains(".<clinit>(")))
                        .toList()) // the initialiser explains more than those who wait for it
                .orElse(List.of());
    }

    private static String who(CarrierLooks looks, List<Mounted> worst) {
        Mounted one = worst.get(0);
        String what = switch (one.why()) {
            case COMPUTES -> "computes";
            case CLASS_INITIALISATION -> "waits in or for the initialisation of class " + one.object();
            case MONITOR ->
                one.object().isEmpty()
                        ? "waits for a monitor, or while it holds one,"
                        : "waits for " + one.object() + " while it holds a monitor, or for that monitor";
            case NATIVE -> "is in or below a native method, and cannot leave its carrier";
        };
        return "%d of %s %s a thread that %s at %s"
                .formatted(
                        worst.size(),
                        Counted.of(looks.carriers(), "carrier"),
                        worst.size() == 1 ? "has" : "have",
                        what,
                        one.place());
    }

    private static String advice(Optional<Mounted> worst) {
        if (worst.isEmpty()) {
            return "See what the virtual threads do: jcmd PID Thread.dump_to_file FILE.";
        }
        return switch (worst.get().why()) {
            case COMPUTES ->
                "Run tasks that compute on a bounded pool of platform threads"
                        + " (InstrumentedThreadPoolExecutor.named(\"…\").size(processors)). A virtual thread that computes keeps"
                        + " its carrier until it waits.";
            case CLASS_INITIALISATION ->
                "Initialise the class before the first virtual thread needs it, and do not wait in its initialiser. A thread"
                        + " in or before an initialiser keeps its carrier. Initialisers that wait for each other never end:"
                        + " restart the process.";
            case MONITOR ->
                "Replace synchronized by a ReentrantLock there, or use Java 24 or newer, where a thread at a monitor gives"
                        + " its carrier back.";
            case NATIVE ->
                "Make the call from a bounded pool of platform threads. A thread below a native method keeps its carrier"
                        + " while it waits.";
        };
    }
}
