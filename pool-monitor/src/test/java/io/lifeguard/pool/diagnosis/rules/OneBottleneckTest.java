package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.PoolSnapshot.Caller;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.bottleneck.Bottlenecks;
import io.lifeguard.pool.diagnosis.bottleneck.Standstill;
import io.lifeguard.pool.diagnosis.testing.Breakdowns;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Findings with opposite advice never stand together, whatever the workers of a pool do. */
class OneBottleneckTest {

    /** Each of them says what limits the pool, so no two can be right. */
    private static final List<String> LIMITS = List.of(
            "blocked-on-io",
            "cpu-saturated",
            "downstream-saturated",
            "lock-contention",
            "starved-by-own-tasks",
            "waits-on-another-pool");

    /** Findings that contradict some of the others: fewer workers have nothing to do, or CPU time is wasted. */
    private static final Map<String, List<String>> ALSO = Map.of(
            "dispatcher-runs-tasks", without("lock-contention"),
            "high-system-cpu", without("lock-contention", "cpu-saturated"),
            "oversized", LIMITS,
            "common-pool-blocked", List.of("blocked-on-io"));

    private static final Map<String, Set<Bottleneck>> EXPLAINED = Map.of(
            "blocked-on-io", Set.of(Bottleneck.OUTSIDE),
            "cpu-saturated", Set.of(Bottleneck.CPU),
            "dispatcher-runs-tasks", Set.of(Bottleneck.DISPATCHER, Bottleneck.LOCK),
            "downstream-saturated", Set.of(Bottleneck.LINE, Bottleneck.OUTSIDE),
            "high-system-cpu", Set.of(Bottleneck.CPU, Bottleneck.LOCK),
            "lock-contention", Set.of(Bottleneck.LOCK),
            "starved-by-own-tasks", Set.of(Bottleneck.OWN_TASKS),
            "waits-on-another-pool", Set.of(Bottleneck.OTHER_POOL));

    /** CPUs and the world outside also limit a pool of the right size; and another pool may run the tasks at once. */
    private static final Set<Bottleneck> SIZE_MAY_BE_RIGHT =
            Set.of(Bottleneck.CPU, Bottleneck.OUTSIDE, Bottleneck.OTHER_POOL, Bottleneck.NONE, Bottleneck.UNKNOWN);

    private static List<String> without(String... ids) {
        return LIMITS.stream().filter(id -> !List.of(ids).contains(id)).toList();
    }

    /** Where the pool's latest window shows the bottleneck, and where an older decision still stands. */
    private enum Decision {
        SHOWN,
        REMEMBERED
    }

    @ParameterizedTest
    @EnumSource(Decision.class)
    void examine_anyWindow_findsNoOppositeAdvice(Decision decision) {
        examine(500, decision, new SplittableRandom(20_261_122));
    }

    @ParameterizedTest
    @Tag("slow")
    @EnumSource(Decision.class)
    void examine_manyWindows_findsNoOppositeAdvice(Decision decision) {
        examine(10_000, decision, new SplittableRandom(20_261_128));
    }

    /** Examines that many windows, or more until each limit was found. */
    private static void examine(int windows, Decision decision, SplittableRandom random) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < windows || (i < 10_000 && !seen.containsAll(LIMITS)); i++) {
            PoolWindow window = window(random, decision);
            Map<String, Finding> found = new HashMap<>();
            for (Rule rule : PoolMonitor.standardRules()) {
                if (rule.examines() != PoolWindow.Subject.EVENT_LOOPS) {
                    rule.examine(window).finding().ifPresent(finding -> found.put(finding.id(), finding));
                    rule.needs(window);
                }
            }
            assertThat(contradictions(found.keySet()))
                    .as("window %d: %s, %s", i, window.bottleneck(), found.values())
                    .isEmpty();
            found.values().forEach(OneBottleneckTest::checkSize);
            checkExplained(window, found);
            checkDirections(found);
            seen.addAll(found.keySet());
        }
        assertThat(seen).as("found in any window").containsAll(LIMITS).contains("dispatcher-runs-tasks");
    }

    private static Set<String> contradictions(Set<String> found) {
        Set<String> limits = found.stream().filter(LIMITS::contains).collect(Collectors.toCollection(TreeSet::new));
        Set<String> all = limits.size() > 1 ? limits : new TreeSet<>();
        ALSO.forEach((id, others) -> others.stream()
                .filter(other -> found.contains(id) && found.contains(other))
                .forEach(other -> all.add(id + " and " + other)));
        return all;
    }

    /** No finding is without its bottleneck, and no bottleneck that the window itself shows is without a finding. */
    private static void checkExplained(PoolWindow window, Map<String, Finding> found) {
        found.keySet()
                .forEach(id -> assertThat(EXPLAINED.getOrDefault(id, Set.of(window.bottleneck())))
                        .as("bottlenecks of %s", found.get(id))
                        .contains(window.bottleneck()));
        if (SIZE_MAY_BE_RIGHT.contains(window.bottleneck()) || Bottlenecks.of(window) != window.bottleneck()) {
            return;
        }
        if (Standstill.mayStandStill(window)) {
            return; // it is unknown whether anything moves, or stands-still says that nothing does
        }
        assertThat(found.keySet())
                .as("findings under %s: %s", window.bottleneck(), window.breakdown())
                .anyMatch(id -> EXPLAINED.getOrDefault(id, Set.of()).contains(window.bottleneck()));
    }

    private static void checkSize(Finding finding) {
        finding.recommendedSize()
                .ifPresent(size -> assertThat(finding.advice().replace(",", ""))
                        .as("data never say what the text does not")
                        .containsPattern("\\b" + size + "\\b"));
        if (finding.recommendedSize().isEmpty()) {
            assertThat(finding.evidence()).doesNotContainKeys("sizeLow", "sizeHigh");
            return;
        }
        int size = finding.recommendedSize().getAsInt();
        assertThat(size).as("%s", finding).isBetween((int) finding.evidence().get("sizeLow"), (int)
                finding.evidence().get("sizeHigh"));
        assertThat(finding.evidence()).doesNotContainKey("noSizeBecause");
    }

    /** Of the sizes that are recommended, none is larger than the pool while another one is smaller. */
    private static void checkDirections(Map<String, Finding> found) {
        List<Integer> changes = found.values().stream()
                .filter(finding -> finding.recommendedSize().isPresent())
                .map(finding -> Integer.compare(
                        finding.recommendedSize().getAsInt(),
                        ((Number) finding.evidence().getOrDefault("workers", 0)).intValue()))
                .toList();
        assertThat(changes.contains(1) && changes.contains(-1)).as("%s", found).isFalse();
    }

    private static PoolWindow window(SplittableRandom random, Decision decision) {
        Windows one = any(random);
        PoolWindow window = one.times(1 + random.nextInt(8)).toBuilder()
                .waitsOfOthers(random.nextBoolean() ? Map.of("mail", Set.of("web")) : Map.of())
                .build();
        if (decision == Decision.SHOWN) {
            return window;
        }
        Bottleneck[] all = Bottleneck.values();
        return window.toBuilder().bottleneck(all[random.nextInt(all.length)]).build();
    }

    private static Windows any(SplittableRandom random) {
        int workers = pick(random, 1, 2, 4, 8, 16, 64, 500);
        double busy = workers * pick(random, 1.0, 1.0, 1.0, 0.97, 0.6, 0.1);
        double used = pick(random, 0.05, 0.4, 0.7, 0.9, 1.0);
        int queued = pick(random, 0, 3, 60, 60);
        long tasks = pick(random, 0, 12, 400, 4000, 4000);
        Windows window = Windows.of("web")
                .size(workers)
                .busy(busy)
                .tasks(tasks)
                .queued(queued)
                .blockedNow(queued > 0 && random.nextBoolean() ? 1 : 0)
                .service(tasks == 0 ? 0 : busy / tasks)
                .system(2 * used, busy * random.nextDouble(), random.nextInt(40_000), random.nextInt(2_000))
                .process(2, 2 * used * 0.6, 2 * used * 0.4, Math.min(1, used + pick(random, 0.0, 0.0, 0.4)));
        if (random.nextInt(5) > 0) {
            window.cpu(tasks == 0 ? 0 : Math.min(busy, 2 * used) / tasks);
        }
        if (random.nextInt(4) == 0) {
            double idle = Math.max(0, workers - busy);
            window.callerRuns(30, 0.9, new Caller("main", 30, Duration.ofMillis(900), idle));
        }
        return window.doing(doing(random, workers, busy, used));
    }

    /** Most of the busy workers do one thing, some do others, and some were not seen. */
    private static Breakdowns doing(SplittableRandom random, int workers, double busy, double used) {
        Breakdowns doing = Breakdowns.of(workers);
        doing.with(Doing.IDLE, workers - busy);
        doing.error(busy * pick(random, 0.0, 0.01, 0.05, 0.2));
        double left = busy * pick(random, 1.0, 1.0, 0.9, 0.5);
        List<Integer> kinds = new ArrayList<>(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8));
        while (left > 0.01 && !kinds.isEmpty()) {
            double part = left * pick(random, 1.0, 0.8, 0.5);
            add(doing, kinds.remove(random.nextInt(kinds.size())), part, used);
            left -= part;
        }
        return doing;
    }

    private static void add(Breakdowns doing, int kind, double workers, double used) {
        switch (kind) {
            case 0 -> doing.with(Doing.COMPUTING, Math.min(workers, 2 * used));
            case 1 -> doing.with(Doing.WAITING_FOR_CPU, workers);
            case 2 -> doing.lock(workers, "com.example.Orders@1f");
            case 3 -> doing.line(workers, 4);
            case 4 -> doing.result(workers, "web");
            case 5 -> doing.result(workers, "mail");
            case 6 -> doing.result(workers, null);
            case 7 ->
                doing.with(
                        Doing.WAITING_IN_LINE,
                        workers,
                        Breakdowns.PLACE,
                        new Awaited.Line(
                                "HikariPool-1", true, OptionalInt.empty(), OptionalInt.of(4), OptionalInt.of(4)));
            default -> doing.with(Doing.WAITING_OUTSIDE, workers);
        }
    }

    @SafeVarargs
    private static <T> T pick(SplittableRandom random, T... all) {
        return all[random.nextInt(all.length)];
    }
}
