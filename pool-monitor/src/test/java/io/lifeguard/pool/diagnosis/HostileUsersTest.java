package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.lifeguard.pool.diagnosis.evidence.EvidenceSources;
import io.lifeguard.pool.diagnosis.evidence.cpu.EvidenceBudget;
import io.lifeguard.pool.diagnosis.evidence.cpu.ProcessTimes;
import io.lifeguard.pool.diagnosis.evidence.stack.StackSource;
import io.lifeguard.pool.diagnosis.system.ProcessReading;
import io.lifeguard.pool.diagnosis.system.ThreadReader;
import io.lifeguard.pool.diagnosis.testing.FakeClock;
import io.lifeguard.pool.diagnosis.testing.FakePool;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faulty rules, findings and pools of users do not affect other rules, findings and pools. */
class HostileUsersTest {

    @TempDir
    Path noSystem;

    private final FakeClock clock = new FakeClock();
    private final MonitorSettings settings = new MonitorSettings();
    private final List<String> news = new ArrayList<>();
    private final Rule good =
            window -> Verdict.found(Finding.of("good", window).summary("found").build());

    private MonitorRound round() {
        settings.grace(Duration.ZERO);
        settings.discoversRules(false);
        EvidenceSources sources = new EvidenceSources(
                new ProcessTimes(
                        () -> new ProcessReading(-1, -1, -1, -1, Double.POSITIVE_INFINITY, 0),
                        () -> 0,
                        () -> -1,
                        clock),
                new ThreadReader(noSystem),
                StackSource.NONE,
                new EvidenceBudget(() -> 0, clock::nanoTime));
        MonitorRound round = new MonitorRound(settings, clock, sources, finding -> news.add(finding.id()));
        round.begin();
        return round;
    }

    private void rounds(MonitorRound round, int count) {
        for (int i = 0; i < count; i++) {
            clock.pass(Duration.ofSeconds(1));
            round.make(Duration.ZERO);
        }
    }

    private static Rule withSets(Set<String> ids, Set<Evidence> needs) {
        return new Rule() {
            @Override
            public Verdict examine(PoolWindow window) {
                return Verdict.clear();
            }

            @Override
            public Set<String> ids() {
                return ids;
            }

            @Override
            public Set<Evidence> needs(PoolWindow window) {
                return needs;
            }
        };
    }

    private static <T> Set<T> holdingNull() {
        Set<T> set = new HashSet<>();
        set.add(null);
        return set;
    }

    @Test
    void round_ruleWithNullInItsSets_keepsNoOtherRuleFromBeingAsked() {
        MonitorRound round = round();
        settings.rules().add(withSets(holdingNull(), Set.of()));
        settings.rules().add(withSets(Set.of(), holdingNull()));
        settings.rules().add(good);
        settings.rules().add(new Rule() {
            @Override
            public Verdict examine(PoolWindow window) {
                return Verdict.clear();
            }

            @Override
            public Set<Evidence> needs(PoolWindow window) {
                return Set.of(Evidence.STACKS);
            }
        });
        settings.switchOff("something"); // so that ids are compared
        round.pools().add(new FakePool("one", clock), "one");

        rounds(round, 4);

        assertThat(news).containsExactly("good");
        assertThat(round.pools().all().get(0).wants(Evidence.STACKS))
                .as("later rules are asked for their needs")
                .isTrue();
    }

    @Test
    void round_terminatedPoolThatCannotBeRead_isDropped() {
        MonitorRound round = round();
        settings.rules().add(good);
        FakePool pool = new FakePool("one", clock);
        ExecutorService executor = Executors.newFixedThreadPool(1);
        executor.shutdown();
        pool.executor = executor;
        pool.failure = new IllegalStateException("on purpose");
        round.pools().add(pool, "one");

        rounds(round, 1);

        assertThat(round.hasNothingToDo()).isTrue();
    }

    @Test
    void raised_evidenceWhoseToStringThrows_isStillLogged() {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        Logger logger = logger(lines);
        FindingLog log = new FindingLog(clock, () -> Duration.ofMinutes(1), line -> line.accept(logger));
        Object evil = new Object() {
            @Override
            public String toString() {
                throw new AssertionError("on purpose");
            }
        };
        Number forger = new Number() {
            @Override
            public String toString() {
                return "1\n2";
            }

            @Override
            public int intValue() {
                return 1;
            }

            @Override
            public long longValue() {
                return 1;
            }

            @Override
            public float floatValue() {
                return 1;
            }

            @Override
            public double doubleValue() {
                return 1;
            }
        };

        log.raised(Finding.of("a", Windows.of("one").build())
                .summary("found")
                .evidence("evil", evil)
                .evidence("evils", List.of(evil))
                .evidence("forger", forger)
                .build());

        assertThat(lines.list).hasSize(1);
        assertThat(lines.list.get(0).getFormattedMessage()).contains("found");
        assertThat(lines.list.get(0).getKeyValuePairs())
                .extracting(pair -> pair.key + "=" + pair.value)
                .anyMatch(pair -> pair.startsWith("evil=") && pair.endsWith("whose toString failed)"))
                .contains("forger=1\\u000a2");
    }

    /** Otherwise the finding is raised, and its line is lost. */
    @Test
    void finding_nullInEvidence_isRefusedByName() {
        Map<String, Object> evidence = new HashMap<>();
        evidence.put("host", null);

        assertThatThrownBy(() -> finding(evidence)).hasMessage("evidence host must not be null");
        evidence.clear();
        evidence.put(null, 1);
        assertThatThrownBy(() -> finding(evidence)).hasMessage("names in evidence must not be null");
    }

    private static Finding finding(Map<String, Object> evidence) {
        return new Finding("a", Severity.INFO, "one", "", "", evidence, OptionalInt.empty(), Instant.EPOCH);
    }

    private static Logger logger(ListAppender<ILoggingEvent> lines) {
        Logger logger = new LoggerContext().getLogger("test");
        lines.start();
        logger.addAppender(lines);
        return logger;
    }
}
