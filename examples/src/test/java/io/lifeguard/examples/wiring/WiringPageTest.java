package io.lifeguard.examples.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.name.Names;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import jakarta.enterprise.inject.literal.NamedLiteral;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.ObjectName;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The programs of the page docs/plain.md: the page has what is compiled here, and it runs. */
final class WiringPageTest {

    /** So that no pool of an earlier test is taken for one of this test. */
    @BeforeEach
    void awaitNoPools() {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> beans("orders") + beans("reports") == 0);
    }

    @Test
    void blocks_areTheProgramsBehindThem() throws Exception {
        String page = Files.readString(Path.of("..", "docs", "plain.md"));
        Matcher block = Pattern.compile("```java\n(.*?)\n```", Pattern.DOTALL).matcher(page);
        for (String name : new String[] {"PlainShop", "PoolsModule", "Pools"}) {
            assertThat(block.find()).isTrue();
            assertThat(Files.readString(Path.of("src/test/java/io/lifeguard/examples/wiring/" + name + ".java")))
                    .endsWith(block.group(1) + '\n');
        }
        assertThat(block.find()).isFalse();
    }

    @Test
    void plain_bothPools_areWatched() {
        try (PlainShop shop = new PlainShop()) {
            awaitWatched(shop.orders, shop.reports);
        }
    }

    @Test
    void guice_bothPools_areWatched() {
        Injector injector = Guice.createInjector(new PoolsModule());
        ExecutorService orders = injector.getInstance(Key.get(ExecutorService.class, Names.named("orders")));
        ExecutorService reports = injector.getInstance(Key.get(ExecutorService.class, Names.named("reports")));
        awaitWatched(orders, reports);
        orders.shutdown();
        reports.shutdown();
    }

    @Test
    void cdi_bothPools_areWatchedAndEndWithTheContainer() {
        ExecutorService orders;
        ThreadPoolExecutor reports;
        try (SeContainer container = SeContainerInitializer.newInstance()
                .disableDiscovery()
                .addBeanClasses(Pools.class)
                .initialize()) {
            orders = container
                    .select(ExecutorService.class, NamedLiteral.of("orders"))
                    .get();
            reports = container
                    .select(ThreadPoolExecutor.class, NamedLiteral.of("reports"))
                    .get();
            awaitWatched(orders, reports);
        }
        assertThat(orders.isShutdown()).isTrue();
        assertThat(reports.isShutdown()).isTrue();
    }

    /** A pool that is watched has a bean. */
    private static void awaitWatched(ExecutorService orders, ExecutorService reports) {
        assertThat(orders).isInstanceOf(InstrumentedThreadPoolExecutor.class);
        assertThat(reports).isNotInstanceOf(InstrumentedThreadPoolExecutor.class);
        PoolMonitor.global(); // otherwise it starts once a pool may be in trouble
        Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            assertThat(beans("orders")).isPositive();
            assertThat(beans("reports")).isPositive();
        });
    }

    private static int beans(String pool) throws Exception {
        ObjectName pattern = new ObjectName("io.lifeguard:type=Pool,name=\"" + pool + "*\"");
        return ManagementFactory.getPlatformMBeanServer()
                .queryNames(pattern, null)
                .size();
    }
}
