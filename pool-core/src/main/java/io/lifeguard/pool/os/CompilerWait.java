package io.lifeguard.pool.os;

import java.io.File;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Reads how long the JVM's compiler threads had to wait for a CPU. HotSpot gives them names that the system shows.
 * Confined to one thread. On other systems and for other JVMs they never seem to wait.
 */
public final class CompilerWait {

    /*
     * Uses no lambda, no stream and no collection: it runs in the first second of the JVM, to find out whether that
     * second has no time for such things.
     */

    private final File tasks;
    private Path @Nullable [] compilers; // null until they were looked for

    /** Reads from this machine. */
    public CompilerWait() {
        this(Path.of("/"));
    }

    /** Reads below another root. */
    CompilerWait(Path root) {
        tasks = root.resolve("proc/self/task").toFile();
    }

    /**
     * How long all compiler threads together were ready to run and had no CPU, in nanoseconds, since they began. The
     * first call looks for the threads; those that begin later do not count. 0 if it is unknown.
     */
    public long nanos() {
        Path[] known = compilers;
        if (known == null) {
            known = find();
            compilers = known;
        }
        long sum = 0;
        for (Path compiler : known) {
            sum += waited(compiler);
        }
        return sum;
    }

    private Path[] find() {
        String[] ids = ids();
        Path[] found = new Path[ids.length];
        int count = 0;
        for (int i = 0; i < found.length; i++) {
            Path thread = tasks.toPath().resolve(ids[i]);
            if (CompilerThreads.isCompiler(thread)) {
                found[count++] = thread.resolve("schedstat");
            }
        }
        Path[] all = new Path[count];
        System.arraycopy(found, 0, all, 0, count);
        return all;
    }

    private String[] ids() {
        try {
            String[] ids = tasks.list();
            return ids == null ? new String[0] : ids;
        } catch (SecurityException ignored) { // as on another system
            return new String[0];
        }
    }

    /** The second number of the file is the time on the run queue. */
    private static long waited(Path schedstat) {
        String text = ProcFile.read(schedstat);
        int from = text == null ? -1 : text.indexOf(' ') + 1;
        int to = text == null ? -1 : text.indexOf(' ', from);
        Long nanos = text == null || from <= 0 || to < 0 ? null : ProcFile.number(text.substring(from, to));
        return nanos == null ? 0 : nanos;
    }
}
