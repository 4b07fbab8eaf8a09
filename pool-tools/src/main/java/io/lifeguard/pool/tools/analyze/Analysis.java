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
import java.util.Comparator;
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

    /** Of the time of a pool's workers. Where less is known, silence says nothing. */
    private static final double MOST_UNKNOWN = 0.75;

    /** In workers, on average: less may be a sum that was rounded. */
    private static final double LEAST_WORK = 0.01;

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
                    .orElse(
                            recording.isOfOracle9()
                                    ? "its events have the names of Oracle's JDK 9 and 10 (" + FlightRecording.ORACLE_9
                                            + "*), which are not read. Record with JDK 8u262, 11 or later"
                                    : "it holds no event of the JDK, of a profiler, or of Lifeguard"));
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
        Optional<String> silence = replay.findings().isEmpty() && own().isEmpty() ? silence(pools()) : Optional.empty();
        if (silence.isPresent()) {
            return silence;
        }
        return recording.problem().map(what -> what + ". What could be read is shown");
    }

    /**
     * Returns what is mostly unknown of one of the pools that are known to have worked. Where none is, that itself is
     * unknown, and all count. A pool that is only idle must not dilute what is unknown of others.
     */
    static Optional<String> silence(List<PoolView> pools) {
        List<PoolView> working = pools.stream()
                .filter(pool -> workers(pool) - pool.threads(Doing.IDLE).orElse(0) - unknown(pool) > LEAST_WORK)
                .toList();
        Optional<PoolView> most =
                (working.isEmpty() ? pools : working).stream().max(Comparator.comparingDouble(Analysis::unknownShare));
        double share = most.map(Analysis::unknownShare).orElse(1.0);
        return share <= MOST_UNKNOWN
                ? Optional.empty()
                : Optional.of(Units.format(
                        "what %s did is unknown for %s of the time. Record with the settings 'default', for"
                                + " two minutes or more: the JVM then adds thread dumps and CPU times",
                        most.map(pool -> "pool " + pool.name()).orElse("it"), Units.percent(share)));
    }

    /** Of the time of a pool's workers. */
    private static double unknownShare(PoolView pool) {
        return workers(pool) == 0 ? 1 : unknown(pool) / workers(pool);
    }

    private static double unknown(PoolView pool) {
        return pool.threads(Doing.UNKNOWN).orElse(0);
    }

    private static double workers(PoolView pool) {
        return pool.window().map(window -> window.breakdown().workers()).orElse(0.0);
    }

    /** {@return what a report draws} */
    public List<Observation> observations() {
        List<Observation> all = new ArrayList<>(own());
        all.addAll(replay.observations());
        return all;
    }
}
