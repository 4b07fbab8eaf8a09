package io.lifeguard.torture;

import io.lifeguard.workbench.BusyProcesses;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Tortures JVMs while {@code watch}, {@code ps}, {@code mcp} and the library inside look at them, and while further
 * watchers are killed. A crash, a hang, a lost task, or a file or thread that a watcher leaves behind fails.
 *
 * <pre>{@code
 * Torture TOOLS.jar MCP.jar AGENT.jar SECONDS short|all looks|dumps JAVA...
 * }</pre>
 *
 * <p>{@code short} tortures one JVM of each Java at a time, twice; {@code all} one after the other beside four
 * computing processes. With {@code dumps} nobody looks; instead the JVM dumps its own threads as fast as it can. Java
 * 25.0.3 does not survive that, which shows that this program can fail.
 */
final class Torture {

    private static final int NEIGHBOURS = 4;

    private Torture() {}

    /** Exits with 1 if a JVM did not survive. */
    public static void main(String[] arguments) throws IOException, InterruptedException, ExecutionException {
        List<String> all = List.of(arguments);
        Looker looker =
                new Looker(all.get(0), all.get(1), all.get(2), all.get(5).equals("dumps"));
        int seconds = Integer.parseInt(all.get(3));
        List<String> javas = all.subList(6, all.size());
        boolean isShort = all.get(4).equals("short");
        List<String> failures = new ArrayList<>();
        BusyProcesses neighbours = BusyProcesses.start(isShort ? 1 : NEIGHBOURS);
        try {
            for (Torment torment : isShort ? Torment.SHORT : Torment.ALL) {
                failures.addAll(torture(looker, torment, seconds, javas, isShort ? javas.size() : 1));
            }
        } finally {
            neighbours.close();
        }
        System.out.println(failures.size() + " failures");
        System.exit(failures.isEmpty() ? 0 : 1);
    }

    private static List<String> torture(Looker looker, Torment torment, int seconds, List<String> javas, int atOnce)
            throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(atOnce);
        List<Future<List<String>>> runs = new ArrayList<>();
        javas.forEach(java -> runs.add(threads.submit(() -> TortureRun.of(looker, torment, java, seconds))));
        threads.shutdown();
        List<String> failures = new ArrayList<>();
        for (Future<List<String>> run : runs) {
            failures.addAll(run.get());
        }
        return failures;
    }
}
