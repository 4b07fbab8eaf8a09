package io.lifeguard.pool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import kotlin.Unit;
import kotlinx.coroutines.Dispatchers;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged agent in programs that do not know it. */
class LifeguardAgentIT {

    private static final Path AGENT = Path.of("target", "lifeguard-agent.jar").toAbsolutePath();
    private static final Path BIN = Path.of(System.getProperty("java.home"), "bin");
    private static final String FINDING = "busy workers wait for the monitor of java.lang.Object";
    private static final String PLACE = "at io.lifeguard.pool.agent.SickProgram.shareLock(SickProgram.java:";

    @TempDir
    Path directory;

    private Process program;

    @AfterEach
    void end() throws Exception {
        if (program != null) {
            program.destroyForcibly().waitFor();
        }
    }

    @Test
    void premain_plainPoolWithOneLock_saysSoOnStandardError() throws Exception {
        Path output = start("-javaagent:" + AGENT);

        await(output, "WARN lifeguard: pool 'pool-1': 7 of 8 " + FINDING, PLACE, "[lock-contention]");
    }

    @Test
    void premain_timerWhoseTaskWaitsForever_isNamedWithTheTask() throws Exception {
        Path output = start(SickProgram.class, "timer", "-javaagent:" + AGENT);

        await(
                output,
                "pool 'billing': the next scheduled task is",
                "[schedule-late]",
                "SickProgram$Import.run(SickProgram.java:",
                "[stands-still]");
    }

    @Test
    void premain_schedulerForEachJob_isCalledLeaked() throws Exception {
        Path output = start(SickProgram.class, "leak", "-javaagent:" + AGENT);

        await(output, "pool 'job': ", " pools have names like job: ", "have hardly worked", "[pool-leaked]");
    }

    /** The path of a task is the executor's own: no class is changed when it is loaded, nor later. */
    @Test
    void jar_ofTheAgent_changesNoClass() throws Exception {
        try (JarFile jar = new JarFile(AGENT.toFile())) {
            assertThat(jar.getManifest().getMainAttributes().keySet())
                    .extracting(Object::toString)
                    .contains("Premain-Class", "Agent-Class")
                    .noneMatch(name -> name.startsWith("Can-"));
            for (JarEntry entry : Collections.list(jar.entries())) {
                try (InputStream in = jar.getInputStream(entry)) {
                    assertThat(new String(in.readAllBytes(), StandardCharsets.ISO_8859_1))
                            .as(entry.getName())
                            .doesNotContain("addTransformer", "redefineClasses", "retransformClasses");
                }
            }
        }
    }

    @Test
    void premain_dispatcherWhoseThreadsWaitInRunBlocking_standsStillWithThePlace() throws Exception {
        Path output = start(KotlinProgram.class, "starved", "-javaagent:" + AGENT);

        await(
                output,
                "pool 'DefaultDispatcher-worker': nothing moves",
                "KotlinProgram.waitForOwnTask",
                "[stands-still]");
    }

    @Test
    void premain_sixtyFourSlotsAtOneLock_namesItsHolder() throws Exception {
        Path output = start(KotlinProgram.class, "lock", "-javaagent:" + AGENT);

        await(output, FINDING, "at io.lifeguard.pool.agent.KotlinProgram.shareLock", "it is held by DefaultDispatcher");
    }

    @Test
    void premain_wrongArgument_isNamedAndTheProgramGoesOn() throws Exception {
        Path output = start("-javaagent:" + AGENT + "=windows=1s");

        await(output, "lifeguard: the agent does not watch this JVM: there is no key \"windows\"");
        Awaitility.await() // the JVM may not answer yet
                .atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(jcmd("VM.system_properties"))
                        .contains("lifeguard.agent.refusal=there is no key \"windows\""));
    }

    /**
     * Threads, class loader, descriptors and open pools of the agent are gone after "off", and a second start finds
     * again. Descriptors are compared with a JVM that has taken a command before: it keeps a socket for commands, and
     * the agent's jar.
     */
    @Test
    void agentmain_offAndOnAgain_leavesNothingBehind() throws Exception {
        Path output = start();
        load("off");
        List<String> descriptors = descriptors();
        load("");
        await(output, PLACE);

        load("off");
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(descriptors()).isEqualTo(descriptors));

        await(output, "the monitor was closed");
        Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            assertThat(jcmd("Thread.print")).doesNotContain("\"lifeguard");
            jcmd("GC.run");
            assertThat(jcmd("GC.class_histogram"))
                    .doesNotContain("io.lifeguard.pool.agent.InsideLoader")
                    .doesNotContain("io.lifeguard.pool.diagnosis");
        });
        int before = count(output, PLACE);
        load("log-reminder=1s");
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(count(output, PLACE)).isGreaterThan(before));
    }

    private Path start(String... arguments) throws Exception {
        return start(SickProgram.class, "", arguments);
    }

    private Path start(Class<?> type, String form, String... arguments) throws Exception {
        Path output = directory.resolve("output");
        List<String> command = new ArrayList<>(List.of(BIN.resolve("java").toString()));
        command.addAll(List.of(arguments));
        List<String> path = new ArrayList<>();
        for (Class<?> each : List.of(type, Unit.class, Dispatchers.class)) {
            path.add(Path.of(each.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString());
        }
        String classes = String.join(File.pathSeparator, path);
        command.addAll(List.of("-XX:+EnableDynamicAgentLoading", "-cp", classes, type.getName(), form));
        if (Runtime.version().feature() < 21) { // the option came with JEP 451
            command.remove("-XX:+EnableDynamicAgentLoading");
        }
        program = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return output;
    }

    private void load(String argument) {
        Awaitility.await() // the JVM may not answer yet
                .atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(jcmd("JVMTI.agent_load", AGENT.toString(), '"' + argument + '"'))
                        .contains("return code: 0"));
    }

    private String jcmd(String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of(BIN.resolve("jcmd").toString(), Long.toString(program.pid())));
        command.addAll(List.of(words));
        Path answer = directory.resolve("answer");
        Process jcmd = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(answer.toFile())
                .start();
        assertThat(jcmd.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return Files.readString(answer);
    }

    /** {@return what each descriptor of the program stands for, on Linux; a socket has a number of its own} */
    private List<String> descriptors() throws IOException {
        Path folder = Path.of("/proc", Long.toString(program.pid()), "fd");
        List<String> all = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> links = Files.newDirectoryStream(folder)) {
                for (Path link : links) {
                    all.add(Files.readSymbolicLink(link).toString());
                }
            }
        }
        Collections.sort(all);
        return all;
    }

    private static void await(Path output, String... parts) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(40))
                .untilAsserted(() -> assertThat(Files.readString(output)).contains(parts));
    }

    private static int count(Path output, String part) throws IOException {
        return Files.readString(output).split(part.replaceAll("[(.]", "\\\\$0"), -1).length - 1;
    }
}
