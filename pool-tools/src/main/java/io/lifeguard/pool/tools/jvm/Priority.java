package io.lifeguard.pool.tools.jvm;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives this program more of the CPUs while others queue for them. Otherwise it gets as much as each of the threads
 * that it is to look at, and beside 64 threads that compute its first look takes 15 s. Not thread-safe.
 *
 * <p>It asks for this by {@code renice}, which root and those with {@code CAP_SYS_NICE} may do. For others nothing
 * changes.
 */
public final class Priority {

    private static final Path LOAD = Path.of("/proc/loadavg");
    private static final File THREADS = new File("/proc/self/task");

    /** As nice as {@code nice -n -10}: nine times the weight of a thread with the usual priority. */
    private static final String NICENESS = "-10";

    /** Threads for each CPU that want one. Beside four on two CPUs, a verdict comes two seconds sooner by priority. */
    private static final int CROWD = 2;

    // Only the main thread reads and writes both.
    private static boolean mayAsk;
    private static boolean hasAsked;

    private Priority() {}

    /** Called by the main method of a program that has the JVM for itself. Without this call nothing is asked for. */
    public static void allow() {
        mayAsk = true;
    }

    /**
     * Asks for a higher priority if the CPUs are crowded, once, and does not wait until it is given. Called by the main
     * thread only.
     */
    public static void raiseIfCrowded() {
        if (!mayAsk || hasAsked) {
            return;
        }
        try {
            String[] threads = THREADS.list(); // no stream: its classes take longer to load than the rest
            if (threads != null
                    && isCrowded(Files.readString(LOAD), Runtime.getRuntime().availableProcessors())) {
                hasAsked = true;
                raise(threads);
            }
        } catch (IOException | RuntimeException ignored) { // no Linux, or no such program
            return;
        }
    }

    /**
     * {@return whether many more threads want a CPU than there are CPUs}
     *
     * @param load what Linux says of it, as {@code 0.20 0.18 0.12 1/80 11206}: the fourth number counts those threads
     */
    static boolean isCrowded(String load, int cpus) {
        String[] numbers = load.strip().split("[ /]", -1);
        return numbers.length > 3 && Integer.parseInt(numbers[3]) > CROWD * cpus;
    }

    /** Names all threads: the priority is each thread's own. Threads that start later inherit it. */
    private static void raise(String[] threads) throws IOException {
        List<String> command = new ArrayList<>(List.of("renice", "-n", NICENESS, "-p"));
        command.addAll(List.of(threads));
        new ProcessBuilder(command)
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start();
    }
}
