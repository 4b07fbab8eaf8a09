package io.lifeguard.pool.tools.dumps;

import io.lifeguard.pool.tools.jvm.CannotLookException;
import io.lifeguard.pool.tools.jvm.Jcmd;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

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
        Process jcmd = start(pid);
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

    private static Process start(long pid) throws IOException {
        try {
            return Jcmd.start(List.of(Long.toString(pid), "Thread.print", "-l"));
        } catch (CannotLookException e) {
            throw new IOException(e.sentence(), e);
        }
    }
}
