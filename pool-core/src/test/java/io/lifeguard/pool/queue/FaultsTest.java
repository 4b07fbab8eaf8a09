package io.lifeguard.pool.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.LongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An Error at any call or allocation of the hand-over between producers and consumers loses no task and leaves no
 * thread parked. Left out is QueueEdits, which searches and removes: its calls are all as deep as the first of them.
 */
class FaultsTest {

    private static final String PACKAGE = WorkQueue.class.getPackageName() + ".";

    private static boolean hasSites(String className) {
        String name = className.substring(PACKAGE.length());
        return !name.startsWith("Fault") && !name.startsWith("QueueEdits") && !name.startsWith("Task");
    }

    @SuppressWarnings("unchecked")
    private static long errorsOf(long seed) throws ReflectiveOperationException {
        Class<?> rounds = Faults.loader(PACKAGE, FaultsTest::hasSites).loadClass(FaultyRounds.class.getName());
        return ((LongFunction<Long>) rounds.getConstructor().newInstance()).apply(seed);
    }

    @Test
    void errorsAtAnySite_nothingIsLostAndNobodyIsForgotten() throws ReflectiveOperationException {
        assertThat(errorsOf(1)).isGreaterThan(10_000);
    }

    @ParameterizedTest
    @Tag("slow")
    @Tag("soak")
    @ValueSource(longs = {101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112})
    void tenThousandErrorsAndMore_nothingIsLostAndNobodyIsForgotten(long seed) throws ReflectiveOperationException {
        assertThat(errorsOf(seed)).isGreaterThan(10_000);
    }

    /** Forced: the consumer takes the task between its publication and the Error, at each site in turn. */
    @Test
    @SuppressWarnings("unchecked")
    void errorAfterTheTaskWasTaken_isNotStoredAgain() throws ReflectiveOperationException {
        Class<?> append = Faults.loader(PACKAGE, FaultsTest::hasSites).loadClass(FaultyAppend.class.getName());
        LongFunction<String> attempt =
                (LongFunction<String>) append.getConstructor().newInstance();
        int site = 1;
        for (String wrong = ""; wrong != null; site++) {
            wrong = attempt.apply(site);
            assertThat(wrong).as("at site %s", site).isNullOrEmpty();
        }
        assertThat(site).isGreaterThan(10);
    }
}
