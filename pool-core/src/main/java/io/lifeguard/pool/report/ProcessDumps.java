package io.lifeguard.pool.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Takes a dump of another JVM, with the JDK's own {@code jcmd}, which knows how to ask it. Stateless. */
final class ProcessDumps {

    private ProcessDumps() {}

    /**
     * Takes one dump, with all locks; the process stands still meanwhile.
     *
     * @param pid the number of a process of the same user
     * @throws IOException if there is no {@code jcmd}, or it fails
     */
    static ThreadDumps take(String pid) throws IOException {
        Process jcmd = new ProcessBuilder(jcmd(), pid, "Thread.print", "-l")
                .redirectErrorStream(true)
                .start();
        jcmd.getOutputStream().close();
        try (InputStream in = jcmd.getInputStream()) {
            ThreadDumps dumps = ThreadDumps.read("process " + pid, in);
            if (jcmd.waitFor() != 0 || dumps.dumps().isEmpty()) {
                throw new IOException(
                        "jcmd " + pid + " Thread.print failed: is it a running JVM of this user? jps lists them");
            }
            return dumps;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        } finally {
            jcmd.destroy();
        }
    }

    /** The one of the JDK that this runs on; else, where this runs on less than a JDK, the one on the path. */
    private static String jcmd() {
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
