package io.lifeguard.pool.recording;

import org.jspecify.annotations.Nullable;

/** Writes observations where a user records them: the flight recorder of this JVM. */
public interface LiveSink {

    /** A sink for JVMs that cannot record. */
    LiveSink NONE = new LiveSink() {
        @Override
        public boolean isRecording() {
            return false;
        }

        @Override
        public boolean hasNewRecording() {
            return false;
        }

        @Override
        public long taskThresholdNanos() {
            return Long.MAX_VALUE;
        }

        @Override
        public @Nullable Object begins(EventType type, @Nullable Object spare) {
            return null;
        }

        @Override
        public void write(Observation observation, @Nullable Object note, long lateNanos) {
            // no flight recording runs
        }
    };

    /** {@return whether a recording runs} Asked once per window, by one thread. Prepares what is written to. */
    boolean isRecording();

    /** {@return whether the latest {@link #isRecording()} saw a recording that did not run at the one before} */
    boolean hasNewRecording();

    /** {@return the service time from which on tasks are recorded, by the latest {@link #isRecording()}} */
    long taskThresholdNanos();

    /**
     * Notes when something begins. Any thread.
     *
     * @param spare what this method returned to the same thread before; null at first
     * @return the note to pass to {@link #write} on the same thread; null for none
     */
    @Nullable
    Object begins(EventType type, @Nullable Object spare);

    /**
     * Writes an observation, if a recording wants it. Any thread; it does not block.
     *
     * @param note what {@link #begins} returned; null when the beginning was not noted
     * @param lateNanos how long ago the observation ended
     */
    void write(Observation observation, @Nullable Object note, long lateNanos);
}
