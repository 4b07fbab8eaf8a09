package io.lifeguard.pool.tools.analyze;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.recording.Observation;
import io.lifeguard.pool.text.Units;
import io.lifeguard.pool.tools.jvm.CannotLookException;
import io.lifeguard.pool.tools.watch.PoolView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What was wrong with the pools in one flight recording. Immutable.
 *
 * @param file the recording
 * @param recording what the JDK, profilers and Lifeguard have recorded
 * @param replay what the rules find in what the JDK and profilers have recorded
 * @param recorded what Lifeguard found in the program itself, if the program has it
 */
public record Analysis(Path file, FlightRecording recording, Replay replay, List<RecordedFinding> recorded) {

    /** Of the workers' time. Where less is known, silence says nothing. */
    private static final double MOST_UNKNOWN = 0.75;

    /**
     * Reads a recording, and judges it.
     *
     * @throws CannotLookException if it cannot be read, or shows no pool
     */
    public static Analysis of(Path file) throws CannotLookException {
        try {
            return read(file);
        } catch (OutOfMemoryError e) {
            throw new CannotLookException("too large for this heap; give it more with java -Xmx");
        } catch (IOException | RuntimeException e) { // the JDK's reader throws many kinds for a broken file
            throw new CannotLookException(Files.exists(file) ? incomplete(e.toString()) : "no such file or directory");
        }
    }

    private static String incomplete(String why) {
        return "it is no complete flight recording of a JDK up to the one that reads it (" + why + ")";
    }

    private static Analysis read(Path file) throws CannotLookException, IOException {
        if (Files.isDirectory(file)) {
            throw new CannotLookException("it is a directory");
        }
        FlightRecording recording = FlightRecording.read(file);
        List<Observation> own = recording.own();
        if (recording.isEmpty() && own.isEmpty()) {
            throw new CannotLookException(recording
                    .problem()
                    .map(Analysis::incomplete)
                    .orElse("it holds no event of the JDK, of a profiler, or of Lifeguard"));
        }
        Replay replay = new Replay(recording, RecordedPools.workers(own));
        replay.run();
        if (replay.pools().isEmpty() && own.isEmpty()) {
            throw new CannotLookException(Units.format(
                    "in its %s no thread works for a pool that this program knows. Not recorded: %s",
                    Units.time(recording.length()), String.join("; ", recording.missing())));
        }
        return new Analysis(file, recording, replay, RecordedFinding.of(own));
    }

    /** {@return what Lifeguard has recorded, if the program has it, in the order of the recording} */
    public List<Observation> own() {
        return recording.own();
    }

    /** {@return its application, number and host; empty where the recording does not tell them} */
    public Optional<String> process() {
        return recording.program().name();
    }

    /** {@return the pools that Lifeguard has not recorded, over the whole recording} */
    public List<PoolView> pools() {
        return replay.pools();
    }

    /** {@return whether anything was found} */
    public boolean hasFindings() {
        return !replay.findings().isEmpty() || !recorded.isEmpty();
    }

    /** {@return why what was found may not be all, or silence a guess; empty when all was read and enough is known} */
    public Optional<String> obstacle() {
        double unknown = unknownShare();
        if (replay.findings().isEmpty() && own().isEmpty() && unknown > MOST_UNKNOWN) {
            return Optional.of(Units.format(
                    "what its pools did is unknown for %s of the time. Record with the settings 'default', for"
                            + " two minutes or more: the JVM then adds thread dumps and CPU times",
                    Units.percent(unknown)));
        }
        return recording.problem().map(what -> what + ". What could be read is shown");
    }

    /** Of the time of all workers. */
    private double unknownShare() {
        double unknown = pools().stream()
                .mapToDouble(pool -> pool.threads(Doing.UNKNOWN).orElse(0))
                .sum();
        double all = pools().stream()
                .mapToDouble(pool -> pool.window()
                        .map(window -> window.breakdown().workers())
                        .orElse(0.0))
                .sum();
        return all == 0 ? 1 : unknown / all;
    }

    /** {@return what a report draws} */
    public List<Observation> observations() {
        List<Observation> all = new ArrayList<>(own());
        all.addAll(replay.observations());
        return all;
    }
}
