package io.lifeguard.pool.diagnosis.evidence.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.window.DeadlockCircle;
import io.lifeguard.pool.diagnosis.window.DeadlockCircle.Member;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Circles are found, and queues are none. */
class WaitForGraphTest {

    private final WaitForGraph graph = new WaitForGraph();

    private void add(long waiter, long holder) {
        graph.add(new Member(waiter, "t" + waiter, true, "lock", "place", List.of()), holder);
    }

    private List<List<Long>> circles() {
        return graph.circles().stream()
                .map(DeadlockCircle::members)
                .map(members -> members.stream().map(Member::id).toList())
                .toList();
    }

    @Test
    void circles_threadsBehindACircle_areNotInIt() {
        add(9, 1);
        add(1, 2);
        add(2, 3);
        add(3, 1);
        add(8, 9);
        assertThat(circles()).containsExactly(List.of(1L, 2L, 3L));
    }

    @Test
    void circles_queueForALockThatIsHeld_isNone() {
        add(1, 5);
        add(2, 5);
        add(3, 2);
        assertThat(circles()).isEmpty();
    }

    @Test
    void circles_threadThatWaitsForItself_isNone() {
        add(1, 1);
        assertThat(circles()).isEmpty();
    }

    @Test
    void circles_two_areBothFoundOnce() {
        add(1, 2);
        add(2, 1);
        add(3, 4);
        add(4, 3);
        add(5, 3);
        assertThat(circles()).containsExactly(List.of(1L, 2L), List.of(3L, 4L));
    }

    @Test
    void title_locksOfTheJdk_haveNoNestedClass() {
        assertThat(WaitForGraph.title("java.util.concurrent.locks.ReentrantLock$NonfairSync@1a"))
                .isEqualTo("java.util.concurrent.locks.ReentrantLock@1a");
        assertThat(WaitForGraph.title("com.example.Sync@1a")).isEqualTo("com.example.Sync@1a");
    }
}
