package io.lifeguard.pool.diagnosis.system;

import io.lifeguard.pool.os.ProcFile;
import io.lifeguard.pool.os.Unknown;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the CPU time of the JVM's compiler threads, which Java itself does not show. HotSpot gives them names that the
 * system shows. Confined to one thread. On other systems and for other JVMs the time is unknown.
 *
 * <p>HotSpot starts compiler threads when there is much to compile, and ends them later, but for one of each kind. So
 * this class looks for new ones after a while, but only once the known ones have compiled.
 */
public final class CompilerThreads implements LongSupplier {

    /** The system keeps only 15 characters of a name like {@code C2 CompilerThread0}. */
    private static final List<String> NAMES = List.of("C1 Compiler", "C2 Compiler", "JVMCI Compiler");

    /** The number of readings between two looks for new threads. A look reads the name of each thread. */
    private static final int BETWEEN_LOOKS = 32;

    /** A judgement: the JVM adds a compiler when its queues are long, so less work than this adds none. */
    private static final long WORTH_A_LOOK_NANOS = 50_000_000;

    private final Path tasks;
    private final Map<Path, Long> lastNanos = new HashMap<>();

    private int readings;
    private long sumAtLook;
    private boolean isKnown; // from false to true
    private long sum;

    public CompilerThreads(Path root) {
        this.tasks = root.resolve("proc/self/task");
    }

    /**
     * The CPU time in nanoseconds that compilers have used since the first reading. Never falls; {@link Unknown#NUMBER}
     * if no compiler thread has ever been seen.
     */
    public long cpuNanos() {
        for (Iterator<Map.Entry<Path, Long>> each = lastNanos.entrySet().iterator(); each.hasNext(); ) {
            if (!advance(each.next())) {
                each.remove();
            }
        }
        look();
        return isKnown ? sum : Unknown.NUMBER;
    }

    @Override
    public long getAsLong() {
        return cpuNanos();
    }

    /** Adds the CPU time since the last reading. Returns false if the thread has ended. */
    private boolean advance(Map.Entry<Path, Long> known) {
        Long now = cpu(known.getKey());
        if (now == null) {
            return false;
        }
        sum += Math.max(0, now - known.getValue());
        known.setValue(now);
        return true;
    }

    /** Looks for new threads. Their CPU time until now is not counted, because it may be older than this reader. */
    private void look() {
        boolean isTurn = readings++ % BETWEEN_LOOKS == 0;
        if (!isTurn || (!lastNanos.isEmpty() && sum - sumAtLook < WORTH_A_LOOK_NANOS)) {
            return;
        }
        String[] ids;
        try {
            ids = tasks.toFile().list();
        } catch (SecurityException ignored) {
            return;
        }
        if (ids == null) { // another system
            return;
        }
        for (String id : ids) {
            Path thread = tasks.resolve(id);
            Long now = isCompiler(thread) ? cpu(thread) : null;
            if (now != null) {
                lastNanos.putIfAbsent(thread, now);
            }
        }
        isKnown |= !lastNanos.isEmpty();
        sumAtLook = sum;
    }

    /** Whether the thread with this directory is a compiler. */
    static boolean isCompiler(Path thread) {
        String name = ProcFile.read(thread.resolve("comm"));
        for (String known : NAMES) {
            if (name != null && name.startsWith(known)) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable Long cpu(Path thread) {
        String schedstat = ProcFile.read(thread.resolve("schedstat"));
        return schedstat == null ? null : ProcFile.number(schedstat.strip().split(" ", -1)[0]);
    }
}
