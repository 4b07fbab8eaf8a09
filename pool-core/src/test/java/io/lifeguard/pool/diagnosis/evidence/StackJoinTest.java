package io.lifeguard.pool.diagnosis.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.StackSample;
import io.lifeguard.pool.diagnosis.window.StackSample.Group;
import io.lifeguard.pool.diagnosis.window.StackSample.Lock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StackJoinTest {

    private static final List<StackTraceElement> STACK = List.of(new StackTraceElement("A", "a", "A.java", 1));

    @Test
    void join_samplesOfDifferentRounds_weightsThem() {
        StackSample earlier = new StackSample(
                3,
                8,
                List.of(new Group(Doing.COMPUTING, "a", 4, STACK), new Group(Doing.IDLE, "", 4, List.of())),
                List.of(),
                2,
                4,
                Map.of());
        StackSample later =
                new StackSample(1, 12, List.of(new Group(Doing.COMPUTING, "a", 12, STACK)), List.of(), 0, 0, Map.of());

        StackSample both = StackJoin.join(earlier, later);

        assertThat(both.rounds()).isEqualTo(4);
        assertThat(both.workersPerRound()).isEqualTo(9);
        assertThat(both.workers(Doing.COMPUTING)).isEqualTo(6);
        assertThat(both.workers(Doing.IDLE)).isEqualTo(3);
        assertThat(both.starvedWorkers()).isEqualTo(1.5);
        assertThat(both.perhapsStarvedWorkers()).isEqualTo(3);
        assertThat(both.groups()).extracting(Group::place).containsExactly("a", "");
    }

    @Test
    void join_lockWithoutHolderLater_keepsTheEarlierHolder() {
        StackSample earlier = sample(new Lock("L@1", true, 4, "a", Optional.of("holder"), STACK, 2));
        StackSample later = sample(new Lock("L@1", true, 2, "", Optional.empty(), List.of(), 0));

        Lock lock = StackJoin.join(earlier, later).locks().get(0);

        assertThat(lock.waiters()).isEqualTo(3);
        assertThat(lock.otherWaiters()).isEqualTo(1);
        assertThat(lock.place()).isEqualTo("a");
        assertThat(lock.owner()).contains("holder");
        assertThat(lock.ownerStack()).isEqualTo(STACK);
    }

    @Test
    void join_lockHeldByAnotherLater_namesTheLaterHolder() {
        StackSample earlier = sample(new Lock("L@1", true, 4, "a", Optional.of("first"), List.of(), 0));
        StackSample later = sample(new Lock("L@1", true, 2, "b", Optional.of("second"), STACK, 0));

        assertThat(StackJoin.join(earlier, later).locks().get(0).owner()).contains("second");
    }

    @Test
    void join_longRunners_keepsTheLatestAndIsBounded() {
        StackSample earlier = new StackSample(1, 1, List.of(), List.of(), 0, 0, Map.of(1L, List.of(), 2L, STACK));
        StackSample later = new StackSample(1, 1, List.of(), List.of(), 0, 0, Map.of(1L, STACK));

        assertThat(StackJoin.join(earlier, later).longestRunning()).isEqualTo(Map.of(1L, STACK, 2L, STACK));
        assertThat(StackJoin.join(earlier, later).stackOf(1)).isEqualTo(STACK);
        assertThat(StackJoin.join(earlier, later).stackOf(3)).isEmpty();
    }

    private static StackSample sample(Lock lock) {
        return new StackSample(1, 1, List.of(), List.of(lock), 0, 0, Map.of());
    }
}
