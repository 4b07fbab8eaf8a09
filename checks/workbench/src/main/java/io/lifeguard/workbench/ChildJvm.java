package io.lifeguard.workbench;

import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A JVM for one piece of work, with a directory for its output and its temporary files. The process and the directory
 * are removed when this object is closed, or when this JVM ends. One thread only.
 */
public final class ChildJvm implements AutoCloseable {

    private static final long SECONDS_TO_DIE = 10;

    private final Path directory;
    private final Process process;
    private final Thread atTheEnd = new Thread(this::end, "end-of-child");

    private ChildJvm(Path directory, Process process) {
        this.directory = directory;
        this.process = process;
    }

    /**
     * Starts a JVM with this JVM's class path.
     *
     * @param java the command, up to the program {@code java}
     * @param options options of the JVM
     * @param main the main class
     * @param arguments arguments of the main method
     */
    public static ChildJvm start(List<String> java, List<String> options, Class<?> main, List<String> arguments)
            throws IOException {
        return start(java, options, System.getProperty("java.class.path"), main, arguments);
    }

    /** The same with another class path. */
    public static ChildJvm start(
            List<String> java, List<String> options, String classPath, Class<?> main, List<String> arguments)
            throws IOException {
        Path directory = Files.createTempDirectory("lifeguard-child");
        List<String> command = new ArrayList<>(java);
        command.add("-Djava.io.tmpdir=" + directory);
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, main.getName()));
        command.addAll(arguments);
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output(directory).toFile())
                    .start();
            return new ChildJvm(directory, process).tiedToThisJvm();
        } catch (IOException e) {
            delete(directory);
            throw e;
        }
    }

    private ChildJvm tiedToThisJvm() throws IOException {
        try {
            Runtime.getRuntime().addShutdownHook(atTheEnd);
            return this;
        } catch (IllegalStateException tooLate) {
            end();
            throw new IOException("this virtual machine is ending", tooLate);
        }
    }

    /** The program {@code java} of this JVM. */
    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Called in the child. Does the work, prints what it throws, and ends the JVM at once, whatever still runs. */
    public static void workAndHalt(Work work) {
        int status = 1;
        try {
            work.run();
            status = 0;
        } catch (Throwable e) { // an Error must be printed too
            e.printStackTrace(System.out);
        } finally {
            System.out.flush();
            Runtime.getRuntime().halt(status);
        }
    }

    /** The number of the process. */
    public long pid() {
        return process.pid();
    }

    /**
     * Waits for the end of the process.
     *
     * @return the exit status
     * @throws IOException if it has not ended within the limit, or if this thread was interrupted; its interrupt flag
     *     then stays set
     */
    public int await(Duration limit) throws IOException {
        try {
            if (!process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new IOException("has not ended within " + limit.toSeconds() + " s");
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted before it has ended");
        }
    }

    /** What the process has printed so far, errors included. */
    public List<String> output() throws IOException {
        return Files.readAllLines(output(directory));
    }

    /** Ends the process, if necessary, and deletes its files. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(atTheEnd);
        } catch (IllegalStateException endingAlready) {
            // the shutdown hook does the same; the second deletion finds nothing
        }
        end();
    }

    private void end() {
        process.destroyForcibly();
        process.onExit()
                .completeOnTimeout(process, SECONDS_TO_DIE, TimeUnit.SECONDS)
                .join();
        delete(directory);
    }

    private static Path output(Path directory) {
        return directory.resolve("output.log");
    }

    /** Deletes a directory with all that is in it. */
    public static void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        } catch (IOException | UncheckedIOException gone) {
            // already deleted
        }
    }

    /** The work of a child. */
    @FunctionalInterface
    public interface Work {
        /** Does the work. */
        void run() throws Exception;
    }
}
