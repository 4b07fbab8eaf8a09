package io.lifeguard.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.examples.orders.load.Answers;
import io.lifeguard.examples.orders.load.Customers;
import io.lifeguard.examples.orders.load.RoundRobin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two instances are replaced one after the other while customers order: no order is lost, none is entered twice, every
 * mail goes out.
 */
@Tag("slow")
class RollingStopIT {

    private static final int CUSTOMERS = 200;
    private static final int TERMINATED = 128 + 15;
    private static final Duration LENGTH = Duration.ofSeconds(Long.getLong("rolling.seconds", 15));

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final List<RunningApplication> started = new ArrayList<>();

    @AfterEach
    void endAll() {
        started.forEach(RunningApplication::close);
    }

    @Test
    void rollingStop_underLoad_everyOrderIsAnsweredOnceAndConfirmed() throws Exception {
        try (SharedDatabase database = SharedDatabase.start()) {
            RunningApplication first = instance("first", database);
            RunningApplication second = instance("second", database);
            // Up before customers come: a machine of two CPUs that they keep busy leaves a start hardly any.
            RunningApplication third = instance("third", database);
            RunningApplication fourth = instance("fourth", database);
            RoundRobin instances = new RoundRobin(List.of(first.uri(), second.uri()));
            Answers answers = new Customers(instances, PAUSE).order(CUSTOMERS, LENGTH, () -> {
                replace(first, instances, database, third);
                replace(second, instances, database, fourth);
            });
            started.forEach(RunningApplication::close);

            System.out.println(answers);
            assertThat(answers.answered()).isGreaterThan(CUSTOMERS);
            assertThat(answers.examples()).isEmpty();
            assertThat(answers.refused() + answers.broken() + answers.answeredTwice())
                    .isZero();
            assertThat(answers.turnedAway())
                    .as("at most those who had chosen an instance a moment before it left the rotation")
                    .isLessThan(CUSTOMERS / 2);
            assertThat(database.count("TRUE")).isEqualTo(answers.answered());
            assertThat(database.count("NOT confirmed")).isZero();
        }
    }

    /**
     * Once customers have ordered in turn from all that are in the rotation. Out of it first, so that no customer comes
     * any more; then it may end, once it has answered those who are inside.
     */
    private static void replace(
            RunningApplication old, RoundRobin instances, SharedDatabase database, RunningApplication successor)
            throws Exception {
        long before = database.count("TRUE");
        await().atMost(LENGTH.multipliedBy(10)).until(() -> database.count("TRUE") > before + 5 * CUSTOMERS);
        instances.add(successor.uri());
        instances.remove(old.uri());
        assertThat(old.stop()).isEqualTo(TERMINATED);
        assertThat(old.log()).contains("Graceful shutdown complete");
    }

    private RunningApplication instance(String name, SharedDatabase database) {
        RunningApplication instance = RunningApplication.start(
                name,
                "--spring.datasource.url=" + database.url(),
                "--spring.datasource.username=sa",
                "--spring.datasource.hikari.maximum-pool-size=8");
        started.add(instance);
        return instance;
    }
}
