package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.queue.Faults;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An Error at any call or allocation of what runs on workers and submitters, while the monitor runs and all is
 * recorded: no task is lost, no pool stands still, and no count stays wrong. Left out are the parts that run on the
 * monitor's thread only.
 */
class PoolFaultsTest {

    private static final String PACKAGE = InstrumentedThreadPoolExecutor.class.getPackageName() + ".";

    private static boolean hasSites(String className) {
        String name = className.substring(PACKAGE.length());
        boolean isTest = name.startsWith("PoolFault") || name.startsWith("queue.Fault");
        boolean isOnPath = !name.contains(".")
                || Stream.of("queue.", "measure.", "recording.", "jfr.", "text.")
                        .anyMatch(name::startsWith);
        // The reserve of stack is to fail before a task is accepted, and has many calls: it would take most Errors.
        return isOnPath && !isTest && !name.startsWith("queue.QueueEdits") && !name.equals("queue.StackReserve");
    }

    @SuppressWarnings("unchecked")
    private static long errorsOf(long seed) throws ReflectiveOperationException {
        Class<?> rounds = Faults.loader(PACKAGE, PoolFaultsTest::hasSites).loadClass(PoolFaultyRounds.class.getName());
        return ((LongFunction<Long>) rounds.getConstructor().newInstance()).apply(seed);
    }

    @Test
    @Tag("slow")
    void errorsAtAnySite_nothingIsLostAndNoPoolStandsStill() throws ReflectiveOperationException {
        assertThat(errorsOf(1)).isPositive();
    }

    /** Takes minutes, so that CI leaves it out: {@code -Psoak -Dlifeguard.test.long=true}. */
    @ParameterizedTest
    @EnabledIfSystemProperty(named = "lifeguard.test.long", matches = "true")
    @Tag("slow")
    @Tag("soak")
    @ValueSource(longs = {101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112})
    void hundredThousandErrors_nothingIsLostAndNoPoolStandsStill(long seed) throws ReflectiveOperationException {
        assertThat(errorsOf(seed)).isGreaterThanOrEqualTo(9_000);
    }
}
