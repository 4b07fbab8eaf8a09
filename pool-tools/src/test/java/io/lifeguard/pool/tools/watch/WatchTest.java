package io.lifeguard.pool.tools.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.schema.Document;
import io.lifeguard.pool.schema.SchemaCheck;
import io.lifeguard.pool.tools.dumps.DumpedThread;
import io.lifeguard.pool.tools.jvm.CannotLookException;
import io.lifeguard.pool.tools.jvm.Jcmd;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What watch finds in JVMs with pools of the JDK's only. */
@EnabledOnOs(OS.LINUX)
class WatchTest {

    private final List<Finding> found = new ArrayList<>();
    private final FindingListener listener = found::add;

    @Test
    void look_workersQueueForMonitor_findsItsHolder() throws Exception {
        try (Child child = Child.tell("monitor")) {
            Watch watch = watchUntilFound(child);

            Finding finding = found.get(0);
            assertThat(finding.id()).isEqualTo("lock-contention");
            assertThat(finding.pool()).isEqualTo("orders");
            assertThat(finding.summary()).contains("underMonitor", "held by orders-");
            assertThat(finding.evidence()).doesNotContainKey("throughput");
            checkJson(watch);
        }
    }

    @Test
    void look_workersWaitForTheirOwnQueue_isCertainByExclusion() throws Exception {
        try (Child child = Child.tell("starved")) {
            watchUntilFound(child);

            Finding finding = found.get(0);
            assertThat(finding.id()).isEqualTo("starved-by-own-tasks");
            assertThat(finding.summary()).contains("waitForPart", "sit in their own queue");
            assertThat(finding.evidence()).containsEntry("certain", true).doesNotContainKey("queued");
        }
    }

    @Test
    void look_workersStandInLineForPermits_findsLine() throws Exception {
        try (Child child = Child.tell("line")) {
            watchUntilFound(child);

            assertThat(found.get(0).id()).isEqualTo("downstream-saturated");
            assertThat(found.get(0).summary()).contains("withPermit", "java.util.concurrent.Semaphore");
        }
    }

    /** The workers would have to make the room that they wait for. */
    @Test
    @Tag("slow")
    void look_workersWaitForRoomInTheirOwnQueue_standsStill() throws Exception {
        try (Child child = Child.tell("feeds-itself")) {
            Watch watch = watchUntilFound(child, Severity.CRITICAL);

            assertThat(watch.isDecided()).isTrue();
            Finding worst = found.get(found.size() - 1);
            assertThat(worst.id()).isEqualTo("stands-still");
            assertThat(worst.summary()).contains("putIn", "room in a full");
            assertThat(worst.recommendedSize()).isEmpty();
        }
    }

    @Test
    @Tag("slow")
    void look_workersQueueForLockOfJdk_findsItsHolder() throws Exception {
        try (Child child = Child.tell("lock")) {
            watchUntilFound(child);

            assertThat(found.get(0).id()).isEqualTo("lock-contention");
            assertThat(found.get(0).summary()).contains("underLock", "held by orders-");
        }
    }

    @Test
    @Tag("slow")
    void look_workersWaitForServer_guessesThatTasksQueue() throws Exception {
        try (Child child = Child.tell("io")) {
            watchUntilFound(child);

            assertThat(found.get(0).id()).isEqualTo("blocked-on-io");
            assertThat(Certainty.of(found.get(0)).level()).isEqualTo("guess");
        }
    }

    @Test
    @Tag("slow")
    void look_dispatcherRunsTasks_findsIt() throws Exception {
        try (Child child = Child.tell("dispatcher")) {
            watchUntilFound(child);

            assertThat(found.get(0).id()).isEqualTo("dispatcher-runs-tasks");
            assertThat(found.get(0).summary()).startsWith("dispatcher ran tasks itself");
        }
    }

    @Test
    void look_healthyPools_isSilent() throws Exception {
        try (Child child = Child.tell("healthy")) {
            Watch watch = watch(child, 5);

            assertThat(found).isEmpty();
            assertThat(watch.pools())
                    .extracting(PoolView::name)
                    .containsExactlyInAnyOrder("light", "idle", "consumers", "connections");
            assertThat(watch.pools())
                    .as("without rules that judge, silence shows nothing")
                    .allSatisfy(pool -> assertThat(pool.missing()).contains("how many tasks are queued"));
            Windows.await(watch, () -> threads(watch, "idle", Doing.IDLE) == 4);
            checkJson(watch);
        }
    }

    /** What watch asked for makes the JVM open a socket and start the thread that serves it, as any jcmd does. */
    @Test
    void look_target_keepsItsFilesAndThreads() throws Exception {
        try (Child child = Child.tell("idle")) {
            Target target = Target.of(child.pid());
            target.dump(false); // the first one is jcmd's
            Set<String> files = filesOf(child);
            Set<String> threads = threadsOf(target);

            watch(child, 1);

            assertThat(filesOf(child)).isEqualTo(files);
            assertThat(threadsOf(target)).isSubsetOf(threads);
        }
    }

    /** A watcher that is killed cleans up nothing, so there must be nothing to clean up. */
    @Test
    void look_watcherIsKilled_leavesNothing() throws Exception {
        try (Child child = Child.tell("idle")) {
            Target target = Target.of(child.pid());
            target.dump(false);
            Set<String> files = filesOf(child);
            Set<String> threads = threadsOf(target);

            Process watcher = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            "io.lifeguard.pool.tools.Lifeguard",
                            "watch",
                            "--seconds=600",
                            Long.toString(child.pid()))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try {
                String first = watcher.inputReader(StandardCharsets.UTF_8).readLine();
                assertThat(first).as("its first table").startsWith("process " + child.pid());
                assertThat(watcher.isAlive()).isTrue();
            } finally {
                watcher.destroyForcibly().waitFor();
            }

            assertThat(watcher.exitValue()).as("ended by signal 9").isEqualTo(128 + 9);
            assertThat(filesOf(child)).isEqualTo(files);
            assertThat(threadsOf(target)).isSubsetOf(threads);
        }
    }

    private static Set<String> filesOf(Child child) throws IOException {
        try (var files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches("\\.\\D*" + child.pid()))
                    .collect(Collectors.toSet());
        }
    }

    /** The compiler's threads come and go by themselves. */
    private static Set<String> threadsOf(Target target) throws CannotLookException {
        return target.dump(false).threads().stream()
                .map(DumpedThread::name)
                .filter(name -> !name.contains("CompilerThread"))
                .collect(Collectors.toSet());
    }

    @Test
    void look_targetEnds_saysSo() throws Exception {
        Watch watch;
        try (Child child = Child.tell("idle")) {
            watch = new Watch(Target.of(child.pid()), listener);
            watch.look();
        }

        assertThatThrownBy(watch::look).isInstanceOf(CannotLookException.class).hasMessageContaining("has ended");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-XX:+DisableAttachMechanism", "-Xrs"})
    void of_targetThatRefuses_saysWhy(String option) throws Exception {
        try (Child child = Child.tell("idle", option)) {
            assertThatThrownBy(() -> Target.of(child.pid()).dump(false))
                    .isInstanceOf(CannotLookException.class)
                    .hasMessageContaining(option);
        }
    }

    @Test
    void of_stoppedTarget_saysHowToLetItGoOn() throws Exception {
        try (Child child = Child.tell("idle")) {
            Target target = Target.of(child.pid(), Duration.ofSeconds(1));
            // On a busy machine a JVM that runs may take longer than the second that is left to it.
            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(target.dump(false)).isNotNull());
            signal("-STOP", child);
            try {
                Awaitility.await()
                        .atMost(Duration.ofSeconds(20))
                        .untilAsserted(() -> assertThatThrownBy(() -> Target.of(child.pid()))
                                .isInstanceOf(CannotLookException.class)
                                .hasMessageContaining("kill -CONT"));
                assertThatThrownBy(() -> target.dump(false))
                        .isInstanceOf(CannotLookException.class)
                        .hasMessageContaining("kill -CONT");
            } finally {
                signal("-CONT", child);
            }
        }
    }

    /** Forced: a JVM that is stopped never listens, so jcmd waits with its request in place. */
    @Test
    void jcmd_jvmThatNeverListens_leavesNoRequest() throws Exception {
        try (Child child = Child.tell("idle")) {
            Path request = Path.of("/proc/" + child.pid() + "/cwd/.attach_pid" + child.pid());
            signal("-STOP", child);
            try {
                assertThatThrownBy(() -> Jcmd.run(Duration.ofSeconds(2), child.pid(), "VM.version"))
                        .isInstanceOf(IOException.class);
                Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> Files.notExists(request));
            } finally {
                signal("-CONT", child);
            }
        }
    }

    private static void signal(String name, Child child) throws Exception {
        assertThat(new ProcessBuilder("kill", name, Long.toString(child.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void of_noSuchProcess_saysWhatListsThem() {
        assertThatThrownBy(() -> Target.of(Integer.MAX_VALUE))
                .isInstanceOf(CannotLookException.class)
                .hasMessage("there is no process 2147483647: 'lifeguard ps' lists the JVMs of this user.");
    }

    /** The request for attention that a JVM expects ends any other process. */
    @Test
    void of_processThatIsNoJvm_isNotTouched() throws Exception {
        Process sleeper = new ProcessBuilder("sleep", "60").start();
        try {
            AtomicReference<String> message = new AtomicReference<>("");
            Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
                assertThatThrownBy(() -> Target.of(sleeper.pid()))
                        .isInstanceOf(CannotLookException.class)
                        .satisfies(failure -> message.set(failure.getMessage()));
                assertThat(message.get()).contains("is not a HotSpot JVM");
            });
            assertThat(sleeper.isAlive()).isTrue();
        } finally {
            sleeper.destroyForcibly();
        }
    }

    @Test
    void of_thisProcess_isRefused() {
        assertThatThrownBy(() -> Target.of(ProcessHandle.current().pid()))
                .isInstanceOf(CannotLookException.class)
                .hasMessageContaining("this program itself");
    }

    private Watch watchUntilFound(Child child) throws Exception {
        return watchUntilFound(child, Severity.INFO);
    }

    /** Watches until something is found that is at least so severe. */
    private Watch watchUntilFound(Child child, Severity least) throws Exception {
        Watch watch = new Watch(Target.of(child.pid()), listener);
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> {
                    watch.look();
                    return found.stream().anyMatch(finding -> finding.severity().compareTo(least) >= 0);
                });
        return watch;
    }

    /** Watches until so many windows have ended. */
    private Watch watch(Child child, int windows) throws Exception {
        Watch watch = new Watch(Target.of(child.pid()), listener);
        AtomicInteger closed = new AtomicInteger();
        Windows.await(watch, () -> closed.incrementAndGet() == windows);
        return watch;
    }

    private static double threads(Watch watch, String name, Doing doing) {
        return watch.pools().stream()
                .filter(pool -> pool.name().equals(name))
                .mapToDouble(pool -> pool.threads(doing).orElse(0))
                .sum();
    }

    private static void checkJson(Watch watch) {
        String line = WatchJson.of(watch, Instant.EPOCH);
        assertThat(line).doesNotContain("\n");
        SchemaCheck.document(Document.WATCH, line);
    }
}
