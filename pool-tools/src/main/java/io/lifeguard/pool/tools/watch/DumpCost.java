package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.diagnosis.evidence.cpu.OtherProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Measures for how long a dump stops a JVM. Not thread-safe.
 *
 * <p>While the JVM stands still, its own thread {@code VM Thread} writes the dump. So that thread's CPU time is the
 * measure, twice because the JVM's threads have to be stopped first. Where it is unknown, the time until the answer is,
 * which is too long where CPUs are short.
 */
final class DumpCost {

    private static final int TO_STOP = 2;

    private final OtherProcess process;
    private final OptionalLong vmThread;
    private Optional<Duration> before = Optional.empty();

    DumpCost(long pid, OtherProcess process) {
        this.process = process;
        this.vmThread = vmThread(Path.of("/proc", Long.toString(pid), "task"));
    }

    private static OptionalLong vmThread(Path tasks) {
        try (Stream<Path> all = Files.list(tasks)) {
            return all.filter(task -> name(task).equals("VM Thread"))
                    .mapToLong(task -> Long.parseLong(task.getFileName().toString()))
                    .findFirst();
        } catch (IOException ignored) { // no Linux, or the process has ended
            return OptionalLong.empty();
        }
    }

    private static String name(Path task) {
        try {
            return Files.readString(task.resolve("comm")).strip();
        } catch (IOException ignored) { // the thread has ended
            return "";
        }
    }

    /** Called right before a dump. */
    void begin() {
        before = cpu();
    }

    /** {@return for how long the dump has stopped the JVM} Called right after a dump. */
    Duration end(Duration untilAnswer) {
        Optional<Duration> after = cpu();
        return before.isPresent() && after.isPresent()
                ? after.get().minus(before.get()).multipliedBy(TO_STOP)
                : untilAnswer;
    }

    private Optional<Duration> cpu() {
        return vmThread.isPresent() ? process.cpuOf(vmThread.getAsLong()) : Optional.empty();
    }
}
