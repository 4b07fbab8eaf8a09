package io.lifeguard.pool.diagnosis.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lifeguard.pool.diagnosis.evidence.DumpEvidence.Worker;
import io.lifeguard.pool.diagnosis.testing.Windows;
import io.lifeguard.pool.diagnosis.window.Awaited;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.diagnosis.window.PoolWindow;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown;
import io.lifeguard.pool.diagnosis.window.TimeBreakdown.Share;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the workers in some thread dumps did on average. */
class DumpEvidenceTest {

    private static final String LOCK = "com.example.Stock@1a";
    private static final StackTraceElement RESERVE =
            new StackTraceElement("com.example.Stock", "reserve", "Stock.java", 136);
    private static final StackTraceElement QUERY =
            new StackTraceElement("com.example.Stock", "query", "Stock.java", 238);

    private final DumpEvidence evidence = new DumpEvidence();
    private final PoolWindow window = Windows.of("orders").size(4).fromOutside().build();

    @Test
    void close_severalDumps_countsWorkersInTheMean() {
        evidence.see(List.of(waiter(1, LOCK), waiter(2, LOCK), sleeper(3), idle(4)));
        evidence.see(List.of(waiter(1, LOCK), sleeper(2), sleeper(3), idle(4)));

        TimeBreakdown times = evidence.close(window).breakdown();

        assertThat(times.workers()).isEqualTo(4);
        assertThat(times.looks()).isEqualTo(2);
        assertThat(times.stacks()).isEqualTo(8);
        assertThat(times.workers(Doing.WAITING_FOR_LOCK).value()).isCloseTo(1.5, within(1e-9));
        assertThat(times.workers(Doing.SLEEPING).value()).isCloseTo(1.5, within(1e-9));
        assertThat(times.workers(Doing.IDLE).value()).isCloseTo(1, within(1e-9));
        assertThat(times.unknown()).isZero();
    }

    @Test
    void close_workersWaitForALock_namesItAndItsHolder() {
        evidence.see(List.of(waiter(1, LOCK), waiter(2, LOCK)));

        Share share = onlyLock(evidence.close(window));

        assertThat(share.place()).isEqualTo("com.example.Stock.reserve(Stock.java:136)");
        assertThat(lock(share).name()).isEqualTo(LOCK);
        assertThat(lock(share).owner()).hasValue("orders-3");
        assertThat(lock(share).ownerStack()).containsExactly(QUERY);
    }

    /** A collector moves objects, and dumps name them by their addresses. */
    @Test
    void close_lockHasMovedBetweenTwoDumps_isOneLock() {
        evidence.see(List.of(waiter(1, LOCK), waiter(2, LOCK)));
        evidence.see(List.of(waiter(1, "com.example.Stock@2b"), waiter(2, "com.example.Stock@2b")));

        Share share = onlyLock(evidence.close(window));

        assertThat(lock(share).name()).isEqualTo(LOCK);
        assertThat(share.workers().value()).isCloseTo(2, within(1e-9));
    }

    /** With one dump nothing is known of how the numbers vary. */
    @Test
    void close_oneDump_isUncertain() {
        evidence.see(List.of(waiter(1, LOCK), waiter(2, LOCK), idle(3), idle(4)));

        assertThat(onlyLock(evidence.close(window)).workers().error()).isGreaterThanOrEqualTo(1);
    }

    @Test
    void close_workersPutIntoAFullQueue_waitForSomethingLimited() {
        String queue = "java.util.concurrent.ArrayBlockingQueue";
        evidence.see(List.of(inLine(1, queue, "put", queue), inLine(2, queue, "put", queue)));

        assertThat(onlyLine(evidence.close(window)).limited()).isTrue();
    }

    /** Captured from workers that hand parts to each other: those that put are as many as those that take. */
    @Test
    void close_workersHandOverToEachOther_waitForNothingLimited() {
        String queue = "java.util.concurrent.SynchronousQueue";
        String parkedOn = queue + "$TransferStack";
        evidence.see(List.of(inLine(1, queue, "offer", parkedOn), inLine(2, queue, "poll", parkedOn)));

        assertThat(onlyLine(evidence.close(window)).limited()).isFalse();
    }

    @Test
    void close_noDumpSinceTheLastOne_changesNothing() {
        assertThat(evidence.close(window)).isSameAs(window);

        evidence.see(List.of(idle(1)));
        assertThat(evidence.dumps()).isOne();
        evidence.close(window);

        assertThat(evidence.dumps()).isZero();
        assertThat(evidence.close(window)).isSameAs(window);
    }

    private static Share onlyLock(PoolWindow window) {
        List<Share> shares = window.breakdown().places(Doing.WAITING_FOR_LOCK).toList();
        assertThat(shares).hasSize(1);
        return shares.get(0);
    }

    private static Awaited.Line onlyLine(PoolWindow window) {
        List<Awaited> lines = window.breakdown()
                .places(Doing.WAITING_IN_LINE)
                .flatMap(share -> share.awaited().stream())
                .distinct()
                .toList();
        assertThat(lines).hasSize(1);
        return (Awaited.Line) lines.get(0);
    }

    private static Awaited.Lock lock(Share share) {
        return (Awaited.Lock) share.awaited().orElseThrow();
    }

    private static Worker waiter(long id, String lock) {
        Awaited.Lock held = new Awaited.Lock(lock, true, Optional.of("orders-3"), List.of(QUERY), 0);
        return worker(id, Thread.State.BLOCKED, Doing.WAITING_FOR_LOCK, RESERVE, lock, Optional.of(held));
    }

    private static Worker sleeper(long id) {
        return worker(id, Thread.State.TIMED_WAITING, Doing.SLEEPING, QUERY, "", Optional.empty());
    }

    private static Worker inLine(long id, String queue, String method, String parkedOn) {
        StackTraceElement call = frame(queue, method);
        return new Worker(
                "orders-" + id,
                id,
                Thread.State.TIMED_WAITING,
                Doing.WAITING_IN_LINE,
                List.of(call, RESERVE),
                parkedOn + "@1a",
                Optional.empty(),
                new Awaited.Result(Optional.empty(), false));
    }

    private static StackTraceElement frame(String type, String method) {
        return new StackTraceElement(type, method, "Queue.java", 1);
    }

    private static Worker idle(long id) {
        return worker(id, Thread.State.WAITING, Doing.IDLE, QUERY, "", Optional.empty());
    }

    private static Worker worker(
            long id,
            Thread.State state,
            Doing doing,
            StackTraceElement frame,
            String object,
            Optional<Awaited.Lock> lock) {
        return new Worker(
                "orders-" + id,
                id,
                state,
                doing,
                List.of(frame),
                object,
                lock,
                new Awaited.Result(Optional.empty(), false));
    }
}
