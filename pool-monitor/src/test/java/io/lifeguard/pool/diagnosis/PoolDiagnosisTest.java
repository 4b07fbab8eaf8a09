package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.testing.Breakdowns;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of windows that no monitor has measured. */
class PoolDiagnosisTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<String> events = new ArrayList<>();
    private final PoolDiagnosis diagnosis = new PoolDiagnosis(new FindingListener() {
        @Override
        public void raised(Finding finding) {
            events.add("raised " + finding.id());
        }

        @Override
        public void resolved(Finding finding) {
            events.add("resolved " + finding.id());
        }

        @Override
        public void ended(Finding finding, String why) {
            events.add("ended " + finding.id());
        }
    });

    @Test
    void enter_queueForALock_isRaisedOnceAndEnded() {
        enterAll(inARow(queueForALock(), 6), true);

        assertThat(events).containsExactly("raised lock-contention");
        assertThat(diagnosis.findings()).extracting(Finding::id).containsExactly("lock-contention");
        assertThat(diagnosis.missing()).contains("how many tasks are queued");

        diagnosis.end();

        assertThat(events).containsExactly("raised lock-contention", "ended lock-contention");
        assertThat(diagnosis.findings()).isEmpty();
    }

    @Test
    void enter_mayNotRaise_suspectsOnly() {
        List<PoolWindow> windows = inARow(queueForALock(), 9);

        enterAll(windows.subList(0, 6), false);
        assertThat(events).isEmpty();

        enterAll(windows.subList(6, 9), true);
        assertThat(events).containsExactly("raised lock-contention");
    }

    @Test
    void enter_idlePool_findsNothing() {
        enterAll(inARow(Windows.of("orders").fromOutside().doing(Breakdowns.doing(Doing.IDLE, 4, 4)), 6), true);

        assertThat(events).isEmpty();
        assertThat(diagnosis.missing()).contains("how many tasks are queued");
    }

    @Test
    void enterUnseen_findingIsRaised_staysAndHistoryBeginsAnew() {
        List<PoolWindow> windows = inARow(queueForALock(), 8);
        enterAll(windows.subList(0, 6), true);

        diagnosis.enterUnseen(windows.get(6), SECOND, "everything stood still");
        PoolWindow next = diagnosis.enter(windows.get(7), SECOND, true);

        assertThat(events).containsExactly("raised lock-contention");
        assertThat(diagnosis.findings()).hasSize(1);
        assertThat(next.windows()).isEqualTo(1);
    }

    private static Windows queueForALock() {
        return Windows.of("orders")
                .size(8)
                .busy(8)
                .fromOutside()
                .system(0.01, 0, 100, 1)
                .process(2, 0.1, 0.01, 0.1)
                .doing(Breakdowns.of(8).lock(7, "com.example.Stock@1a").with(Doing.SLEEPING, 1));
    }

    /** Windows as a source makes them: without a history, and without a bottleneck. */
    private static List<PoolWindow> inARow(Windows what, int count) {
        List<PoolWindow> inOrder = new ArrayList<>();
        for (PoolWindow window : what.times(count).parts(count)) {
            inOrder.add(window.toBuilder()
                    .earlier(List.of())
                    .bottleneck(Bottleneck.UNKNOWN)
                    .build());
        }
        Collections.reverse(inOrder);
        return inOrder;
    }

    private void enterAll(List<PoolWindow> windows, boolean mayRaise) {
        windows.forEach(window -> diagnosis.enter(window, SECOND, mayRaise));
    }
}
