package io.lifeguard.pool.diagnosis.evidence.cpu;

import io.lifeguard.pool.diagnosis.system.ProcessReader;
import io.lifeguard.pool.diagnosis.system.ThreadReader;
import io.lifeguard.pool.diagnosis.system.ThreadReading;
import io.lifeguard.pool.diagnosis.window.ProcessWindow;
import io.lifeguard.pool.diagnosis.window.ThreadTimes;
import io.lifeguard.pool.os.Unknown;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads from Linux what another process and its threads used. Not thread-safe. Asks the process nothing. On other
 * systems, and where {@code /proc} is locked, all figures are unknown.
 */
public final class OtherProcess {

    private final ProcessTimes process;
    private final ThreadReader threads;
    private Map<Long, ThreadReading> last = Map.of(); // by the system's number of the thread

    public OtherProcess(long pid, MonitorClock clock) {
        this.threads = ThreadReader.ofProcess(pid);
        this.process =
                new ProcessTimes(ProcessReader.ofProcess(pid), () -> Unknown.NUMBER, () -> Unknown.NUMBER, clock);
        process.advance(Duration.ZERO);
    }

    /** {@return what happened to the process since the last call} The time of its collections is unknown. */
    public ProcessWindow advance() {
        return process.advance(Duration.ZERO);
    }

    /**
     * {@return how much CPU time a thread has used since it began; empty where the system does not say}
     *
     * @param nativeId the system's number of the thread
     */
    public Optional<Duration> cpuOf(long nativeId) {
        return Optional.ofNullable(threads.read(nativeId)).map(reading -> Duration.ofNanos(reading.cpuNanos()));
    }

    /**
     * {@return for how many seconds a thread has been there; -1 where the system does not say}
     *
     * @param nativeId the system's number of the thread
     */
    public double ageOf(long nativeId) {
        return threads.age(nativeId);
    }

    /**
     * {@return what threads have used since the last call, by the system's number}
     *
     * <p>Threads that the last call did not name are absent, and those of which the system does not say it.
     */
    public Map<Long, ThreadTimes> threadTimes(Set<Long> nativeIds) {
        Map<Long, ThreadReading> now = new HashMap<>();
        Map<Long, ThreadTimes> used = new HashMap<>();
        for (long id : nativeIds) {
            ThreadReading reading = threads.read(id);
            if (reading != null) {
                now.put(id, reading);
                Optional.ofNullable(last.get(id))
                        .ifPresent(before -> used.put(id, WorkerTimes.between(before, reading)));
            }
        }
        last = now;
        return used;
    }
}
