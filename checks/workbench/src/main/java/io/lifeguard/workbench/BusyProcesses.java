package io.lifeguard.workbench;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Other processes that compute all the time, as neighbours on the same machine do. They end when this object is closed,
 * or with this JVM. One thread only.
 *
 * <p>They are shells, because a shell starts in a millisecond. One more shell waits for the end of its standard input,
 * and then ends them. Each also looks now and then whether that shell is still there.
 */
public final class BusyProcesses implements AutoCloseable {
    private static final long SECONDS_TO_DIE = 10;
    private static final String SCRIPT = """
            started=0
            while [ $started -lt $1 ]; do
                while kill -0 $$; do i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done; done &
                pids="$pids $!"
                started=$((started + 1))
            done
            read -r line
            kill $pids
            """;

    private final Process shell;

    private BusyProcesses(Process shell) {
        this.shell = shell;
    }

    /**
     * Starts so many processes.
     *
     * @param number at least 1
     */
    public static BusyProcesses start(int number) throws IOException {
        return new BusyProcesses(new ProcessBuilder(List.of("/bin/sh", "-c", SCRIPT, "sh", Integer.toString(number)))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    /** The processes that compute. */
    List<ProcessHandle> handles() {
        return shell.toHandle().children().toList();
    }

    @Override
    public void close() {
        try {
            shell.getOutputStream().close();
            shell.waitFor(SECONDS_TO_DIE, TimeUnit.SECONDS);
        } catch (IOException alreadyGone) {
            // nothing is left to be told
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            shell.destroyForcibly();
        }
    }
}
