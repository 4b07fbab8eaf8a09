package io.lifeguard.pool.recording;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An observation that is written and read is the same; each value here is another one, so a swap shows. */
class EventTypeTest {

    /** An event that tells of a window is written so long after its end. */
    private static final long LATE_NANOS = 123_456_789;

    static Stream<Observation> observations() {
        return Stream.concat(known(), unknown());
    }

    private static Stream<Observation> known() {
        return Stream.of(
                new TaskRun(1, 2, "p", "t", "k", OptionalLong.of(3), OptionalLong.of(4), true),
                new SubmitWait(1, 2, "p", "t", true),
                new CallerRun(1, 2, "p", "t", 2.5),
                new Rejection(1, "p", "t", "r"),
                new WorkerSample(1, "p", "t", Doing.WAITING_FOR_LOCK, "at", "lock", "holder"),
                new PoolLooks(
                        1,
                        2,
                        "p",
                        OptionalLong.of(3),
                        OptionalLong.of(4),
                        OptionalLong.of(5),
                        OptionalLong.of(6),
                        OptionalLong.of(7),
                        8,
                        "c"),
                new WorkerStack(1, "p", 2, List.of("a", "b")),
                new WindowSummary(
                        1,
                        2,
                        "p",
                        new Load(3, 2, OptionalInt.of(4), OptionalInt.of(5), OptionalInt.of(6), OptionalInt.of(7)),
                        Optional.of(new Flow(8, 9, 10, 11, 12)),
                        Optional.of(new Times(13, OptionalLong.of(14), OptionalLong.of(15))),
                        Optional.of(new Times(16, OptionalLong.of(17), OptionalLong.of(18))),
                        Map.of(Doing.IDLE, 1.25, Doing.WAITING_FOR_LOCK, 0.5),
                        "lock",
                        new Process(
                                2.5,
                                OptionalDouble.of(1.5),
                                OptionalDouble.of(0.25),
                                OptionalLong.of(19),
                                OptionalLong.of(20)),
                        Optional.of(new Curve(3, OptionalInt.of(21), List.of(new Point(22, 23, 24, 25, 26)))),
                        ""),
                new FindingChange(
                        10,
                        "p",
                        Change.RAISED,
                        "why",
                        "id",
                        "WARNING",
                        3,
                        "summary",
                        "advice",
                        Map.of("name", "value"),
                        List.of("a", "b"),
                        "holder",
                        OptionalInt.of(4),
                        OptionalInt.of(5),
                        OptionalInt.of(6)));
    }

    private static Stream<Observation> unknown() {
        return Stream.of(
                new TaskRun(1, 2, "p", "t", "k", OptionalLong.empty(), OptionalLong.empty(), false),
                new PoolLooks(
                        1,
                        2,
                        "p",
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        8,
                        ""),
                new WindowSummary(
                        1,
                        2,
                        "p",
                        new Load(
                                3, 2, OptionalInt.empty(), OptionalInt.empty(), OptionalInt.of(6), OptionalInt.empty()),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Map.of(),
                        "",
                        new Process(
                                2.5,
                                OptionalDouble.empty(),
                                OptionalDouble.empty(),
                                OptionalLong.empty(),
                                OptionalLong.empty()),
                        Optional.empty(),
                        ""));
    }

    @ParameterizedTest
    @MethodSource("observations")
    void read_itsOwnValues_isTheSameObservation(Observation observation) {
        EventType type = EventType.of(observation);

        assertThat(EventType.read(type.eventName(), new Row(observation, type))).contains(observation);
    }

    @ParameterizedTest
    @MethodSource("observations")
    void values_haveTheFormOfTheirFields(Observation observation) {
        EventType type = EventType.of(observation);
        Object[] values = type.values(observation, LATE_NANOS);

        assertThat(values).hasSameSizeAs(type.fields());
        for (int i = 0; i < values.length; i++) {
            assertThat(values[i])
                    .as(type.fields().get(i).name())
                    .isInstanceOf(
                            switch (type.fields().get(i).form()) {
                                case TEXT -> String.class;
                                case FLAG -> Boolean.class;
                                case INT -> Integer.class;
                                case LONG, TIMESPAN -> Long.class;
                                case DOUBLE -> Double.class;
                            });
        }
    }

    @Test
    void observations_hereAreOfAllTypes() {
        Set<EventType> types = new HashSet<>();
        known().forEach(observation -> types.add(EventType.of(observation)));

        assertThat(types).containsExactlyInAnyOrder(EventType.values());
    }

    /** The fields as a recording would give them back. */
    private static final class Row implements EventRow {
        private final Observation observation;
        private final boolean hasDuration;
        private final Map<String, Object> values = new HashMap<>();

        Row(Observation observation, EventType type) {
            this.observation = observation;
            this.hasDuration = type.hasDuration();
            Object[] stored = type.values(observation, LATE_NANOS);
            for (int i = 0; i < stored.length; i++) {
                values.put(type.fields().get(i).name(), stored[i]);
            }
        }

        @Override
        public long startNanos() {
            long written = observation.endNanos() + (values.containsKey(EventFields.LATE) ? LATE_NANOS : 0);
            return hasDuration ? observation.startNanos() : written;
        }

        @Override
        public long durationNanos() {
            return hasDuration ? observation.durationNanos() : 0;
        }

        @Override
        public String text(String field) {
            return (String) values.get(field);
        }

        @Override
        public boolean flag(String field) {
            return (Boolean) values.get(field);
        }

        @Override
        public long number(String field) {
            return ((Number) values.get(field)).longValue();
        }

        @Override
        public double real(String field) {
            return (Double) values.get(field);
        }
    }
}
