package io.lifeguard.pool.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.schema.Document;
import io.lifeguard.pool.schema.SchemaCheck;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of many files, {@code dumps} says which belong to one process, and which threads moved between them. */
class DumpsOfFolderTest {

    private static final long NANOS = 1_000_000_000;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

    @TempDir
    Path folder;

    @Test
    void run_folder_groupsByProcessAndTime() throws IOException {
        write("b/jstack-10.txt", dump(1, 30, 7));
        write("b/jstack-9.txt", dump(1, 20, 6));
        write("a.txt", dump(2, 10, 5));
        write("c.txt", dump(1, 10, 5));

        CommandRun run = CommandRun.of("dumps", folder.toString());

        assertThat(run.exitCode()).as(run.toString()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .contains(
                        "1 dump of process 1, a.txt:3, 2026-03-02 10:00:10",
                        "3 dumps of process 1, c.txt:3 to b/jstack-10.txt:3, 2026-03-02 10:00:10 to 2026-03-02 10:00:30",
                        "  7 threads in all of them: 1 moved, 3 idle, 3 where they stood",
                        "      2  waiting for lock    com.example.Stock.reserve(Stock.java:40): orders-1, orders-2",
                        "      1  computing           com.example.Stock.reserve(Stock.java:41): orders-0");
    }

    @Test
    void run_folderAsJson_hasTheSameNumbers() throws IOException {
        write("9.txt", dump(1, 10, 5));
        write("10.txt", dump(1, 20, 6));

        CommandRun run = CommandRun.of("dumps", "--json", folder.toString());

        SchemaCheck.document(Document.DUMPS, run.out());
        assertThat(run.out().replaceAll("\\s+", ""))
                .contains("\"dumps\":[\"9.txt:3\",\"10.txt:3\"],\"threads\":7,\"idle\":3,\"moved\":1,");
    }

    @Test
    void run_oneDumpOfMany_hasADeadlock() throws IOException {
        write("1.txt", dump(1, 10, 5));
        write(
                "deep/er/2.txt",
                dump(1, 20, 6)
                        .replace("com.example.Stock.reserve(Stock.java:41)", """
                com.example.Stock.reserve(Stock.java:41)
                \t- waiting to lock <0x00000000000000b0> (a com.example.Order)""")
                        .replace(
                                "(Stock.java:40)\n",
                                "(Stock.java:40)\n\t- locked <0x00000000000000b0> (a com.example.Order)\n"));

        CommandRun run = CommandRun.of("dumps", folder.toString());

        assertThat(run.exitCode()).as(run.toString()).isEqualTo(ExitCode.FINDINGS);
    }

    @Test
    void run_filesThatHoldNoDump_areNamedAndOthersUsed() throws IOException {
        write("dump.txt", dump(1, 10, 5));
        write("read me.txt", "nothing\n");
        write("empty", "");
        Files.write(folder.resolve("heap.bin"), new byte[100_000]);
        Files.createSymbolicLink(folder.resolve("latest"), Path.of("dump.txt"));
        Files.createSymbolicLink(folder.resolve("around"), Path.of("."));

        CommandRun run = CommandRun.of("dumps", folder.toString());

        assertThat(run.exitCode()).as(run.toString()).isZero();
        assertThat(run.out()).startsWith("1 dump, 7.0 threads in each");
        assertThat(run.err()).contains("3 files hold no thread dump in a form that is known. They are not looked at");
    }

    @Test
    void run_folderThatCannotBeUnderstood_couldNotLook() throws IOException {
        write("read me.txt", "nothing\n");
        assertThat(CommandRun.of("dumps", folder.toString()).exitCode()).isEqualTo(ExitCode.COULD_NOT_LOOK);

        write("dump.txt", dump(1, 10, 5));
        Files.write(folder.resolve("broken.gz"), new byte[] {0x1f, (byte) 0x8b, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
        CommandRun broken = CommandRun.of("dumps", folder.toString());
        assertThat(broken.exitCode()).as(broken.toString()).isEqualTo(ExitCode.COULD_NOT_LOOK);
        assertThat(broken.err()).contains("broken.gz");
    }

    /** 1,000 dumps of 500 threads take a minute at most, so 20 of 250 take six tenths of a second. */
    @Test
    void run_manyDumps_takesOneMinutePerHalfAMillionThreads() throws IOException {
        for (int i = 0; i < 20; i++) {
            write("jstack-" + i + ".txt", dump(1 + i % 4, 100 + i, 248));
        }
        CommandRun.of("dumps", folder.toString()); // compiles the code

        long nanos = cpuNanos(() -> CommandRun.of("dumps", folder.toString()));

        assertThat(nanos).isLessThan(60 * NANOS * 20 * 250 / 500_000);
    }

    @Test
    @Tag("slow")
    void run_oneLockWithThousandsOfWaiters_takesTwoSeconds() throws IOException {
        StringBuilder text = new StringBuilder("Full thread dump OpenJDK 64-Bit Server VM (17.0.11+9 mixed mode):\n\n");
        for (int i = 0; i < 4_000; i++) {
            waiter(text, i, i < 3_811);
        }
        write("one.txt", text + "JNI global refs: 1\n");
        String file = folder.resolve("one.txt").toString();
        CommandRun.of("dumps", file); // compiles the code

        long nanos = cpuNanos(() -> assertThat(CommandRun.of("dumps", file).out())
                .contains(" 3811.0  waiting for lock", " 3811.0  com.example.Stock 0x00000000000000a0, wanted at"));

        assertThat(nanos).isLessThan(2 * NANOS);
    }

    private long cpuNanos(Runnable run) {
        long before = threads.getCurrentThreadCpuTime();
        run.run();
        return threads.getCurrentThreadCpuTime() - before;
    }

    /** One computes, some wait for its lock, one moves, and three have nothing to do. */
    private static String dump(int process, int seconds, int busy) {
        StringBuilder text = new StringBuilder("1:\n2026-03-02 10:%02d:%02d\n".formatted(seconds / 60, seconds % 60)
                + "Full thread dump OpenJDK 64-Bit Server VM (17.0.11+9 mixed mode):\n\n");
        waiter(text, 0, false);
        waiter(text, 1, true);
        waiter(text, 2, true);
        thread(text, "mover", 3, "RUNNABLE", "com.example.Mover.move(Mover.java:" + busy + ")");
        for (int i = 5; i < busy; i++) {
            thread(text, "once-" + seconds, i, "RUNNABLE", "com.example.Once.run(Once.java:5)");
        }
        for (int i = 0; i < 2; i++) {
            thread(text, "selector-" + i, 1_000 + i, "RUNNABLE", "sun.nio.ch.EPoll.wait(java.base@17/Native Method)");
        }
        text.append(
                "\"Reference Handler\" #2 daemon prio=10 os_prio=0 cpu=1.00ms elapsed=9.00s tid=0x00007f0%d nid=0x9 "
                        .formatted(process));
        text.append("waiting on condition  [0x00007f00]\n   java.lang.Thread.State: RUNNABLE\n");
        text.append("\tat java.lang.ref.Reference.waitForReferencePendingList(java.base@17/Native Method)\n\n");
        return text + "JNI global refs: 1\n";
    }

    private static void waiter(StringBuilder text, int number, boolean waits) {
        String frame = "com.example.Stock.reserve(Stock.java:" + (waits ? 40 : 41) + ")";
        String lock = waits ? "waiting to lock" : "locked";
        if (!waits && number > 0) {
            thread(text, "orders-" + number, 10 + number, "RUNNABLE", frame);
            return;
        }
        thread(
                text,
                "orders-" + number,
                10 + number,
                waits ? "BLOCKED (on object monitor)" : "RUNNABLE",
                frame + "\n\t- " + lock + " <0x00000000000000a0> (a com.example.Stock)");
    }

    private static void thread(StringBuilder text, String name, int number, String state, String frame) {
        text.append(
                "\"%s\" #%d prio=5 os_prio=0 cpu=1.00ms elapsed=5.00s tid=0x00007f%08x nid=0x%x runnable  [0x0007f00]\n"
                        .formatted(name, number, number, 100 + number));
        text.append("   java.lang.Thread.State: %s\n\tat %s\n".formatted(state, frame));
        for (int i = 0; i < 20; i++) {
            text.append("\tat com.example.Service%d.call(Service.java:%d)\n".formatted(i, name.length()));
        }
        text.append('\n');
    }

    private void write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text, StandardCharsets.UTF_8);
    }
}
