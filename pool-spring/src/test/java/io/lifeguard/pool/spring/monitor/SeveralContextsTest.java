package io.lifeguard.pool.spring.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.Pools;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.Rule;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.Threshold;
import io.lifeguard.pool.spring.LifeguardAutoConfiguration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Several contexts share the monitor of a JVM. Each adds its requests once, and withdraws only its own. */
class SeveralContextsTest {

    private static final AtomicInteger TESTS = new AtomicInteger();

    // Another one for each test: the last window of a pool that has ended is judged when the next test has begun.
    private static volatile String family = "";

    private final List<ConfigurableApplicationContext> open = new ArrayList<>();

    @BeforeEach
    void nameThePool() {
        family = "family" + TESTS.incrementAndGet();
    }

    private ConfigurableApplicationContext start(
            Class<?> application, ConfigurableApplicationContext parent, String... arguments) {
        SpringApplicationBuilder builder = new SpringApplicationBuilder(application);
        if (parent != null) {
            builder.parent(parent);
        }
        ConfigurableApplicationContext context =
                builder.web(WebApplicationType.NONE).run(arguments);
        open.add(0, context);
        return context;
    }

    @AfterEach
    void closeAll() {
        open.forEach(ConfigurableApplicationContext::close);
        assertThat(PoolMonitor.global().window()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void listenersAndRules_ofParent_areAddedOnceAndOutliveTheChild() {
        ConfigurableApplicationContext parent =
                start(Parent.class, null, "--lifeguard.window=20ms", "--lifeguard.pools." + family + ".size=1");
        ConfigurableApplicationContext child = start(Child.class, parent);
        Counts counts = parent.getBean(Counts.class);

        await().untilAsserted(() -> assertThat(counts.updated).hasValueGreaterThan(10));
        assertThat(counts.raised).hasValue(1);
        assertThat(counts.asked).doesNotHaveDuplicates(); // once per window
        child.close();

        int updated = counts.updated.get();
        await().untilAsserted(() -> assertThat(counts.updated).hasValueGreaterThan(updated + 10));
        assertThat(counts.raised).hasValue(1);
    }

    @Test
    void listener_ofChild_isRemovedWithTheChild() {
        ConfigurableApplicationContext parent =
                start(Parent.class, null, "--lifeguard.window=20ms", "--lifeguard.pools." + family + ".size=1");
        ConfigurableApplicationContext child = start(ChildWithListener.class, parent);
        Counts parents = parent.getBean("counts", Counts.class);
        Counts childs = child.getBean("childsCounts", Counts.class);
        await().untilAsserted(() -> assertThat(childs.updated).hasPositiveValue());
        child.close();

        int updated = childs.updated.get();
        int now = parents.updated.get();
        await().untilAsserted(() -> assertThat(parents.updated).hasValueGreaterThan(now + 5));
        assertThat(childs.updated.get()).isLessThanOrEqualTo(updated + 1); // one may have been under way
    }

    @Test
    void settings_ofParent_holdDuringAndAfterTheChild() {
        ConfigurableApplicationContext parent = start(
                Parent.class,
                null,
                "--lifeguard.window=30ms",
                "--lifeguard.pools." + family + ".size=1",
                "--lifeguard.thresholds.too-related.degree=0.25");
        Counts counts = parent.getBean(Counts.class);
        await().untilAsserted(() -> assertThat(counts.degrees).contains(0.25));

        ConfigurableApplicationContext silent = start(Child.class, parent, "--unrelated=1");
        assertThat(PoolMonitor.global().window()).isEqualTo(Duration.ofMillis(30));
        silent.close();
        assertThat(PoolMonitor.global().window()).isEqualTo(Duration.ofMillis(30));

        ConfigurableApplicationContext loud =
                start(Child.class, parent, "--lifeguard.window=40ms", "--lifeguard.thresholds.too-related.degree=0.75");
        assertThat(PoolMonitor.global().window()).isEqualTo(Duration.ofMillis(40));
        await().untilAsserted(() -> assertThat(counts.degrees).last().isEqualTo(0.75));
        loud.close();
        assertThat(PoolMonitor.global().window()).isEqualTo(Duration.ofMillis(30));
        await().untilAsserted(() -> assertThat(counts.degrees).last().isEqualTo(0.25));
    }

    @Test
    void settings_ofUnrelatedContexts_lastOpenContextPrevails() {
        ConfigurableApplicationContext first = start(Child.class, null, "--lifeguard.window=30ms");
        ConfigurableApplicationContext second = start(Child.class, null, "--lifeguard.window=40ms");
        ConfigurableApplicationContext third = start(Child.class, null);

        assertThat(PoolMonitor.global().window()).isEqualTo(Duration.ofMillis(40));
        first.close();
        assertThat(PoolMonitor.global().window()).isEqualTo(Duration.ofMillis(40));
        third.close();
        assertThat(PoolMonitor.global().window()).isEqualTo(Duration.ofMillis(40));
        second.close();
        assertThat(PoolMonitor.global().window()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void pool_ofParent_isUsedByTheChildAndOutlivesIt() {
        ConfigurableApplicationContext parent = start(Parent.class, null, "--lifeguard.pools.shared.size=1");
        ConfigurableApplicationContext child = start(UsesPool.class, parent);
        InstrumentedThreadPoolExecutor pool = parent.getBean("shared", InstrumentedThreadPoolExecutor.class);

        assertThat(child.getBean("user", User.class).pool()).isSameAs(pool);
        assertThat(Pools.live())
                .extracting(InstrumentedPool::name)
                .filteredOn(name -> name.startsWith("shared"))
                .hasSize(1);
        child.close();
        assertThat(pool.isShutdown()).isFalse();
    }

    @Test
    void pool_childDeclaresOtherProperties_isTheChildsOwn() {
        ConfigurableApplicationContext parent = start(Parent.class, null, "--lifeguard.pools.shared.size=1");
        ConfigurableApplicationContext child = start(UsesPool.class, parent, "--lifeguard.pools.shared.size=3");

        assertThat(child.getBean("user", User.class).pool())
                .isNotSameAs(parent.getBean("shared"))
                .extracting(pool -> ((InstrumentedThreadPoolExecutor) pool).getCorePoolSize())
                .isEqualTo(3);
    }

    private static final class Counts implements FindingListener {
        final AtomicInteger raised = new AtomicInteger();
        final AtomicInteger updated = new AtomicInteger();
        final List<Instant> asked = new CopyOnWriteArrayList<>();
        final List<Double> degrees = new CopyOnWriteArrayList<>();

        @Override
        public void raised(Finding finding) {
            if (finding.id().equals("too-related")) {
                raised.incrementAndGet();
            }
        }

        @Override
        public void updated(Finding finding) {
            if (finding.id().equals("too-related")) {
                updated.incrementAndGet();
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(LifeguardAutoConfiguration.class)
    static class Parent {
        @Bean
        Counts counts() {
            return new Counts();
        }

        @Bean
        Rule tooRelated(Counts counts) {
            Threshold degree = new Threshold("too-related.degree", 0.5, "how related a pool may be");
            return new Rule() {
                @Override
                public Verdict examine(PoolWindow window) {
                    if (!window.pool().equals(family)) {
                        return Verdict.clear();
                    }
                    counts.asked.add(window.end());
                    counts.degrees.add(window.threshold(degree));
                    return Verdict.found(Finding.of("too-related", window)
                            .severity(Severity.WARNING)
                            .summary("related")
                            .advice("move out")
                            .build());
                }

                @Override
                public Set<String> ids() {
                    return Set.of("too-related");
                }

                @Override
                public Set<Threshold> thresholds() {
                    return Set.of(degree);
                }

                @Override
                public int windowsToRaise() {
                    return 1;
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(LifeguardAutoConfiguration.class)
    static class Child {}

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(LifeguardAutoConfiguration.class)
    static class ChildWithListener {
        @Bean
        Counts childsCounts() {
            return new Counts();
        }
    }

    record User(ExecutorService pool) {}

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(LifeguardAutoConfiguration.class)
    static class UsesPool {
        @Bean
        User user(@Qualifier("shared") ExecutorService pool) {
            return new User(pool);
        }
    }
}
