package io.lifeguard.pool.diagnosis.system;

import io.lifeguard.pool.os.NativeThread;
import io.lifeguard.pool.os.ProcFile;
import io.lifeguard.pool.os.Unknown;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads the times and the context switches of a thread from Linux: {@code /proc/<pid>/task/<id>/schedstat} and
 * {@code status}, and when it began: {@code stat}, see proc(5). Costs 10 to 25 µs per thread. Immutable, thread-safe.
 * On other systems, and where {@code /proc} is locked, all figures are unknown.
 */
public final class ThreadReader implements LongFunction<@Nullable ThreadReading> {

    private static final int TICKS = 100; // USER_HZ
    private static final int NAME = 15; // bytes of a name that the system keeps
    private static final int BEGAN = 19; // the field's position behind the thread's name

    private final Path root;
    private final Path tasks;

    public ThreadReader() {
        this(Path.of("/"));
    }

    public ThreadReader(Path root) {
        this(root, "self");
    }

    private ThreadReader(Path root, String process) {
        this.root = root;
        this.tasks = root.resolve("proc").resolve(process).resolve("task");
    }

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
        if (id == Unknown.NUMBER) {
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
        boolean isReady = status.contains("\nState:\tR");
        return isCounted ? new ThreadReading(cpu, delay, voluntary, involuntary, isReady, System.nanoTime()) : null;
    }

    /**
     * {@return the system's numbers of the threads that have such names, in a new list; empty where the system does not
     * say} The system keeps 15 bytes of a name: the first ones, or since JDK 20 the first 7 and the last 6. So several
     * threads may have it. Costs about 10 µs for each thread of the process.
     */
    public List<Long> named(Collection<String> names) {
        Set<String> kept = new HashSet<>();
        for (String name : names) {
            boolean isShort = name.length() <= NAME;
            kept.add(isShort ? name : name.substring(0, NAME));
            kept.add(isShort ? name : name.substring(0, 7) + ".." + name.substring(name.length() - 6));
        }
        List<Long> found = new ArrayList<>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
            for (Path thread : threads) {
                String known = ProcFile.read(thread.resolve("comm"));
                Long id = ProcFile.number(String.valueOf(thread.getFileName()));
                if (known != null && id != null && kept.contains(known.strip())) {
                    found.add(id);
                }
            }
        } catch (IOException | DirectoryIteratorException ignored) { // not Linux, or locked
            return List.of();
        }
        return found;
    }

    @Override
    public @Nullable ThreadReading apply(long id) {
        return read(id);
    }

    /** {@return for how many seconds a thread has been there; -1 if it has ended, or the system does not say} */
    public double age(long id) {
        String stat = ProcFile.read(tasks.resolve(Long.toString(id)).resolve("stat"));
        String uptime = ProcFile.read(root.resolve("proc/uptime"));
        if (stat == null || uptime == null) {
            return -1;
        }
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
        Long began = fields.length <= BEGAN ? null : ProcFile.number(fields[BEGAN]);
        return began == null ? -1 : Double.parseDouble(uptime.split(" ", 2)[0]) - (double) began / TICKS;
    }
}
