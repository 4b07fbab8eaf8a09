package io.lifeguard.torture;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Starts watchers of a JVM and loaders of the agent, and ends each by a signal at any moment. They must leave nothing
 * behind in it. Stateless.
 */
final class KilledWatchers {

    private static final long SECONDS_TO_END = 180; // on full CPUs one took more than 30
    private static final long INTERRUPT = 1 << 1; // the bit of SIGINT in the masks of /proc/PID/status
    private static final int HEXADECIMAL = 16;

    private KilledWatchers() {}

    /**
     * Prints how many were ended by each signal.
     *
     * @param isDumpSafe whether dumps of virtual threads do the JVM no harm
     * @return what was left behind
     */
    static List<String> of(Looker looker, long pid, int seconds, boolean isDumpSafe)
            throws IOException, InterruptedException {
        List<String> left = new ArrayList<>();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> signals = signals();
        String id = Long.toString(pid);
        List<List<String>> commands =
                new ArrayList<>(List.of(List.of("watch", id), List.of("attach", id, "--agent", looker.agent())));
        if (isDumpSafe) {
            commands.add(List.of("watch", "--virtual-dump", id));
        }
        Map<String, Integer> ended = new TreeMap<>();
        for (int i = 0; System.nanoTime() - end < 0; i++) {
            String signal = signals.get(i % signals.size());
            List<String> command = new ArrayList<>(List.of(java, "-jar", looker.tools()));
            command.addAll(commands.get(i / signals.size() % commands.size()));
            Process watcher = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            Thread.sleep(1_000 + ThreadLocalRandom.current().nextInt(4_000));
            new ProcessBuilder("kill", "-" + signal, Long.toString(watcher.pid()))
                    .start()
                    .waitFor();
            ended.merge(signal, 1, Integer::sum);
            if (!watcher.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) {
                left.add("a watcher did not end at " + signal);
                watcher.destroyForcibly().waitFor();
            }
            for (Path file : files(Path.of("/tmp"), ".lifeguard-" + pid + "-*")) {
                left.add("what " + signal + " ended left " + file + ": " + command);
                Files.deleteIfExists(file);
            }
        }
        requests(pid).forEach(file -> left.add("a request " + file + " is left"));
        System.out.println("watchers of process " + pid + " ended by signal: " + ended);
        threads(pid).forEach(name -> left.add("a thread " + name + " is left"));
        return left;
    }

    /** A shell that starts a program in the background has it ignore Ctrl-C, and all that it starts. */
    private static List<String> signals() throws IOException {
        boolean ignoresInterrupt = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).strip(), HEXADECIMAL) & INTERRUPT) != 0);
        return ignoresInterrupt ? List.of("TERM", "KILL") : List.of("TERM", "INT", "KILL");
    }

    /** Those that recordings and remote management make. The JVM's own thread for requests stays after any jcmd. */
    private static List<String> threads(long pid) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "task"))) {
            for (Path task : tasks) {
                String name = name(task);
                if (name.startsWith("JFR") || name.startsWith("RMI")) {
                    names.add(name);
                }
            }
        }
        return names;
    }

    private static String name(Path task) {
        try {
            return Files.readString(task.resolve("comm")).strip();
        } catch (IOException ignored) { // it has just ended
            return "";
        }
    }

    /** The files that ask the JVM to open its socket. A jcmd outlives the watcher that has started it. */
    private static List<Path> requests(long pid) throws IOException, InterruptedException {
        List<Path> found = List.of();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_TO_END);
        do {
            found = new ArrayList<>(files(Path.of("/tmp"), ".attach_pid" + pid));
            found.addAll(files(Path.of("/proc/" + pid + "/cwd/"), ".attach_pid" + pid));
            Thread.sleep(found.isEmpty() ? 0 : 500);
        } while (!found.isEmpty() && System.nanoTime() - end < 0);
        return found;
    }

    private static List<Path> files(Path directory, String pattern) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, pattern)) {
            files.forEach(found::add);
        } catch (NoSuchFileException ignored) { // the JVM has ended, which its run tells
            return found;
        }
        return found;
    }
}
