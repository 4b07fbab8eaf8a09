package io.lifeguard.pool.corpus.run;

import io.lifeguard.workbench.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/**
 * Another process that competes for the CPU, as a neighbour on the same machine would. It ends when closed, or with its
 * parent. One thread only.
 */
public final class ForeignLoad implements AutoCloseable {

    private final Optional<Process> process;

    private ForeignLoad(Optional<Process> process) {
        this.process = process;
    }

    /** Starts so many busy threads in a process of their own. Starts nothing if the number is 0. */
    public static ForeignLoad start(int threads) {
        if (threads == 0) {
            return new ForeignLoad(Optional.empty());
        }
        try {
            return new ForeignLoad(Optional.of(new ProcessBuilder(List.of(
                            ChildJvm.java(),
                            "-Xmx16m",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            ForeignLoad.class.getName(),
                            Integer.toString(threads)))
                    .start()));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start a foreign load", e);
        }
    }

    /** The main method of the other process. It computes until its standard input ends. */
    public static void main(String[] arguments) throws IOException {
        for (int i = 0; i < Integer.parseInt(arguments[0]); i++) {
            Thread thread = new Thread(ForeignLoad::compute, "busy");
            thread.setDaemon(true);
            thread.start();
        }
        // Nothing is ever written, so this ends with the parent.
        System.exit(System.in.read() < 0 ? 0 : 1);
    }

    private static void compute() {
        double x = 1;
        while (x != 0) {
            x = Math.sqrt(x + 1);
        }
    }

    @Override
    public void close() {
        process.ifPresent(Process::destroyForcibly);
    }
}
