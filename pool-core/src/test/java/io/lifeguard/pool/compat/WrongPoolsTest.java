package io.lifeguard.pool.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.opentest4j.TestAbortedException;

/** The suite finds what it is there to find: each wrong pool fails its check, and only because of its fault. */
@Timeout(60)
class WrongPoolsTest {

    static Stream<Wrong> wrongPools() {
        return Stream.of(
                        WrongIdentity.all(),
                        WrongArguments.all(),
                        WrongThreads.all(),
                        WrongRuns.all(),
                        WrongEndings.all(),
                        WrongRetention.all(),
                        WrongScheduling.all(),
                        WrongFactories.all())
                .flatMap(faults -> faults);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrongPools")
    void check_poolWithFault_fails(Wrong wrong) throws InterruptedException {
        assertThat(problemWith(wrong))
                .as("what the check says of a pool that %s", wrong)
                .isNotNull()
                .isNotInstanceOf(TestAbortedException.class);
    }

    /** Of a thread group of its own, where a thread that dies of the fault leaves no trace in the log. */
    private static @Nullable Throwable problemWith(Wrong wrong) throws InterruptedException {
        ThreadGroup silent = new ThreadGroup(wrong.toString()) {
            @Override
            public void uncaughtException(Thread thread, Throwable problem) {}
        };
        AtomicReference<Throwable> found = new AtomicReference<>();
        Thread examiner = new Thread(silent, () -> {
            try {
                wrong.examine();
            } catch (Throwable e) {
                found.set(e);
            }
        });
        examiner.start();
        examiner.join();
        return found.get();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrongPools")
    void check_samePoolWithoutFault_passes(Wrong wrong) throws Exception {
        wrong.examineFaultless();
    }
}
