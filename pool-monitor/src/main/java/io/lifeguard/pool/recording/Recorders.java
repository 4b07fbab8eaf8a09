package io.lifeguard.pool.recording;

import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds the recorder of a monitor for the report. Users have no access to recorders. Thread-safe. */
public final class Recorders {

    /** Written by each monitor's constructor, with the same function, so before there is a monitor to ask for. */
    private static volatile @Nullable Function<Object, Recorder> finder;

    private Recorders() {}

    /** Sets what returns a monitor's recorder. The monitor's class does this, which this package does not know. */
    public static void findBy(Function<Object, Recorder> monitorsRecorder) {
        finder = monitorsRecorder;
    }

    /**
     * {@return the recorder of a monitor}
     *
     * @param monitor a {@code PoolMonitor}, not null
     */
    public static Recorder of(Object monitor) {
        return Objects.requireNonNull(finder, "only a monitor has a recorder").apply(monitor);
    }
}
