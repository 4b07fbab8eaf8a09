package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.PoolObserver;
import io.lifeguard.pool.diagnosis.start.MonitorStarter;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.testing.Fixture;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The monitor with its thread and the real clock. */
class PoolMonitorTest {

    @Test
    void monitor_ruleThatAlwaysFinds_raisesUntilThePoolEnds() {
        Rule complains = window -> Verdict.found(Finding.of("too-blue", window)
                .summary("%s is blue", window.pool())
                .advice("paint it")
                .build());
        try (Fixture fixture = new Fixture();
                PoolMonitor monitor = PoolMonitor.builder()
                        .window(Duration.ofMillis(10))
                        .grace(Duration.ZERO)
                        .onlyRules(List.of(complains))
                        .build()) {
            InstrumentedThreadPoolExecutor pool =
                    fixture.closing(InstrumentedThreadPoolExecutor.named("blue").build());

            await().until(() -> !monitor.findings(pool).isEmpty());
            assertThat(monitor.findings("blue")).extracting(Finding::summary).containsExactly("blue is blue");
            assertThat(monitor.findings()).containsAll(monitor.findings(pool));
            assertThat(monitor.windows("blue")).isNotEmpty();

            pool.shutdown();
            await().until(() -> monitor.findings("blue").isEmpty());
        }
    }

    /** Evidence of the operating system is there from the window after the one in which it was asked for. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void monitor_ruleThatNeedsWorkers_seesTheirTimes() {
        AtomicReference<ThreadTimes> seen = new AtomicReference<>();
        Rule curious = new Rule() {
            @Override
            public Verdict examine(PoolWindow window) {
                window.workerTimes().ifPresent(seen::set);
                return Verdict.clear();
            }

            @Override
            public Set<Evidence> needs(PoolWindow window) {
                return Set.of(Evidence.WORKERS);
            }
        };
        try (Fixture fixture = new Fixture();
                PoolMonitor monitor = PoolMonitor.builder()
                        .window(Duration.ofMillis(100))
                        .grace(Duration.ZERO)
                        .onlyRules(List.of(curious))
                        .build()) {
            InstrumentedThreadPoolExecutor pool = fixture.closing(
                    InstrumentedThreadPoolExecutor.named("worker").size(1).build());
            AtomicBoolean enough = new AtomicBoolean();
            pool.execute(() -> {
                while (!enough.get()) {
                    Thread.onSpinWait();
                }
            });

            await().until(() -> seen.get() != null && seen.get().cpu().toMillis() > 0);
            enough.set(true);
            assertThat(monitor.windows("worker").get(0).process().cpu()).isPresent();
        }
    }

    /** On full CPUs the monitor's start takes seconds, so a pool that is made late in it would have no grace left. */
    @Test
    void build_poolMadeDuringTheStart_hasItsWholeGrace() {
        Duration grace = Duration.ofMillis(400);
        AtomicReference<InstrumentedThreadPoolExecutor> made = new AtomicReference<>();
        AtomicLong madeAt = new AtomicLong();
        AtomicLong raisedAt = new AtomicLong();
        try (Fixture fixture = new Fixture()) {
            long begun = System.nanoTime();
            Rule slow = new Rule() {
                @Override
                public Verdict examine(PoolWindow window) {
                    return Verdict.found(Finding.of("always", window)
                            .summary("it is so")
                            .advice("leave it")
                            .build());
                }

                @Override
                public Set<Threshold> thresholds() {
                    if (made.get() == null) {
                        await().until(() -> System.nanoTime() - begun > grace.toNanos());
                        madeAt.set(System.nanoTime());
                        made.set(fixture.closing(
                                InstrumentedThreadPoolExecutor.named("late").build()));
                    }
                    return Set.of(new Threshold("always.at", 1, "nothing"));
                }
            };
            FindingListener listener = FindingListener.ofEvents(event -> {
                if (event.finding().pool().equals("late")) {
                    raisedAt.compareAndSet(0, System.nanoTime());
                }
            });
            try (PoolMonitor ignored = PoolMonitor.builder()
                    .window(Duration.ofMillis(20))
                    .grace(grace)
                    .onlyRules(List.of(slow))
                    .threshold("always.at", 2)
                    .listener(listener)
                    .build()) {
                await().until(() -> raisedAt.get() != 0);
            }

            assertThat(Duration.ofNanos(raisedAt.get() - madeAt.get())).isGreaterThanOrEqualTo(grace);
        }
    }

    @Test
    void global_firstPool_isStartedByServiceLoader() {
        assertThat(ServiceLoader.load(PoolObserver.class))
                .anySatisfy(observer -> assertThat(observer).isInstanceOf(MonitorStarter.class));
        try (Fixture fixture = new Fixture()) {
            InstrumentedThreadPoolExecutor pool = fixture.closing(
                    InstrumentedThreadPoolExecutor.named("seen-by-all").build());

            fixture.eventually(
                    "a window", () -> !PoolMonitor.global().windows(pool.name()).isEmpty());
        }
    }

    @Test
    void monitor_usersRuleOfServiceLoader_isAsked() {
        try (Fixture fixture = new Fixture();
                PoolMonitor monitor = PoolMonitor.builder()
                        .window(Duration.ofMillis(10))
                        .grace(Duration.ZERO)
                        .build()) {
            InstrumentedThreadPoolExecutor pool = fixture.closing(
                    InstrumentedThreadPoolExecutor.named(DiscoveredRule.POOL).build());

            fixture.eventually("finding", () -> !monitor.findings(pool).isEmpty());
            assertThat(monitor.findings(pool)).extracting(Finding::id).containsExactly("discovered");
        }
    }

    @Test
    void builder_usedTwice_makesIndependentMonitors() {
        PoolMonitor.Builder builder = PoolMonitor.builder().onlyRules(List.of());
        try (PoolMonitor one = builder.build();
                PoolMonitor other = builder.build()) {
            Rule rule = window -> Verdict.clear();
            one.addRule(rule);

            assertThat(other.removeRule(rule)).isFalse();
            assertThat(one.removeRule(rule)).isTrue();
        }
    }

    @Test
    void addRule_withThresholds_neverComparesWithItsOwn() {
        Threshold limit = new Threshold("blue.limit", 0.5, "how blue a pool may be");
        Set<Double> seen = ConcurrentHashMap.newKeySet();
        Rule rule = new Limited(limit, seen::add);
        try (Fixture fixture = new Fixture();
                PoolMonitor monitor = PoolMonitor.builder()
                        .onlyRules(List.of())
                        .window(Duration.ofMillis(10))
                        .build()) {
            InstrumentedThreadPoolExecutor pool = fixture.closing(
                    InstrumentedThreadPoolExecutor.named("pool").size(1).build());
            pool.prestartCoreThread();
            assertThatThrownBy(() -> monitor.addRule(rule, Map.of("red.limit", 1.0)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("key must be one of the rule's thresholds: blue.limit (was \"red.limit\")");
            assertThatThrownBy(() -> monitor.addRule(rule, Map.of("blue.limit", Double.NaN)))
                    .hasMessage("value of blue.limit must be finite (was NaN)");
            assertThat(monitor.removeRule(rule)).isFalse();

            monitor.addRule(rule, Map.of("blue.limit", 0.75));

            fixture.eventually("the rule is asked", () -> !seen.isEmpty());
            assertThat(seen).containsExactly(0.75);
        }
    }

    @Test
    void settings_wrong_areRefusedWithTheValue() {
        PoolMonitor.Builder builder = PoolMonitor.builder();

        assertThatThrownBy(() -> builder.window(Duration.ofMillis(9))).hasMessageContaining("(was PT0.009S)");
        assertThatThrownBy(() -> builder.grace(Duration.ofSeconds(-1)))
                .hasMessage("grace must not be negative (was PT-1S)");
        assertThatThrownBy(() -> builder.threshold("a.b", Double.NaN)).hasMessageContaining("(was NaN)");
    }

    @Test
    void window_wrong_isRefusedWithTheValue() {
        try (PoolMonitor monitor = PoolMonitor.builder().onlyRules(List.of()).build()) {
            assertThatThrownBy(() -> monitor.window(null)).hasMessage("window must not be null");
            assertThatThrownBy(() -> monitor.window(Duration.ofMinutes(11)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("window must be between PT0.01S and PT10M (was PT11M)");
        }
    }

    @Test
    void reminder_wrong_isRefusedWithTheValue() {
        try (PoolMonitor monitor = PoolMonitor.builder().onlyRules(List.of()).build()) {
            assertThatThrownBy(() -> monitor.reminder(null)).hasMessage("reminder must not be null");
            assertThatThrownBy(() -> monitor.reminder(Duration.ofMillis(5)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("reminder must be between PT1S and PT24H (was PT0.005S)");
        }
    }

    @Test
    void threshold_keyThatNoRuleHas_isRefusedWithValueAndKeys() {
        try (PoolMonitor monitor = PoolMonitor.builder().build()) {
            assertThatThrownBy(() -> monitor.threshold("stuck-task.secs", 7))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("stuck-task.firstSeconds, ")
                    .hasMessageContaining("(was \"stuck-task.secs\", for the value 7.0)");
            monitor.threshold("stuck-task.seconds", 7);
        }
    }

    @Test
    void build_thresholdThatNoRuleHas_isRefused() {
        PoolMonitor.Builder builder = PoolMonitor.builder().threshold("stuck-task.secs", 7);

        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("(was \"stuck-task.secs\", for the value 7.0)");
    }

    @Test
    void threshold_keyOfAUsersRule_isAcceptedOnceTheRuleIsThere() {
        Threshold limit = new Threshold("own.limit", 1, "");
        AtomicReference<Double> seen = new AtomicReference<>(0.0);
        Rule own = new Limited(limit, seen::set);
        try (Fixture fixture = new Fixture();
                PoolMonitor monitor = PoolMonitor.builder()
                        .window(Duration.ofMillis(10))
                        .grace(Duration.ZERO)
                        .threshold("own.limit", 2)
                        .rule(own)
                        .build()) {
            InstrumentedThreadPoolExecutor pool = fixture.closing(
                    InstrumentedThreadPoolExecutor.named("own threshold").build());
            pool.prestartCoreThread(); // a pool without threads may be collected before its first window
            fixture.eventually("the builder's value", () -> seen.get() == 2);

            monitor.threshold("own.limit", 3);
            fixture.eventually("the monitor's value", () -> seen.get() == 3);

            monitor.removeRule(own);
            monitor.threshold("own.limit", 1); // whoever cleans up need not know in which order
        }
    }

    @Test
    void threshold_keyOfARuleOfServiceLoader_isAcceptedBeforeTheFirstWindow() {
        try (PoolMonitor monitor =
                        PoolMonitor.builder().threshold("discovered.limit", 2).build();
                PoolMonitor closed = PoolMonitor.builder().onlyRules(List.of()).build()) {
            monitor.threshold("discovered.limit", 3);

            assertThatThrownBy(() -> closed.threshold("discovered.limit", 3))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void monitor_unreferencedPool_isCollected() {
        try (Fixture fixture = new Fixture();
                PoolMonitor monitor = PoolMonitor.builder()
                        .window(Duration.ofMillis(10))
                        .grace(Duration.ZERO)
                        .onlyRules(List.of())
                        .build()) {
            WeakReference<Object> reference = new WeakReference<>(
                    InstrumentedThreadPoolExecutor.named("nobody's").build());

            fixture.collected("pool", reference);
            fixture.eventually(
                    "nothing left of it", () -> monitor.windows("nobody's").isEmpty());
        }
    }

    @Test
    void close_findingRaised_listenersSeeItEnd() {
        AtomicInteger raised = new AtomicInteger(); // and not resolved
        FindingListener listener = new FindingListener() {
            @Override
            public void raised(Finding finding) {
                raised.incrementAndGet();
            }

            @Override
            public void ended(Finding finding, String why) {
                raised.decrementAndGet();
            }
        };
        try (Fixture fixture = new Fixture();
                PoolMonitor monitor = PoolMonitor.builder()
                        .window(Duration.ofMillis(10))
                        .grace(Duration.ZERO)
                        .onlyRules(List.of(window -> Verdict.found(
                                Finding.of("too-blue", window).summary("blue").build())))
                        .listener(listener)
                        .build()) {
            // the only reference: a collected pool is not watched
            InstrumentedThreadPoolExecutor pool =
                    fixture.closing(InstrumentedThreadPoolExecutor.named("blue").build());
            await().until(() -> raised.get() > 0);

            monitor.close();

            await().untilAsserted(() -> assertThat(raised).hasValue(0));
            assertThat(monitor.findings()).isEmpty();
            assertThat(monitor.findings(pool)).isEmpty();
        }
    }

    /** Between two rounds, and by every method that lists findings. */
    @Test
    void findings_poolHasTerminated_areNone() throws InterruptedException {
        try (Fixture fixture = new Fixture();
                PoolMonitor monitor = PoolMonitor.builder()
                        .window(Duration.ofMillis(10))
                        .grace(Duration.ZERO)
                        .onlyRules(List.of(window -> Verdict.found(
                                Finding.of("too-blue", window).summary("blue").build())))
                        .build()) {
            InstrumentedThreadPoolExecutor pool = fixture.closing(
                    InstrumentedThreadPoolExecutor.named("ending").build());
            await().until(() -> !monitor.findings(pool).isEmpty());
            monitor.window(Duration.ofMinutes(10));

            pool.shutdown();
            pool.awaitTermination(1, TimeUnit.MINUTES);

            assertThat(monitor.findings("ending")).isEmpty();
            assertThat(monitor.findings(pool)).isEmpty();
        }
    }

    /** Tells what it would compare with, and finds nothing. */
    private record Limited(Threshold limit, Consumer<Double> seen) implements Rule {
        @Override
        public Verdict examine(PoolWindow window) {
            seen.accept(window.threshold(limit));
            return Verdict.clear();
        }

        @Override
        public Set<Threshold> thresholds() {
            return Set.of(limit);
        }
    }
}
