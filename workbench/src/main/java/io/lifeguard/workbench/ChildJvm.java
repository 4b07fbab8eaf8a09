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
 * A virtual machine for one piece of work, with a directory for what it prints and for its temporary files. Both are gone when it is closed, or when
 * this virtual machine is told to end before. One thread only.
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
     * Starts one with this virtual machine's class path.
     *
     * @param java the command, up to the program {@code java}
     * @param options those of the virtual machine
     * @param main has the main method
     * @param arguments those of the main method
     */
    public static ChildJvm start(List<String> java, List<String> options, Class<?> main, List<String> arguments)
            throws IOException {
        Path directory = Files.createTempDirectory("lifeguard-child");
        List<String> command = new ArrayList<>(java);
        command.add("-Djava.io.tmpdir=" + directory);
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
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

    /** The program {@code java} of this virtual machine. */
    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** In the child: does the work, prints what it throws, and ends at once, whatever still runs. */
    public static void workAndHalt(Work work) {
        int status = 1;
        try {
            work.run();
            status = 0;
        } catch (Throwable e) { // an Error too has to be told before the end
            e.printStackTrace(System.out);
        } finally {
            System.out.flush();
            Runtime.getRuntime().halt(status);
        }
    }

    /** The number of its process. */
    public long pid() {
        return process.pid();
    }

    /**
     * Waits for its end.
     *
     * @return its exit status
     * @throws IOException when it has not ended within the limit, or this thread was interrupted, which it then still is
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

    /** What it has printed so far, errors too. */
    public List<String> output() throws IOException {
        return Files.readAllLines(output(directory));
    }

    /** Ends it, if it has not ended, and takes away its files. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(atTheEnd);
        } catch (IllegalStateException endingAlready) {
            // the hook does the same, and who is second finds nothing to do
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

    private static void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        } catch (IOException | UncheckedIOException gone) {
            // somebody else has deleted it
        }
    }

    /** What a child is there for. */
    @FunctionalInterface
    public interface Work {
        /** Does it. */
        void run() throws Exception;
    }
}
