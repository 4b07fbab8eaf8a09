package io.lifeguard.pool.diagnosis.system;

import io.lifeguard.pool.os.ProcFile;
import io.lifeguard.pool.os.Unknown;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the CPU times of a process and this machine from Linux. The sources are {@code /proc/<pid>/stat} and
 * {@code /proc/stat}, see proc(5), and the process's {@linkplain CpuQuota control groups}. Thread-safe. On other
 * systems all figures are unknown.
 */
public final class ProcessReader implements Supplier<ProcessReading> {

    private static final long TICK_NANOS = 10_000_000; // USER_HZ is 100 on every architecture Java runs on
    private static final int USER_TICKS = 11; // fields after the parenthesised name, counted from 0
    private static final int SYSTEM_TICKS = 12;
    private static final int IDLE = 3; // fields of the first line of /proc/stat, counted from 0
    private static final int WAITING_FOR_DISK = 4;
    private static final int GUEST = 8; // this field and the next are part of the fields before

    private final Path root;
    private final String process; // its directory below /proc
    private final CpuQuota quota;

    public ProcessReader() {
        this(Path.of("/"));
    }

    public ProcessReader(Path root) {
        this(root, "self");
    }

    private ProcessReader(Path root, String process) {
        this.root = root;
        this.process = process;
        this.quota = CpuQuota.find(root, process);
    }

    public static ProcessReader ofProcess(long pid) {
        return new ProcessReader(Path.of("/"), Long.toString(pid));
    }

    @Override
    public ProcessReading get() {
        return read();
    }

    public ProcessReading read() {
        long user = Unknown.NUMBER;
        long system = Unknown.NUMBER;
        long[] ticks =
                fields(ProcFile.read(root.resolve("proc").resolve(process).resolve("stat")), ')', SYSTEM_TICKS + 1);
        if (ticks != null && ticks.length > SYSTEM_TICKS) {
            user = ticks[USER_TICKS] * TICK_NANOS;
            system = ticks[SYSTEM_TICKS] * TICK_NANOS;
        }
        long busy = Unknown.NUMBER;
        long all = Unknown.NUMBER;
        long[] machine = fields(firstLine(ProcFile.read(root.resolve("proc/stat"))), 'u', GUEST);
        if (machine != null && machine.length > WAITING_FOR_DISK) {
            all = 0;
            for (long part : machine) {
                all += part;
            }
            busy = all - machine[IDLE] - machine[WAITING_FOR_DISK];
        }
        CpuQuota.Reading limits = quota.read();
        return new ProcessReading(user, system, busy, all, limits.cores(), limits.throttledNanos());
    }

    private static @Nullable String firstLine(@Nullable String text) {
        return text == null || text.indexOf('\n') < 0 ? text : text.substring(0, text.indexOf('\n'));
    }

    /** The first numbers after the last {@code before}. A word that is not a number counts as 0. */
    private static long @Nullable [] fields(@Nullable String text, char before, int most) {
        if (text == null || text.indexOf(before) < 0) {
            return null;
        }
        String[] words = text.substring(text.lastIndexOf(before) + 1).strip().split(" ", most + 1);
        long[] numbers = new long[Math.min(most, words.length)]; // the rest of the text is the last word
        for (int i = 0; i < numbers.length; i++) {
            Long number = ProcFile.number(words[i]);
            numbers[i] = number == null ? 0 : number;
        }
        return numbers;
    }
}
