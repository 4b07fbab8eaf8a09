package io.lifeguard.pool.diagnosis.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.evidence.stack.Seen;
import io.lifeguard.pool.diagnosis.evidence.stack.Stratum;
import io.lifeguard.pool.diagnosis.window.Doing;
import java.lang.Thread.State;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Invented stacks, in fake time. */
class GroupMemoryTest {

    private static final Stratum BLOCKED = new Stratum(false, State.BLOCKED, "", 0);
    private static final Stratum LINE = new Stratum(false, State.WAITING, "a.Condition", 7);
    private static final Stratum FUTURE = new Stratum(false, State.WAITING, "java.util.concurrent.FutureTask", 0);
    private static final Stratum SLEEP = new Stratum(false, State.TIMED_WAITING, "", 0);

    private final GroupMemory memory = new GroupMemory();

    @Test
    void of_sharedObject_holdsAsLongAsSomebodyWaitsForIt() {
        memory.see(seen(LINE, "take", "a.Condition@7"), 0);
        for (int second = 1; second <= 600; second++) {
            memory.present(LINE, at(second));
            memory.age(at(second));
        }
        assertThat(memory.of(LINE, at(600))).extracting(Seen::place).containsExactly("take");
        assertThat(memory.of(new Stratum(false, State.WAITING, "a.Condition", 8), at(600)))
                .isEmpty();

        memory.age(at(603));
        assertThat(memory.of(LINE, at(603))).isEmpty();
    }

    /** Each wait is for another future, and the next ones may be elsewhere. */
    @Test
    void of_objectsOfOneClass_holdsForSeconds() {
        memory.see(seen(FUTURE, "get", ""), 0);

        assertThat(memory.of(FUTURE, at(5))).hasSize(1);
        assertThat(memory.of(FUTURE, at(6))).isEmpty();
    }

    @Test
    void of_noObject_holdsForItsWindowOnly() {
        memory.see(seen(SLEEP, "nap", ""), 0);

        assertThat(memory.of(SLEEP, at(1))).isEmpty();
        assertThat(memory.sinceLook(SLEEP, at(1))).isEqualTo(at(1));
    }

    @Test
    void of_manyStacks_areTheLatest() {
        for (int i = 0; i < 20; i++) {
            memory.see(seen(LINE, "place " + i, "a.Condition@7"), i);
        }
        List<Seen> known = memory.of(LINE, at(1));
        assertThat(known).hasSize(8);
        assertThat(known.get(7).place()).isEqualTo("place 19");
    }

    @Test
    void atMonitor_afterAStackOfAWaiter_isThatStack() {
        memory.see(seen(BLOCKED, "enter", "a.Lock@1"), 0);
        assertThat(memory.atMonitor("a.Lock@1")).extracting(Seen::place).isEqualTo("enter");
        assertThat(memory.atMonitor("a.Lock@2")).isNull();
    }

    private static Seen seen(Stratum stratum, String place, String object) {
        Doing doing = stratum == BLOCKED ? Doing.WAITING_FOR_LOCK : Doing.WAITING_IN_LINE;
        return new Seen("worker", 1, stratum, doing, place, List.of(), object, AwaitedTasks.UNKNOWN, false);
    }

    private static long at(int seconds) {
        return Duration.ofSeconds(seconds).toNanos();
    }
}
