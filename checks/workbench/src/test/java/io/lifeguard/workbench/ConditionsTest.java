package io.lifeguard.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class ConditionsTest {
    private static final String PRINT_PRIORITY = "read -r line < /proc/$$/stat; set -- $line; echo ${19}";

    @Test
    void command_unchanged_isTheProgram() throws IOException {
        try (Conditions conditions = Conditions.make(Machine.UNCHANGED)) {
            assertThat(conditions.command("java")).containsExactly("java");
        }
    }

    @Test
    void command_nicer_runsAtLowerPriority() throws Exception {
        try (Conditions conditions = Conditions.make(Machine.UNCHANGED.nicer(7))) {
            assertThat(outputOf(conditions, "-c", PRINT_PRIORITY)).isEqualTo("7");
        }
    }

    @Test
    void command_oneCpu_runsOnThatOne() throws Exception {
        try (Conditions conditions = Conditions.make(Machine.UNCHANGED.onCpus("0"))) {
            assertThat(outputOf(conditions, "-c", "grep Cpus_allowed_list /proc/self/status"))
                    .endsWith("\t0");
        }
    }

    /** Half a CPU is half of a second in a second, whichever way it is made: a shell cannot use two CPUs at once. */
    @Test
    void started_quota_limitsTheCpuTime() throws Exception {
        try (Conditions conditions = Conditions.make(Machine.UNCHANGED.limitedTo(0.25))) {
            Process busy = start(conditions, "-c", "while :; do :; done");
            try {
                conditions.started(busy.pid());
                busy.waitFor(2, TimeUnit.SECONDS);
                Duration used = busy.info().totalCpuDuration().orElseThrow();

                assertThat(used).isBetween(Duration.ofMillis(10), Duration.ofMillis(900));
            } finally {
                busy.destroyForcibly();
            }
        }
    }

    @Test
    void close_quota_removesTheGroup() throws IOException {
        CpuQuota quota = CpuQuota.of(0.5).orElse(null);
        if (quota != null) { // otherwise there is nothing to remove
            assertThat(quota.members()).exists();
            quota.close();
            assertThat(quota.members().getParent()).doesNotExist();
        }
    }

    @Test
    void close_busyProcesses_endsAllOfThem() throws Exception {
        List<ProcessHandle> started;
        try (BusyProcesses busy = BusyProcesses.start(3)) {
            started = awaitHandles(busy, 3);
            assertThat(started).allMatch(ProcessHandle::isAlive);
        }
        for (ProcessHandle each : started) {
            each.onExit().get(20, TimeUnit.SECONDS);
        }
        assertThat(started).noneMatch(ProcessHandle::isAlive);
    }

    /** The JVM that started them may be killed. Then nobody closes anything. */
    @Test
    void parentKilled_busyProcesses_endToo(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("pids");
        List<String> arguments = List.of(file.toString());
        List<ProcessHandle> started;
        try (ChildJvm parent = ChildJvm.start(List.of(ChildJvm.java()), List.of(), Parent.class, arguments)) {
            while (!Files.exists(file)) {
                Waiting.millis(20);
            }
            try (Stream<String> lines = Files.lines(file)) {
                started = lines.flatMap(pid -> ProcessHandle.of(Long.parseLong(pid)).stream())
                        .toList();
            }
            assertThat(started).hasSize(2);
        }
        for (ProcessHandle each : started) {
            each.onExit().get(20, TimeUnit.SECONDS);
        }
    }

    /** Starts two busy processes, writes their numbers to a file, and waits to be killed. */
    static final class Parent {
        private Parent() {}

        public static void main(String[] arguments) throws Exception {
            BusyProcesses busy = BusyProcesses.start(2);
            List<String> pids = new ArrayList<>();
            awaitHandles(busy, 2).forEach(each -> pids.add(Long.toString(each.pid())));
            Path file = Path.of(arguments[0]);
            Files.write(file.resolveSibling("new"), pids);
            Files.move(file.resolveSibling("new"), file);
            Thread.sleep(Duration.ofMinutes(2).toMillis());
        }
    }

    private static List<ProcessHandle> awaitHandles(BusyProcesses busy, int number) {
        List<ProcessHandle> handles = busy.handles();
        while (handles.size() < number) {
            Waiting.millis(20);
            handles = busy.handles();
        }
        return handles;
    }

    private static String outputOf(Conditions conditions, String... arguments) throws Exception {
        Process process = start(conditions, arguments);
        conditions.started(process.pid());
        return new String(process.getInputStream().readAllBytes()).trim();
    }

    private static Process start(Conditions conditions, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(conditions.command("/bin/sh"));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).start();
    }
}
