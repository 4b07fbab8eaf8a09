package io.lifeguard.pool.diagnosis.evidence.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Circles and chains are found, and queues are no circles. */
class ThreadPictureTest {

    private final List<ThreadLook> looks = new ArrayList<>();

    private void add(long waiter, long holder, Thread.State state) {
        looks.add(new ThreadLook(
                waiter, "t" + waiter, true, state, List.of(), "x.Lock@1", holder, null, Set.of(), false));
    }

    private void add(long waiter, long holder) {
        add(waiter, holder, Thread.State.WAITING);
    }

    private List<List<Long>> circles() {
        return ThreadPicture.of(looks).circles().stream()
                .map(circle -> circle.stream().map(ThreadLook::id).toList())
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

    /** Such a wait ends by itself. */
    @Test
    void circles_oneWaitHasATimeLimit_isNone() {
        add(1, 2);
        add(2, 1, Thread.State.TIMED_WAITING);
        assertThat(circles()).isEmpty();
    }

    @Test
    void holder_ofAThreadThatWasNotLookedAt_isAskedFor() {
        add(1, 7);
        ThreadPicture picture = new ThreadPicture(
                looks,
                id -> id == 7
                        ? new ThreadLook(
                                7, "late", false, Thread.State.RUNNABLE, List.of(), "", -1, null, Set.of(), false)
                        : null);
        assertThat(picture.holder(looks.get(0))).extracting(ThreadLook::name).isEqualTo("late");
    }

    @Test
    void title_locksOfTheJdk_haveNoNestedClass() {
        assertThat(ThreadLook.title("java.util.concurrent.locks.ReentrantLock$NonfairSync@1a"))
                .isEqualTo("java.util.concurrent.locks.ReentrantLock@1a");
        assertThat(ThreadLook.title("com.example.Sync@1a")).isEqualTo("com.example.Sync@1a");
    }
}
