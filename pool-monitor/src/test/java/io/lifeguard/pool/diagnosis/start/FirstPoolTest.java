package io.lifeguard.pool.diagnosis.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.testing.ChildJvm;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the first pool of a JVM loads. Each test runs a JVM of its own. */
class FirstPoolTest {

    /** The library's own: 77 to 86 with JDK 17 and 25. With the monitor and the log on that path there were 290. */
    private static final int MOST_CLASSES = 95;

    private static final String LIBRARY = "io.lifeguard.pool.";
    private static final String MONITOR = LIBRARY + "diagnosis.PoolMonitor";

    @TempDir
    Path directory;

    @Test
    void firstPoolAndTask_loadFewClassesAndNoLog() throws Exception {
        List<String> loaded = loaded("task");

        List<String> own = loaded.subList(loaded.indexOf("BEGIN"), loaded.indexOf("DONE")).stream()
                .filter(name -> name.startsWith(LIBRARY))
                .filter(name -> !name.startsWith(FirstPoolTest.class.getName()))
                .toList();
        assertThat(own).isNotEmpty().hasSizeLessThan(MOST_CLASSES);
        assertThat(own).noneMatch(name -> name.contains("$$Lambda"));
        assertThat(loaded).noneMatch(FirstPoolTest::isOfALog);
    }

    @Test
    void poolWhoseWorkersWait_startsTheMonitorWithoutALog() throws Exception {
        List<String> loaded = loaded("monitor");

        assertThat(loaded).contains(MONITOR).doesNotContain("org.slf4j.LoggerFactory");
    }

    @Test
    void poolWithAFinding_loadsNeitherTheBlackBoxNorTheMBeans() throws Exception {
        assertThat(loaded("finding"))
                .contains(LIBRARY + "diagnosis.Finding")
                .noneMatch(name -> name.startsWith(LIBRARY + "recording.BlackBox"))
                .noneMatch(name -> name.startsWith(LIBRARY + "jmx."));
    }

    @Test
    void poolWhoseTasksFlow_doesNotLoadTheMonitor() throws Exception {
        assertThat(loaded("calm"))
                .contains(PoolPulse.class.getName())
                .doesNotContain(MONITOR)
                .noneMatch(name -> name.startsWith("java.lang.management.") || name.startsWith("javax.management."))
                .noneMatch(name -> name.startsWith(LIBRARY) && name.contains("$$Lambda"));
    }

    @Test
    void poolWithoutATask_doesNotLoadTheMonitor() throws Exception {
        assertThat(loaded("idle"))
                .contains(InstrumentedThreadPoolExecutor.class.getName())
                .doesNotContain(MONITOR);
    }

    private static boolean isOfALog(String name) {
        return name.startsWith("org.slf4j.") || name.startsWith("ch.qos.logback.");
    }

    /** The names of the classes in the order in which they were loaded, and what the program printed in between. */
    private List<String> loaded(String what) throws Exception {
        String text = ChildJvm.run(
                directory,
                "-Xlog:class+load",
                "-Xmx128m",
                "-cp",
                classPath(directory, FirstPoolTest.class, Program.class, Task.class, Locked.class, Waiting.class),
                Program.class.getName(),
                what);
        return text.lines()
                .map(line -> line.replaceAll("^.*\\] (\\S+) source: .*", "$1"))
                .toList();
    }

    /** Without the other tests, whose broken rules are logged. */
    static String classPath(Path directory, Class<?>... own) throws Exception {
        Path tests = Path.of(FirstPoolTest.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        for (Class<?> type : own) {
            String file = type.getName().replace('.', '/') + ".class";
            Path copy = directory.resolve(file);
            Files.createDirectories(copy.getParent());
            Files.copy(tests.resolve(file), copy, StandardCopyOption.REPLACE_EXISTING);
        }
        List<String> path = new ArrayList<>(List.of(directory.toString()));
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (!Path.of(entry).toAbsolutePath().normalize().equals(tests)) {
                path.add(entry);
            }
        }
        return String.join(File.pathSeparator, path);
    }

    /** Runs in a JVM of its own. */
    static final class Program {

        private Program() {}

        public static void main(String[] arguments) throws Exception {
            System.out.println("BEGIN");
            if (arguments[0].equals("idle")) {
                InstrumentedThreadPoolExecutor pool =
                        InstrumentedThreadPoolExecutor.named("idle").size(50).build();
                pool.prestartAllCoreThreads();
                Thread.sleep(3_000); // twelve looks of the triage
            } else if (arguments[0].equals("calm")) {
                ExecutorService pool = InstrumentedExecutors.newFixedThreadPool(4);
                for (int i = 0; i < 60; i++) {
                    pool.execute(new Task());
                    Thread.sleep(50);
                }
            } else {
                ExecutorService pool = InstrumentedExecutors.newFixedThreadPool(4);
                pool.submit(new Task()).get();
                InstrumentedThreadPoolExecutor.named("named")
                        .build()
                        .submit(new Task())
                        .get();
                System.out.println("DONE");
                while ((arguments[0].equals("monitor") && !isMonitorRunning())
                        || (arguments[0].equals("finding")
                                && PoolMonitor.global().findings().isEmpty())) {
                    pool.execute(arguments[0].equals("monitor") ? new Waiting() : new Locked());
                    Thread.sleep(20);
                }
            }
            System.exit(0);
        }

        private static boolean isMonitorRunning() {
            for (Thread thread : Thread.getAllStackTraces().keySet()) {
                if (thread.getName().equals("lifeguard-monitor")) {
                    return true;
                }
            }
            return false;
        }
    }

    private static final class Locked implements Runnable {
        @Override
        public void run() {
            synchronized (Locked.class) {
                try {
                    Thread.sleep(100);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    /** No lock, which would be said before the monitor starts. */
    private static final class Waiting implements Runnable {
        @Override
        public void run() {
            LockSupport.parkNanos(100_000_000); // 100 ms
        }
    }

    private static final class Task implements Runnable {
        @Override
        public void run() {}
    }
}
