package io.lifeguard.pool.diagnosis.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import java.io.Closeable;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Memory, or file descriptors, are all in use while the monitor would start, and some seconds later they are not. Then
 * the pools must be watched. Each test runs a JVM of its own, with the library in jars as in a service.
 */
@Tag("slow")
class ShortageTest {

    @TempDir
    Path directory;

    private String run(String shell, String option, Class<?> main) throws Exception {
        String path = jars(FirstPoolTest.classPath(directory, ShortageTest.class, Sick.class, main));
        Path script = directory.resolve("java.sh");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Files.writeString(script, shell + "\nexec '" + java + "' \"$@\"\n");
        Path output = directory.resolve("output.txt");
        Process process = new ProcessBuilder("sh", script.toString(), option, "-cp", path, main.getName())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            boolean hasEnded = process.waitFor(3, TimeUnit.MINUTES);
            String text = Files.readString(output);
            assertThat(hasEnded).as(text).isTrue();
            assertThat(process.exitValue()).as(text).isZero();
            return text;
        } finally {
            process.destroyForcibly();
        }
    }

    /** A class in a directory needs a file descriptor of its own, which one in a jar does not. */
    private String jars(String classPath) {
        ToolProvider jar = ToolProvider.findFirst("jar").orElseThrow();
        List<String> path = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            String file = directory.resolve(path.size() + ".jar").toString();
            boolean isFolder = Files.isDirectory(Path.of(entry));
            if (isFolder) {
                assertThat(jar.run(System.out, System.err, "cf", file, "-C", entry, "."))
                        .isZero();
            }
            path.add(isFolder ? file : entry);
        }
        return String.join(File.pathSeparator, path);
    }

    @Test
    void heapThatIsFull_thenHasRoom_poolsAreWatched() throws Exception {
        assertThat(run("", "-Xmx24m", Memory.class)).contains("BLIND").contains("WATCHED");
    }

    @Test
    void fileDescriptorsThatRunOut_thenAreFree_poolsAreWatched() throws Exception {
        assertThat(run("ulimit -n 200", "-Xmx64m", Descriptors.class)).contains("WATCHED");
    }

    /** Fills the heap. */
    static final class Memory {

        private Memory() {}

        public static void main(String[] arguments) throws Exception {
            Sick sick = new Sick();
            List<byte[]> all = new ArrayList<>(1 << 16);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(4);
            sick.begin();
            while (System.nanoTime() - end < 0) {
                for (int size = 1 << 20; size >= 64; ) {
                    try {
                        all.add(new byte[size]);
                    } catch (OutOfMemoryError e) {
                        size /= 4;
                    }
                }
            }
            all.clear();
            System.out.println(Sick.isMonitorRunning() ? "RUNS ALREADY" : "BLIND");
            sick.awaitMonitor();
        }
    }

    /** Opens files. */
    static final class Descriptors {

        private Descriptors() {}

        public static void main(String[] arguments) throws Exception {
            Sick sick = new Sick();
            List<Closeable> all = new ArrayList<>();
            try {
                while (all.size() < 1_000) {
                    all.add(new FileInputStream("/dev/null"));
                }
            } catch (IOException e) {
                System.out.println(all.size() + " files are open, and no more: " + e.getMessage());
            }
            sick.begin();
            Thread.sleep(4_000);
            System.out.println(Sick.isMonitorRunning() ? "RUNS ALREADY" : "BLIND");
            for (Closeable each : all) {
                each.close();
            }
            sick.awaitMonitor();
        }
    }

    /** A pool whose workers queue at one lock from a given time on. */
    static final class Sick {

        private static final int WORKERS = 8;

        private final CountDownLatch begun = new CountDownLatch(1);

        Sick() throws InterruptedException {
            ThreadPoolExecutor pool = InstrumentedThreadPoolExecutor.named("sick")
                    .size(WORKERS)
                    .unboundedQueue()
                    .build();
            CountDownLatch started = new CountDownLatch(WORKERS);
            for (int i = 0; i < WORKERS; i++) {
                pool.execute(() -> {
                    started.countDown();
                    work();
                });
            }
            started.await();
        }

        /** Allocates nothing. */
        private void work() {
            boolean hasEnded = false;
            while (!hasEnded) {
                try {
                    Thread.sleep(20);
                    if (begun.getCount() == 0) {
                        synchronized (this) {
                            Thread.sleep(20);
                        }
                    }
                } catch (InterruptedException e) {
                    hasEnded = true;
                }
            }
        }

        void begin() {
            begun.countDown();
        }

        static boolean isMonitorRunning() {
            Thread[] all = new Thread[100];
            int count = Thread.currentThread().getThreadGroup().getParent().enumerate(all);
            for (int i = 0; i < count; i++) {
                if (all[i].getName().equals("lifeguard-monitor")) {
                    return true;
                }
            }
            return false;
        }

        void awaitMonitor() throws InterruptedException {
            for (int i = 0; i < 1_200; i++) {
                Thread.sleep(100);
                if (isMonitorRunning()) {
                    System.out.println("WATCHED");
                    System.exit(0);
                }
            }
            System.exit(3);
        }
    }
}
