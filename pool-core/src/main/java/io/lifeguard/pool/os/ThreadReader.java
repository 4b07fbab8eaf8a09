package io.lifeguard.pool.os;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Reads the times and the context switches of a thread from Linux: {@code
 * /proc/<pid>/task/<id>/schedstat} and {@code status}, see proc(5). Costs 10 to 25 µs per thread. Immutable,
 * thread-safe. On other systems, and where {@code /proc} is locked, all figures are unknown.
 */
public final class ThreadReader {

    private final Path tasks;

    /** Reads from this machine. */
    public ThreadReader() {
        this(Path.of("/"));
    }

    /** Reads below another root. */
    public ThreadReader(Path root) {
        this(root, "self");
    }

    private ThreadReader(Path root, String process) {
        this.tasks = root.resolve("proc").resolve(process).resolve("task");
    }

    /** {@return a reader of the threads of another process, by their numbers as this process sees them} */
    public static ThreadReader ofProcess(long pid) {
        return new ThreadReader(Path.of("/"), Long.toString(pid));
    }

    /**
     * Reads one thread.
     *
     * @param id the system's number of the thread, see {@link NativeThread#currentId()}
     * @return null if the thread has ended, or the system does not provide the figures
     */
    public @Nullable ThreadReading read(long id) {
        if (id == NativeThread.UNKNOWN) {
            return null;
        }
        Path task = tasks.resolve(Long.toString(id));
        String schedstat = ProcFile.read(task.resolve("schedstat"));
        String status = ProcFile.read(task.resolve("status"));
        if (schedstat == null || status == null) {
            return null;
        }
        String[] fields = schedstat.strip().split(" ", -1);
        Long cpu = ProcFile.number(fields[0]);
        Long delay = fields.length < 2 ? null : ProcFile.number(fields[1]);
        long voluntary = ProcFile.valueOf("voluntary_ctxt_switches:", status, -1);
        long involuntary = ProcFile.valueOf("nonvoluntary_ctxt_switches:", status, -1);
        if (cpu == null || delay == null || voluntary < 0 || involuntary < 0) {
            return null;
        }
        boolean isCounted = cpu > 0; // a kernel without these statistics shows zeros
        return isCounted ? new ThreadReading(cpu, delay, voluntary, involuntary) : null;
    }
}
