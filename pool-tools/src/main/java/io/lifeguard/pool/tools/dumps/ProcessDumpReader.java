package io.lifeguard.pool.tools.dumps;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Takes dumps of another JVM with the JDK's own {@code jcmd}. Stateless. */
final class ProcessDumpReader {

    private ProcessDumpReader() {}

    /**
     * Takes one dump, with all locks. The JVM stops all threads of the process meanwhile.
     *
     * @param pid the number of a process of the same user
     * @throws IOException if there is no {@code jcmd}, or {@code jcmd} fails
     */
    static ThreadDumps take(long pid) throws IOException {
        Process jcmd = new ProcessBuilder(jcmd(), Long.toString(pid), "Thread.print", "-l")
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
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            jcmd.destroy();
        }
    }

    /**
     * Returns the {@code jcmd} of the JDK that runs this program. A plain Java runtime has none; then the one on the
     * path is used.
     */
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
