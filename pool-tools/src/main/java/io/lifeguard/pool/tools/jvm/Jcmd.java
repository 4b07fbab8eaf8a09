package io.lifeguard.pool.tools.jvm;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Finds and runs the JDK's {@code jcmd}. Stateless. */
public final class Jcmd {

    private static final long NONE = -1;

    private Jcmd() {}

    /**
     * Sends a command to a JVM.
     *
     * @param patience how long a JVM may take to answer; jcmd itself may take as long again
     * @param words the command and its arguments, not null; empty ones are left out
     */
    public static String run(Duration patience, long pid, String... words) throws IOException, CannotLookException {
        List<String> command = new ArrayList<>(List.of(Long.toString(pid)));
        for (String word : words) {
            if (!word.isEmpty()) {
                command.add(word);
            }
        }
        return run(patience, pid, command);
    }

    /**
     * Lists the JVMs of this user.
     *
     * @return one line for each: number, main class or jar, arguments
     */
    public static String list(Duration patience) throws IOException, CannotLookException {
        return run(patience, NONE, List.of("-l"));
    }

    private static String run(Duration patience, long pid, List<String> arguments)
            throws IOException, CannotLookException {
        Process jcmd = start(arguments);
        try {
            jcmd.getOutputStream().close();
            CompletableFuture<String> text = CompletableFuture.supplyAsync(() -> read(jcmd.getInputStream()));
            // jcmd gives up by itself after 10 s when the JVM does not answer
            if (!jcmd.waitFor(2 * patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException("jcmd got no answer for " + 2 * patience.toSeconds() + " s");
            }
            String answer = text.join();
            if (jcmd.exitValue() != 0) {
                throw new IOException(lastLine(answer));
            }
            return answer;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            // Before the JVM listens, jcmd would leave its request there. It gives up by itself, and takes it away.
            if (!isRequested(pid)) {
                jcmd.destroyForcibly();
            }
        }
    }

    /** Whether there is a file that asks a JVM to listen to such programs, where the JVM looks for it. */
    private static boolean isRequested(long pid) {
        Path process = Path.of("/proc", Long.toString(pid));
        String request = ".attach_pid" + pid;
        return Files.exists(process.resolve("cwd").resolve(request))
                || Files.exists(process.resolve("root/tmp").resolve(request));
    }

    /** Starts jcmd, with its errors in its output. The caller has to end the process. */
    private static Process start(List<String> arguments) throws CannotLookException {
        List<String> command = new ArrayList<>(List.of(program()));
        command.addAll(arguments);
        try {
            return new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new CannotLookException("there is no jcmd here, only a Java runtime without tools: run this program"
                    + " with the java of a JDK, or put the jcmd of a JDK on the PATH.");
        }
    }

    private static String read(InputStream in) {
        try (in) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static String lastLine(String text) {
        return text.lines()
                .filter(line -> !line.isBlank() && !line.startsWith("\tat "))
                .reduce((before, line) -> line)
                .orElse("jcmd failed");
    }

    /** The {@code jcmd} of the JDK that runs this program, otherwise the one on the path. */
    private static String program() {
        String home = System.getProperty("java.home", "");
        for (String name : new String[] {"jcmd", "jcmd.exe"}) {
            Path own = Path.of(home, "bin", name);
            if (Files.isExecutable(own)) {
                return own.toString();
            }
        }
        return "jcmd";
    }
}
