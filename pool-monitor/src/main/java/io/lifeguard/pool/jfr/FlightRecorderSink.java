package io.lifeguard.pool.jfr;

import io.lifeguard.pool.recording.EventType;
import io.lifeguard.pool.recording.LiveSink;
import io.lifeguard.pool.recording.Observation;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import jdk.jfr.Event;
import jdk.jfr.EventFactory;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;
import org.jspecify.annotations.Nullable;

/**
 * Writes observations to the flight recordings of this JVM. Thread-safe.
 *
 * <p>Until the flight recorder is first used, it asks {@link FlightRecorder#isInitialized()} only, which loads that one
 * class. The types of events are registered when the first recording runs.
 */
public final class FlightRecorderSink implements LiveSink {

    // Written once, by the thread that asks isRecording(). A stale read leaves out an event.
    private volatile @Nullable Map<EventType, EventFactory> factories;

    // Confined to that thread.
    private long taskThresholdNanos = Long.MAX_VALUE;
    private Set<Long> running = Set.of(); // the recordings that ran, by id
    private boolean hasNew;

    private FlightRecorderSink() {}

    /** {@return the sink of this JVM; {@link LiveSink#NONE} where there is no module {@code jdk.jfr}} */
    public static LiveSink ofThisJvm() {
        boolean hasModule = ModuleLayer.boot().findModule("jdk.jfr").isPresent();
        return hasModule ? new FlightRecorderSink() : NONE;
    }

    @Override
    public boolean isRecording() {
        if (!FlightRecorder.isInitialized()) {
            return false;
        }
        long threshold = Long.MAX_VALUE;
        Set<Long> now = new HashSet<>();
        for (Recording recording : FlightRecorder.getFlightRecorder().getRecordings()) {
            if (recording.getState() == RecordingState.RUNNING) {
                now.add(recording.getId());
                threshold = Math.min(threshold, TaskThreshold.nanos(recording.getSettings()));
            }
        }
        taskThresholdNanos = threshold;
        if (!now.isEmpty() && factories == null) {
            factories = registered();
        }
        hasNew = !running.containsAll(now);
        running = now;
        return !now.isEmpty();
    }

    @Override
    public boolean hasNewRecording() {
        return hasNew;
    }

    private static Map<EventType, EventFactory> registered() {
        Map<EventType, EventFactory> factories = new EnumMap<>(EventType.class);
        for (EventType type : EventType.values()) {
            factories.put(type, EventFactories.of(type));
        }
        return factories;
    }

    @Override
    public long taskThresholdNanos() {
        return taskThresholdNanos;
    }

    @Override
    public @Nullable Object begins(EventType type, @Nullable Object spare) {
        Event event = spare instanceof Event reused ? reused : newEvent(type);
        if (event != null) {
            event.begin();
        }
        return event;
    }

    private @Nullable Event newEvent(EventType type) {
        Map<EventType, EventFactory> known = factories;
        EventFactory factory = known == null ? null : known.get(type);
        return factory == null ? null : factory.newEvent();
    }

    @Override
    public void write(Observation observation, @Nullable Object note, long lateNanos) {
        EventType type = EventType.of(observation);
        Event event = note instanceof Event begun ? begun : newEvent(type);
        if (event == null) {
            return;
        }
        event.end();
        if (event.shouldCommit()) {
            Object[] values = type.values(observation, lateNanos);
            for (int i = 0; i < values.length; i++) {
                event.set(i, values[i]);
            }
            event.commit();
        }
    }
}
