package io.lifeguard.pool.recording;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.recording.Observation.CallerRun;
import io.lifeguard.pool.recording.Observation.Change;
import io.lifeguard.pool.recording.Observation.Curve;
import io.lifeguard.pool.recording.Observation.FindingChange;
import io.lifeguard.pool.recording.Observation.Flow;
import io.lifeguard.pool.recording.Observation.Load;
import io.lifeguard.pool.recording.Observation.Point;
import io.lifeguard.pool.recording.Observation.PoolLooks;
import io.lifeguard.pool.recording.Observation.Process;
import io.lifeguard.pool.recording.Observation.Rejection;
import io.lifeguard.pool.recording.Observation.SubmitWait;
import io.lifeguard.pool.recording.Observation.TaskRun;
import io.lifeguard.pool.recording.Observation.Times;
import io.lifeguard.pool.recording.Observation.WindowSummary;
import io.lifeguard.pool.recording.Observation.WorkerSample;
import io.lifeguard.pool.recording.Observation.WorkerStack;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Observations for tests: one of each type with all that can be known, and one with nothing. */
public final class Observations {

    /** 2026-01-01T00:00:00Z, and 123,456,789 ns. */
    public static final long START = 1_767_225_600_123_456_789L;

    /** A name that must not break a line, a document or an encoding. */
    public static final String HOSTILE = "a</script>\n\\n = \u00e4\u20ac\ud83d\ude00 \"x\"";

    private Observations() {}

    public static List<Observation> ofEachType() {
        return List.of(
                new TaskRun(
                        START,
                        25_000_001,
                        HOSTILE,
                        "worker-1",
                        "Kind",
                        OptionalLong.of(7),
                        OptionalLong.of(24_000_000),
                        true),
                new TaskRun(
                        START + 1, 20_000_000, "p", "worker-1", "", OptionalLong.empty(), OptionalLong.empty(), false),
                new SubmitWait(START + 2, 1_500_000, "p", "main", true),
                new CallerRun(START + 3, 2_500_000, "p", "main", 15.5),
                new Rejection(START + 4, "p", "main", "ABORTED"),
                new WorkerSample(
                        START + 5, "p", "worker-1", Doing.WAITING_FOR_LOCK, "a.B.c(B.java:3)", "a.B@1f", "worker-2"),
                new WorkerSample(START + 6, "p", "worker-2", Doing.IDLE, "", "", ""),
                window(START + 7),
                unknownWindow(START + 8),
                finding(START + 9),
                new PoolLooks(
                        START + 12,
                        1_000_000_000,
                        "p",
                        OptionalLong.of(5),
                        OptionalLong.empty(),
                        OptionalLong.of(7),
                        OptionalLong.of(8),
                        OptionalLong.empty(),
                        3,
                        "A\na+a.B.c(B.java:3)\t\t\t1f\n\n'worker-1\tAABB"),
                new WorkerStack(START + 13, "p", 0x1f, List.of("a.B.c(B.java:3)", "a.B.run(B.java:1)")));
    }

    public static WindowSummary window(long start) {
        return new WindowSummary(
                start,
                1_000_000_000,
                "p",
                new Load(16, 15, OptionalInt.of(16), OptionalInt.of(32), OptionalInt.of(7), OptionalInt.of(1024)),
                Optional.of(new Flow(100, 90, 3, 2, 1)),
                Optional.of(new Times(90, OptionalLong.of(1_000), OptionalLong.of(2_000))),
                Optional.of(new Times(0, OptionalLong.empty(), OptionalLong.empty())),
                Map.of(Doing.COMPUTING, 2.25, Doing.WAITING_OUTSIDE, 13.75),
                "CPU",
                new Process(
                        1.5,
                        OptionalDouble.of(1.25),
                        OptionalDouble.of(0.5),
                        OptionalLong.of(12_000_000),
                        OptionalLong.of(0)),
                Optional.of(new Curve(
                        16,
                        OptionalInt.of(20),
                        List.of(new Point(1, 10.5, 9.5, 11.25, 95_000_000), new Point(16, 80, 70, 90, 200_000_000)))),
                "its threads may be any of " + HOSTILE);
    }

    public static WindowSummary unknownWindow(long start) {
        return new WindowSummary(
                start,
                250_000_000,
                "q",
                new Load(0, 0, OptionalInt.empty(), OptionalInt.empty(), OptionalInt.of(0), OptionalInt.empty()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                "UNKNOWN",
                new Process(
                        2, OptionalDouble.empty(), OptionalDouble.empty(), OptionalLong.empty(), OptionalLong.empty()),
                Optional.empty(),
                "");
    }

    public static FindingChange finding(long start) {
        Map<String, String> evidence = new LinkedHashMap<>();
        evidence.put("zeros", "0 of 16");
        evidence.put("hostile", HOSTILE);
        return new FindingChange(
                start,
                "p",
                Change.ENDED,
                "the pool has ended",
                "lock-contention",
                "CRITICAL",
                start - 5_000_000_000L,
                "summary " + HOSTILE,
                "advice",
                evidence,
                List.of("a.B.c(B.java:3)", "a.B.d(B.java:4)"),
                "worker-2",
                OptionalInt.of(4),
                OptionalInt.of(3),
                OptionalInt.empty());
    }
}
