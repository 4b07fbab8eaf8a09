package io.lifeguard.pool.tools.dumps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.tools.dumps.ThreadDumps.Group;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Samples of formats that the running JDK does not write, and damaged ones. */
class ThreadDumpsTest {

    @Test
    void parse_jdk8_readsThreadsLocksAndHolder() throws IOException {
        ThreadDumps dumps = sample("jdk8.txt");

        assertThat(dumps.problems()).isEmpty();
        assertThat(dumps.groups())
                .containsExactlyInAnyOrder(
                        new Group(Doing.WAITING_FOR_LOCK, "com.example.Orders.load(Orders.java:42)", 1),
                        new Group(Doing.WAITING_OUTSIDE, "com.example.Orders.query(Orders.java:60)", 1));
        assertThat(dumps.locks().get(0).type()).isEqualTo("com.example.Orders");
        assertThat(dumps.locks().get(0).owner().orElseThrow().name()).isEqualTo("orders-1");
        assertThat(dumps.deadlocks()).isEmpty();
    }

    @Test
    void parse_jdk21ConsoleWithTwoDumps_aggregatesThem() throws IOException {
        ThreadDumps dumps = sample("jdk21-jstack.txt");

        assertThat(dumps.problems()).isEmpty();
        assertThat(dumps.dumps())
                .extracting(ThreadDump::source)
                .containsExactly("jdk21-jstack.txt:3", "jdk21-jstack.txt:30");
        assertThat(dumps.groups())
                .containsExactly(
                        new Group(Doing.WAITING_FOR_LOCK, "com.example.Orders.load(Orders.java:42)", 0.5),
                        new Group(Doing.COMPUTING, "com.example.Orders.compute(Orders.java:77)", 1));
        assertThat(dumps.toText(1))
                .contains("2 dumps, 1.5 threads in each", "...  and 1 more", "does not say who holds it");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdk21.txt", "jdk21.json"})
    void parse_jdk21Files_inferStatesFromFrames(String file) throws IOException {
        ThreadDumps dumps = sample(file);

        assertThat(dumps.problems()).isEmpty();
        assertThat(dumps.groups())
                .contains(
                        new Group(Doing.SLEEPING, "com.example.Main.main(Main.java:7)", 1),
                        new Group(Doing.WAITING_FOR_RESULT, "com.example.Orders.load(Orders.java:42)", 1));
        assertThat(dumps.ofPool("orders").groups()).hasSize(1);
    }

    @Test
    void parse_malformedLines_saysWhichAndUsesTheRest() throws IOException {
        String text = text("jdk8.txt")
                .replace("BLOCKED (on object monitor)", "BLOKED (on object monitor)")
                .replace("at com.example.Orders.load(Orders.java:43)", "at com.example.Orders.lo")
                .replace("- waiting to lock <0x000000076ab2c1f0>", "- waiting to lock 0x000000076ab2c1f0>");

        ThreadDumps dumps = ThreadDumps.parse("bad", text);

        assertThat(dumps.problems())
                .containsExactly(
                        "bad:5: not a state: BLOKED",
                        "bad:7: not a lock: - waiting to lock 0x000000076ab2c1f0> (a com.example.Orders)",
                        "bad:21: not a frame: at com.example.Orders.lo");
        assertThat(dumps.groups()).extracting(Group::place).contains("com.example.Orders.query(Orders.java:60)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdk8.txt", "jdk21.txt", "jdk21.json", "jdk21-jstack.txt"})
    void parse_truncatedAnywhere_usesTheRestAndNeverThrows(String file) throws IOException {
        String text = text(file);
        for (int length = 0; length < text.length(); length++) {
            ThreadDumps dumps = ThreadDumps.parse("cut", text.substring(0, length));
            assertThat(dumps.toText(10)).isNotEmpty();
        }
    }

    @Test
    void parse_truncatedInTheSecondThread_keepsTheFirst() throws IOException {
        String text = text("jdk8.txt");
        ThreadDumps dumps = ThreadDumps.parse("cut", text.substring(0, text.indexOf("SocketInputStream.java:116")));

        assertThat(dumps.problems()).contains("cut:18: the file ends before the dump of line 2 has ended");
        assertThat(dumps.groups()).extracting(Group::doing).contains(Doing.WAITING_FOR_LOCK, Doing.WAITING_OUTSIDE);
    }

    @Test
    void parse_truncatedJson_keepsWhatWasRead() throws IOException {
        String text = text("jdk21.json");
        ThreadDumps dumps = ThreadDumps.parse("cut.json", text.substring(0, text.indexOf("\"orders-1\"") + 5));

        assertThat(dumps.problems()).containsExactly("cut.json:22: the JSON breaks off or is wrong here");
        assertThat(dumps.groups()).containsExactly(new Group(Doing.SLEEPING, "com.example.Main.main(Main.java:7)", 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nothing of the kind\n", "{\"a\": 1}", "\u0000\u0001"})
    void parse_somethingElse_saysSo(String text) {
        ThreadDumps dumps = ThreadDumps.parse("other", text);

        assertThat(dumps.dumps()).isEmpty();
        assertThat(dumps.problems()).hasSize(1).first().asString().startsWith("other:1: no");
    }

    @Test
    void parse_deeplyNestedJson_isAProblemNotAnOverflow() {
        assertThat(ThreadDumps.parse("deep", "{\"threadDump\":" + "[".repeat(100_000))
                        .problems()
                        .get(0))
                .contains("nested too deeply");
    }

    @Test
    void toText_nameWithControlCharacters_doesNotPrintThem() throws IOException {
        String text = text("jdk8.txt").replace("orders-1", "\u001b[2Jorders-1");

        assertThat(ThreadDumps.parse("forged", text).toText(10))
                .doesNotContain("\u001b", "[2J")
                .contains("held by \"orders-1\"");
    }

    @Test
    void groups_idleThreadsAndTheJvms_areOneGroupEach() {
        ThreadDumps dumps = ThreadDumps.parse(
                "test",
                "Full thread dump\n"
                        + thread("one", "com.example.Orders.load(Orders.java:42)")
                        + thread("two", "com.example.Orders.load(Orders.java:57)")
                        + thread("Finalizer", "java.lang.Object.wait(Native Method)")
                        + thread("Reference Handler", "java.lang.Object.wait(Native Method)")
                        + thread("selector", "sun.nio.ch.EPoll.wait(Native Method)"));

        assertThat(dumps.groups())
                .containsExactlyInAnyOrder(
                        new Group(Doing.COMPUTING, "com.example.Orders.load(Orders.java:42,57)", 2),
                        new Group(Doing.IDLE, "the JVM's own threads", 2),
                        new Group(Doing.IDLE, "selectors and acceptors", 1));
        assertThat(dumps.states()).containsExactly(Map.entry(Thread.State.RUNNABLE, 5.0));
        assertThat(dumps.toText(9)).contains("\nRUNNABLE 5.0\n");
    }

    private static String thread(String name, String frame) {
        return """
            "%s" #1 prio=5 os_prio=0 tid=0x00007f nid=0x7 runnable
               java.lang.Thread.State: RUNNABLE
            \tat %s

            """.formatted(name, frame);
    }

    @Test
    void toText_lockHolder_isShownWithItsTopFrame() throws IOException {
        assertThat(sample("jdk8.txt").toText(10))
                .contains("held by \"orders-1\" at com.example.Orders.query(Orders.java:60), in"
                        + " java.net.SocketInputStream.socketRead0\n");
    }

    @Test
    void toText_noLine_isRefused() throws IOException {
        assertThatThrownBy(() -> sample("jdk8.txt").toText(0)).hasMessage("top must be >= 1 (was 0)");
    }

    @Test
    void toJson_groupsLocksAndHolders_areComplete() throws IOException {
        assertThat(sample("jdk8.txt").toJson()).isEqualToIgnoringNewLines("""
            {
              "schema" : "urn:lifeguard:schema:1#dumps",
              "dumps" : [ {
                "source" : "jdk8.txt:2",
                "threads" : 2,
                "time" : "2026-11-20 10:00:00"
              } ],
              "threadsPerDump" : 2.0,
              "states" : {
                "RUNNABLE" : 1.0,
                "BLOCKED" : 1.0
              },
              "groups" : [ {
                "threads" : 1.0,
                "doing" : "waiting-for-lock",
                "place" : "com.example.Orders.load(Orders.java:42)"
              }, {
                "threads" : 1.0,
                "doing" : "waiting-outside",
                "place" : "com.example.Orders.query(Orders.java:60)"
              } ],
              "locks" : [ {
                "waiters" : 1.0,
                "lock" : "0x000000076ab2c1f0",
                "type" : "com.example.Orders",
                "place" : "com.example.Orders.load(Orders.java:42)",
                "holder" : "orders-1",
                "holderPlace" : "com.example.Orders.query(Orders.java:60)",
                "holderTop" : "java.net.SocketInputStream.socketRead0(Native Method)"
              } ],
              "deadlocks" : [ ],
              "problems" : [ ],
              "notLookedAt" : [ ]
            }\
            """);
    }

    @Test
    void toJson_nameOfAnyCharacters_isAscii() throws IOException {
        String text = text("jdk8.txt").replace("orders-1", "\u001b\"ödrders\u2028-1");

        assertThat(ThreadDumps.parse("forged", text).toJson())
                .contains("\"holder\" : \"\\u001B\\\"\\u00F6drders\\u2028-1\"")
                .matches("\\A[ -~\\n]*\\z");
    }

    private static ThreadDumps sample(String name) throws IOException {
        return ThreadDumps.parse(name, text(name));
    }

    static String text(String name) throws IOException {
        try (InputStream in = ThreadDumpsTest.class.getResourceAsStream("/dumps/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
