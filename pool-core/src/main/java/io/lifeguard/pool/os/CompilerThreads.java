package io.lifeguard.pool.os;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the CPU time of the JVM's compilers, whose threads Java itself does not show. HotSpot names them for the
 * system, starts more when there is much to compile and ends them when there is not; so they are looked for again after
 * a while, but only while the JVM says that it compiles. Confined to one thread; on other systems and for other JVMs
 * the time is unknown.
 */
public final class CompilerThreads {

    /** The time is unknown. */
    public static final long UNKNOWN = -1;

    /** Of the name the system keeps 15 characters, without the number: {@code C2 CompilerThread0}. */
    private static final List<String> NAMES = List.of("C1 Compiler", "C2 Compiler", "JVMCI Compiler");

    /** Readings between two looks for new ones. A look reads the name of each thread of the process. */
    private static final int BETWEEN_LOOKS = 32;

    private static final long WORTH_A_LOOK_MILLIS = 50;

    private final Path tasks;
    private final LongSupplier compilationMillis;
    private final Map<Path, Long> lastNanos = new HashMap<>();

    private int readings;
    private long compiledAtLook = Long.MIN_VALUE;
    private long sum;

    /**
     * Reads from this machine.
     *
     * @param compilationMillis how long the JVM has compiled so far
     */
    public CompilerThreads(LongSupplier compilationMillis) {
        this(Path.of("/"), compilationMillis);
    }

    /** Reads below another root. */
    public CompilerThreads(Path root, LongSupplier compilationMillis) {
        this.tasks = root.resolve("proc/self/task");
        this.compilationMillis = compilationMillis;
    }

    /**
     * CPU time that compilers have used since the first reading.
     *
     * @return in nanoseconds; never less than before; {@link #UNKNOWN} when no such thread has ever been seen
     */
    public long cpuNanos() {
        lastNanos.entrySet().removeIf(known -> !advance(known));
        look();
        return isKnown() ? sum : UNKNOWN;
    }

    /** False when the thread has ended. */
    private boolean advance(Map.Entry<Path, Long> known) {
        Long now = cpu(known.getKey());
        if (now == null) {
            return false;
        }
        sum += Math.max(0, now - known.getValue());
        known.setValue(now);
        return true;
    }

    /** Does not count what a thread did before it was found: it is not known when. */
    private void look() {
        boolean isTurn = readings++ % BETWEEN_LOOKS == 0;
        if (!isTurn || (isKnown() && compilationMillis.getAsLong() - compiledAtLook < WORTH_A_LOOK_MILLIS)) {
            return;
        }
        long compiled = compilationMillis.getAsLong();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks, this::isCompiler)) {
            for (Path thread : threads) {
                Long now = cpu(thread);
                if (now != null) {
                    lastNanos.putIfAbsent(thread, now);
                }
            }
        } catch (IOException | DirectoryIteratorException ignored) { // not here
            return; // another system, or a locked container
        }
        if (isKnown() || !lastNanos.isEmpty()) {
            compiledAtLook = compiled;
        }
    }

    private boolean isKnown() {
        return compiledAtLook != Long.MIN_VALUE;
    }

    private boolean isCompiler(Path thread) {
        String name = ProcFile.read(thread.resolve("comm"));
        return name != null && NAMES.stream().anyMatch(name::startsWith);
    }

    private static @Nullable Long cpu(Path thread) {
        String schedstat = ProcFile.read(thread.resolve("schedstat"));
        return schedstat == null ? null : ProcFile.number(schedstat.strip().split(" ", -1)[0]);
    }
}
