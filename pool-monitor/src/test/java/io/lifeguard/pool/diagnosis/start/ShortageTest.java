package io.lifeguard.pool.diagnosis.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.testing.ChildJvm;
import java.io.Closeable;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * JVMs that lack memory or file descriptors from before their first pool on, for ten seconds: they are watched then.
 */
@Tag("slow")
class ShortageTest {

    /** They mostly wait, so all play at the same time. */
    private static final Map<String, Future<String>> PLAYS = new HashMap<>();

    @TempDir
    static Path directory;

    @BeforeAll
    static void startAll() throws Exception {
        String jars = jars();
        ExecutorService threads = Executors.newCachedThreadPool();
        for (String what : List.of("heap", "files")) {
            for (String how : List.of("pool", "global")) {
                Path own = Files.createDirectory(directory.resolve(what + how));
                PLAYS.put(what + how, threads.submit(() -> play(own, jars, what, how)));
            }
        }
        threads.shutdown();
    }

    private static String play(Path directory, String jars, String what, String how) throws Exception {
        return ChildJvm.runLimited(
                "ulimit -n 200",
                directory,
                "-XX:-MaxFDLimit",
                "-Xmx24m",
                "-cp",
                jars,
                Program.class.getName(),
                what,
                how);
    }

    /** Forced: the shortage begins before the first pool is made, so before anything of the monitor is loaded. */
    @ParameterizedTest
    @CsvSource({"heap, pool", "heap, global", "files, pool", "files, global"})
    void firstPool_isMadeInAShortage_isWatchedAfterwards(String what, String how) throws Exception {
        String text = PLAYS.get(what + how).get();

        assertThat(text)
                .containsOnlyOnce("ERROR lifeguard: pools are not watched: the JVM is out of memory or of file")
                .containsOnlyOnce("s and are now: the JVM was out of memory")
                .containsSubsequence("not watched", "RELEASED", "FOUND pool 'short': ", "RAISED lock-contention")
                .doesNotContain("NoClassDefFoundError");
        assertThat(text.contains("REFUSED")).isEqualTo(how.equals("global"));
    }

    /** As in production: from a folder, each class needs a file descriptor. */
    private static String jars() throws Exception {
        List<String> path = new ArrayList<>();
        String classPath = FirstPoolTest.classPath(
                directory.resolve("program"), ShortageTest.class, Program.class, Shortage.class, LoggedLines.class);
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            Path folder = Path.of(entry);
            if (Files.isDirectory(folder)) {
                Path jar = directory.resolve(path.size() + ".jar");
                write(folder, jar);
                path.add(jar.toString());
            } else {
                path.add(entry);
            }
        }
        return String.join(File.pathSeparator, path);
    }

    private static void write(Path folder, Path jar) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                ZipOutputStream out = new ZipOutputStream(file);
                Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new ZipEntry(folder.relativize(each).toString()));
                Files.copy(each, out);
            }
        }
    }

    /** Takes all memory or all file descriptors but a little, with which a pool can be made, and then all. */
    private static final class Shortage {

        private static final int LEFT = 1 << 20;

        private final List<Object> taken = new ArrayList<>(20_000);
        private final boolean isOfMemory;
        private volatile byte @Nullable [] left;

        Shortage(boolean isOfMemory) {
            this.isOfMemory = isOfMemory;
        }

        void take() {
            if (isOfMemory) {
                left = new byte[LEFT];
                takeMemory(1 << 16);
                left = null; // without any new object, for which there is no room
            } else {
                takeFiles();
            }
        }

        /** Does what a program does that is short of memory: if that fails, gives 64 KB back, and tries again. */
        <T> T manage(Supplier<T> action) {
            while (true) {
                try {
                    return action.get();
                } catch (OutOfMemoryError e) {
                    if (!isOfMemory || taken.isEmpty()) {
                        throw e;
                    }
                    taken.remove(0);
                }
            }
        }

        void takeRest() {
            if (isOfMemory) {
                takeMemory(1 << 16);
                takeMemory(1 << 10);
            }
        }

        private void takeMemory(int bytes) {
            try {
                while (taken.size() < 20_000) {
                    taken.add(new byte[bytes]);
                }
            } catch (OutOfMemoryError ignored) { // on purpose
                return;
            }
        }

        private void takeFiles() {
            try {
                while (taken.size() < 20_000) {
                    taken.add(new FileInputStream("/dev/null"));
                }
            } catch (IOException ignored) { // on purpose
                return;
            }
        }

        void end() throws IOException {
            for (int i = 0; i < taken.size() && !isOfMemory; i++) { // even to ask for a type takes memory, once
                if (taken.get(i) instanceof Closeable file) {
                    file.close();
                }
            }
            taken.clear();
        }
    }

    /** Runs in a JVM of its own. */
    static final class Program {

        private static final int WORKERS = 8;

        private Program() {}

        public static void main(String[] arguments) throws Exception {
            // A class loader that cannot open a jar forgets it, which no code of a class in it can prevent.
            for (String opened : List.of("io.lifeguard.pool.Pools", "io.lifeguard.pool.diagnosis.PoolMonitor")) {
                Class.forName(opened, false, Program.class.getClassLoader());
            }
            Shortage shortage = new Shortage(arguments[0].equals("heap"));
            Object lock = new Object();
            CountDownLatch haveBegun = new CountDownLatch(WORKERS); // one that starts without memory is not measured
            Runnable task = () -> {
                haveBegun.countDown();
                sleepUnder(lock);
            };
            System.out.println("BEGINS " + arguments[1]);
            shortage.take();
            ExecutorService pool = shortage.manage(() -> InstrumentedExecutors.newFixedThreadPool("short", WORKERS));
            for (int i = 0; i < 2_000; i++) {
                shortage.manage(() -> {
                    pool.execute(task);
                    return null;
                });
            }
            haveBegun.await();
            shortage.takeRest();
            boolean isRefused = false;
            long end = System.nanoTime() + 10_000_000_000L;
            while (System.nanoTime() - end < 0) {
                if (arguments[1].equals("global")) {
                    try {
                        PoolMonitor.global();
                    } catch (IllegalStateException | OutOfMemoryError expected) {
                        isRefused = true;
                    }
                }
                sleepWithoutMemory();
            }
            shortage.end();
            LoggedLines lines = LoggedLines.begin();
            System.out.println((isRefused ? "REFUSED " : "") + "RELEASED");
            System.out.println("FOUND " + lines.next("[lock-contention]", 60));
            String ids =
                    PoolMonitor.global().findings().stream().map(Finding::id).collect(Collectors.joining(" "));
            System.out.println("RAISED " + ids);
            System.exit(0);
        }

        private static void sleepWithoutMemory() throws InterruptedException {
            try {
                Thread.sleep(500);
            } catch (OutOfMemoryError ignored) { // Java 25 makes objects to sleep
                Thread.onSpinWait();
            }
        }

        private static void sleepUnder(Object lock) {
            synchronized (lock) {
                try {
                    Thread.sleep(50);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }
}
