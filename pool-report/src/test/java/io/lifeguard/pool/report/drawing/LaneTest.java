package io.lifeguard.pool.report.drawing;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.recording.Observation.TaskRun;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class LaneTest {

    private static final int NOTHING = Segments.NOTHING;
    private static final int UNKNOWN = Doing.UNKNOWN.ordinal();
    private static final int IDLE = Doing.IDLE.ordinal();
    private static final int LOCK = Doing.WAITING_FOR_LOCK.ordinal();

    /** Ten ticks of one nanosecond. */
    private final Ticks ticks = new Ticks(1000, 1010, 1);

    private final Lane lane = new Lane("worker-1");

    private void task(long from, long to) {
        lane.task(new TaskRun(
                from, to - from, "pool", "worker-1", "kind", OptionalLong.empty(), OptionalLong.of(3), false));
    }

    private void lay(long holds) {
        Calibration.of(List.of(), List.of(), ticks).lay(List.of(lane), moment -> moment + holds, new ToldLater());
    }

    private int[] worker(long holds) {
        lay(holds);
        return SegmentsTest.states(lane.segments(), 10);
    }

    @Test
    void layWorker_looks_holdUntilTheNextOrUntilNobodyLooked() {
        lane.look(1006, Doing.IDLE, 0);
        lane.look(1001, Doing.WAITING_FOR_LOCK, 0);

        assertThat(worker(3)).containsExactly(NOTHING, LOCK, LOCK, LOCK, NOTHING, NOTHING, IDLE, IDLE, IDLE, NOTHING);
    }

    @Test
    void layWorker_lookInALongTask_beginsAndEndsWithIt() {
        lane.look(1002, Doing.IDLE, 0);
        lane.look(1006, Doing.WAITING_FOR_LOCK, 0);
        task(1004, 1009);

        assertThat(worker(100)).containsExactly(NOTHING, NOTHING, IDLE, IDLE, LOCK, LOCK, LOCK, LOCK, LOCK, IDLE);
    }

    @Test
    void layWorker_longTaskThatNobodySaw_isUnknownNotIdle() {
        lane.look(1002, Doing.IDLE, 0);
        lane.look(1007, Doing.WAITING_FOR_LOCK, 0);
        task(1003, 1006);

        assertThat(worker(100))
                .containsExactly(NOTHING, NOTHING, IDLE, UNKNOWN, UNKNOWN, UNKNOWN, IDLE, LOCK, LOCK, LOCK);
    }

    @Test
    void layWorker_taskAfterABusyLook_endsWhatTheLookSaw() {
        lane.look(1001, Doing.WAITING_FOR_LOCK, 0);
        task(1004, 1006);

        assertThat(worker(100)).containsExactly(NOTHING, LOCK, LOCK, LOCK, UNKNOWN, UNKNOWN, IDLE, IDLE, IDLE, IDLE);
    }

    @Test
    void layWorker_tasksWithoutAnyLook_areUnknown() {
        task(1007, 1009);
        task(1001, 1003);

        assertThat(worker(1))
                .containsExactly(
                        NOTHING, UNKNOWN, UNKNOWN, NOTHING, NOTHING, NOTHING, NOTHING, UNKNOWN, UNKNOWN, NOTHING);
    }

    @Test
    void laySubmitter_waitWithinAnOwnRun_hidesThatPartOnly() {
        lane.stay(1001, 1008, Segments.CALLER_RUNS, 0);
        lane.stay(1003, 1005, Segments.SUBMIT_WAIT, 0);
        lane.laySubmitter(ticks);

        int runs = Segments.CALLER_RUNS;
        int waits = Segments.SUBMIT_WAIT;
        assertThat(SegmentsTest.states(lane.segments(), 10))
                .containsExactly(NOTHING, runs, runs, waits, waits, runs, runs, runs, NOTHING, NOTHING);
    }

    @Test
    void layWorker_tasksOfTwoThreadsOfOneName_areShownTogether() {
        task(1001, 1007);
        task(1002, 1004);
        task(1006, 1009);

        assertThat(worker(1))
                .containsExactly(
                        NOTHING, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, NOTHING);
    }

    @Test
    void laySubmitter_severalWithinATick_followEachOther() {
        Ticks coarse = new Ticks(1000, 2000, 100);
        lane.stay(1310, 1320, Segments.CALLER_RUNS, 0);
        lane.stay(1330, 1340, Segments.SUBMIT_WAIT, 0);
        lane.laySubmitter(coarse);

        assertThat(SegmentsTest.states(lane.segments(), 10))
                .startsWith(NOTHING, NOTHING, NOTHING, Segments.CALLER_RUNS, Segments.SUBMIT_WAIT, NOTHING);
        assertThat(lane.segments().packed()).isNotEmpty();
    }

    @Test
    void laySubmitter_runShorterThanATick_isStillThere() {
        Ticks coarse = new Ticks(1000, 2000, 100);
        lane.stay(1310, 1320, Segments.CALLER_RUNS, 0);
        lane.laySubmitter(coarse);

        assertThat(SegmentsTest.states(lane.segments(), 10)[3]).isEqualTo(Segments.CALLER_RUNS);
    }

    @Test
    void columns_tasks_tellUnknownFromZero() {
        task(1002, 1006);
        Index<String> kinds = new Index<>();
        lay(0);

        assertThat(SegmentsTest.numbers((String) lane.columns(ticks, kinds).get("k")))
                .containsExactly(2L, 4L, 0L, 0L, 4L);
        assertThat(kinds.values()).isEqualTo(List.of("kind"));
    }
}
