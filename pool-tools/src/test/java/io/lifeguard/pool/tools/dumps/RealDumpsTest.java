package io.lifeguard.pool.tools.dumps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lifeguard.pool.diagnosis.window.Doing;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Dumps of {@link Victim}, taken with the tools of the JDK that runs the tests. */
class RealDumpsTest {

    private static final Path TOOLS = Path.of(System.getProperty("java.home"), "bin");
    private static Process victim;
    private static BufferedReader output;

    @TempDir
    Path directory;

    @BeforeAll
    static void start() throws IOException {
        victim = new ProcessBuilder(
                        TOOLS.resolve("java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Victim.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        output = victim.inputReader(StandardCharsets.UTF_8);
        assertThat(output.readLine()).isEqualTo("ready");
    }

    @AfterAll
    static void end() throws Exception {
        victim.getOutputStream().close(); // the program then ends, and removes the socket that the tools used
        if (!victim.waitFor(1, TimeUnit.MINUTES)) {
            victim.destroyForcibly();
        }
    }

    @Test
    void read_jstackWithLocks_findsBothDeadlocks() throws Exception {
        ThreadDumps dumps = ThreadDumps.read(tool("jstack", "-l", pid()));

        assertThat(dumps.problems()).isEmpty();
        checkMonitors(dumps);
        assertThat(deadlocks(dumps))
                .containsExactlyInAnyOrder(Set.of("monitors-1", "monitors-2"), Set.of("locks-1", "locks-2"));
    }

    @Test
    void read_jstackWithoutItsOwnVerdict_findsTheSame() throws Exception {
        String text = Files.readString(tool("jstack", "-l", pid()));
        String cut = text.substring(0, text.indexOf("Found one Java-level deadlock"));

        assertThat(deadlocks(ThreadDumps.parse("cut", cut)))
                .containsExactlyInAnyOrder(Set.of("monitors-1", "monitors-2"), Set.of("locks-1", "locks-2"));
    }

    @Test
    void read_jstackWithoutLocks_findsTheMonitors() throws Exception {
        ThreadDumps dumps = ThreadDumps.read(tool("jstack", pid()));

        assertThat(dumps.problems()).isEmpty();
        checkMonitors(dumps);
    }

    @Test
    void read_severalDumpsOfSeveralTools_areOne() throws Exception {
        ThreadDumps dumps = ThreadDumps.read(tool("jstack", pid()))
                .and(ThreadDumps.read(tool("jcmd", pid(), "Thread.print", "-l")));

        assertThat(dumps.dumps()).hasSize(2);
        checkMonitors(dumps);
    }

    @Test
    void ofProcess_runningJvm_takesADump() throws Exception {
        ThreadDumps dumps = ThreadDumps.ofProcess(victim.pid());

        assertThat(dumps.problems()).isEmpty();
        checkMonitors(dumps);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void read_consoleAfterSignal_findsTheDump() throws Exception {
        new ProcessBuilder("kill", "-3", pid()).start().waitFor();
        List<String> console = new ArrayList<>(List.of("a line of the program's own"));
        do {
            console.add(output.readLine());
        } while (!console.get(console.size() - 1).startsWith("JNI global ref"));

        checkMonitors(ThreadDumps.parse("console", String.join("\n", console)));
    }

    @Test
    void read_dumpToFile_plainAndJson() throws Exception {
        assumeTrue(Runtime.version().feature() >= 21, "jcmd Thread.dump_to_file is there since 21");
        Path plain = directory.resolve("plain.txt");
        Path json = directory.resolve("dump.json");
        tool("jcmd", pid(), "Thread.dump_to_file", plain.toString());
        tool("jcmd", pid(), "Thread.dump_to_file", "-format=json", json.toString());

        for (Path file : List.of(plain, json)) {
            ThreadDumps dumps = ThreadDumps.read(file);
            assertThat(dumps.problems()).isEmpty();
            assertThat(names(dumps)).contains("monitors-1", "queue-3", "idle-1");
            if (Runtime.version().feature() >= 25) { // older dumps have no states and no locks
                checkMonitors(dumps);
            }
        }
    }

    private static void checkMonitors(ThreadDumps dumps) {
        ThreadDumps queue = dumps.named(Pattern.compile("^queue-"));
        assertThat(queue.groups()).hasSize(1);
        assertThat(queue.groups().get(0).doing()).isEqualTo(Doing.WAITING_FOR_LOCK);
        assertThat(queue.groups().get(0).threads()).isEqualTo(3);
        assertThat(queue.groups().get(0).place()).contains("Victim.enter(Victim.java:");
        assertThat(queue.locks().get(0).waiters()).isEqualTo(3);
        assertThat(queue.locks().get(0).owner().orElseThrow().name()).isEqualTo("monitors-1");
        assertThat(dumps.ofPool("idle").groups()).containsExactly(new ThreadDumps.Group(Doing.IDLE, "", 1));
        assertThat(dumps.locks().get(0).waiters())
                .as("three in the queue, and one in the deadlock")
                .isEqualTo(4);
        assertThat(deadlocks(dumps)).contains(Set.of("monitors-1", "monitors-2"));
    }

    static List<Set<String>> deadlocks(ThreadDumps dumps) {
        return dumps.deadlocks().stream()
                .map(circle -> circle.stream().map(DumpedThread::name).collect(Collectors.toSet()))
                .toList();
    }

    private static List<String> names(ThreadDumps dumps) {
        return dumps.dumps().get(0).threads().stream().map(DumpedThread::name).toList();
    }

    private static String pid() {
        return Long.toString(victim.pid());
    }

    private Path tool(String tool, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(TOOLS.resolve(tool).toString()));
        command.addAll(List.of(arguments));
        Path file = Files.createTempFile(directory, tool, ".txt");
        int end = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(file.toFile())
                .start()
                .waitFor();
        assertThat(end).as(Files.readString(file)).isZero();
        return file;
    }
}
