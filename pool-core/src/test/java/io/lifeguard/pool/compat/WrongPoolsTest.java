package io.lifeguard.pool.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.opentest4j.TestAbortedException;

/** Each wrong pool fails the checks that must find its fault, and the same pool without the fault passes them. */
@Timeout(60)
class WrongPoolsTest {

    private static final List<Wrong> WRONG_POOLS = Wrong.together(
                    WrongPools.all(), WrongScheduledPools.all(), WrongFactories.all())
            .toList();

    /** The failures of the checks. Many checks find a fault by waiting in vain, so all checks run at once. */
    private static final Map<Wrong, Throwable> FOUND = new ConcurrentHashMap<>();

    static List<Wrong> wrongPools() {
        return WRONG_POOLS;
    }

    @BeforeAll
    static void examineAll() throws InterruptedException {
        ExecutorService examiners = Executors.newFixedThreadPool(8);
        try {
            examiners.invokeAll(WRONG_POOLS.stream()
                    .map(wrong -> Executors.callable(() -> examine(wrong)))
                    .toList());
        } finally {
            examiners.shutdownNow();
        }
    }

    /** Uses a thread group of its own, which collects leaked threads and hides the exceptions of the fault. */
    private static void examine(Wrong wrong) {
        ThreadGroup silent = new ThreadGroup(wrong.toString()) {
            @Override
            public void uncaughtException(Thread thread, Throwable problem) {}
        };
        Thread examiner = new Thread(silent, () -> {
            try {
                wrong.examine();
            } catch (Throwable e) {
                FOUND.put(wrong, e);
            }
        });
        examiner.start();
        try {
            examiner.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrongPools")
    void check_poolWithFault_fails(Wrong wrong) {
        assertThat(FOUND.get(wrong))
                .as("failure of the check on a pool that %s", wrong)
                .isNotNull()
                .isNotInstanceOf(TestAbortedException.class);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrongPools")
    void check_samePoolWithoutFault_passes(Wrong wrong) throws Exception {
        wrong.examineFaultless();
    }
}
