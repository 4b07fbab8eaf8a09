package io.lifeguard.pool.tools.dumps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.diagnosis.window.Doing;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.SequenceInputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that hold dumps of several forms, in several encodings and sizes, with other text between them. */
class DumpReaderTest {

    private static final List<String> ALL =
            List.of("jdk8.txt", "jdk21.json", "jdk21-jstack.txt", "jdk21.txt", "jdk21.json");

    private static long lines(String text) {
        return text.lines().count();
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdk8.txt", "jdk21.txt", "jdk21.json", "jdk21-jstack.txt"})
    void parse_linesEndAsOnWindows_isTheSame(String file) throws IOException {
        String text = ThreadDumpsTest.text(file);

        ThreadDumps windows = ThreadDumps.parse("x", text.replace("\n", "\r\n"));

        assertThat(windows.problems()).isEmpty();
        assertThat(windows.toText(20)).isEqualTo(ThreadDumps.parse("x", text).toText(20));
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-8", "UTF-16LE", "UTF-16BE"})
    void read_byteOrderMark_tellsTheEncoding(String charset) throws IOException {
        for (String file : ALL) {
            String text = ThreadDumpsTest.text(file);
            byte[] bytes = ('\ufeff' + text).getBytes(Charset.forName(charset));

            ThreadDumps dumps = ThreadDumps.read("x", new ByteArrayInputStream(bytes));

            assertThat(dumps.problems()).isEmpty();
            assertThat(dumps.toText(20)).isEqualTo(ThreadDumps.parse("x", text).toText(20));
        }
    }

    @Test
    void parse_allFormsOneAfterTheOther_readsEachWithItsLine() throws IOException {
        StringBuilder text = new StringBuilder("starting\n{ not a dump }\n{\n");
        int expected = 0;
        for (String file : ALL) {
            String each = ThreadDumpsTest.text(file);
            text.append(each).append("\nINFO in between\n");
            expected += ThreadDumps.parse("x", each).dumps().size();
        }
        long secondJson = 1 + lines(text.toString()) - lines(ThreadDumpsTest.text("jdk21.json")) - 2;

        ThreadDumps dumps = ThreadDumps.parse("mixed", text.toString());

        assertThat(dumps.problems()).isEmpty();
        assertThat(dumps.dumps()).hasSize(expected);
        assertThat(dumps.dumps()).extracting(ThreadDump::source).contains("mixed:5", "mixed:" + secondJson);
    }

    @Test
    void parse_jsonBreaksOffBeforeAnotherDump_usesBoth() throws IOException {
        String json = ThreadDumpsTest.text("jdk21.json");
        String cut = json.substring(0, json.indexOf("\"orders-1\"") + 5);

        ThreadDumps dumps = ThreadDumps.parse("x", cut + '\n' + ThreadDumpsTest.text("jdk8.txt") + json);

        assertThat(dumps.problems()).containsExactly("x:22: the JSON breaks off or is wrong here");
        assertThat(dumps.dumps()).hasSize(3);
    }

    /** The second dump begins with a line that holds a bracket only. */
    @Test
    void parse_jsonBreaksOffBeforeAnotherJson_usesBoth() throws IOException {
        String json = ThreadDumpsTest.text("jdk21.json");
        String cut = json.substring(0, json.indexOf("\"orders-1\"") + 5);

        ThreadDumps dumps = ThreadDumps.parse("x", cut + '\n' + json);

        assertThat(dumps.problems()).containsExactly("x:22: the JSON breaks off or is wrong here");
        assertThat(dumps.dumps()).extracting(ThreadDump::source).containsExactly("x:1", "x:" + (lines(cut) + 1));
        assertThat(dumps.dumps().get(1).threads())
                .isEqualTo(ThreadDumps.parse("x", json).dumps().get(0).threads());
    }

    /**
     * A pattern that tries all ways to divide such a line takes a second for each; the test's time limit would end it.
     */
    @Timeout(60)
    @Test
    void parse_linesMadeToBeSlow_takeNoLongerThanOthers() {
        String thread = "Full thread dump\n\"one\" nid=1\n   java.lang.Thread.State: RUNNABLE\n\tat a.B.c(D.java:1)\n";
        String lock = "\t- locked" + " ".repeat(19_000) + "x\n";
        String header = '"' + "\" ".repeat(9_000) + "xnid=1\n";

        ThreadDumps dumps = ThreadDumps.parse("x", thread + lock.repeat(600) + header.repeat(600));

        assertThat(dumps.problems()).hasSize(1_001);
    }

    @Test
    void parse_nameWithQuotesAndNumbers_isReadWhole() {
        String name = "a\" nid=0x1 b\" c";
        ThreadDumps dumps = ThreadDumps.parse(
                "x",
                "Full thread dump\n\"" + name + "\" #1 prio=5 nid=0x2 runnable\n   java.lang.Thread.State: RUNNABLE\n"
                        + "\tat a.B.c(D.java:1)\n\nJNI global refs: 1\n");

        assertThat(dumps.problems()).isEmpty();
        assertThat(dumps.dumps().get(0).threads())
                .extracting(DumpedThread::name)
                .containsExactly(name);
    }

    @Test
    void parse_jsonThatIsNotTheFirst_saysTheLineInTheFile() throws IOException {
        String json = ThreadDumpsTest.text("jdk21.json");
        String bad = json.replaceFirst("\"[^\"]*LockSupport.park\\([^\"]*\"", "\"no\\\\/frame\"");

        ThreadDumps dumps = ThreadDumps.parse("x", "one\ntwo\nthree\n" + bad);

        assertThat(dumps.problems())
                .singleElement()
                .asString()
                .startsWith("x:4: ")
                .endsWith("not a frame: no/frame");
    }

    /** A search through the whole text for each problem would take hours. */
    @Test
    @Timeout(120)
    void parse_jsonWithVeryManyProblems_takesTimeInProportion() {
        String frames = IntStream.range(0, 300_000)
                .mapToObj(i -> "\"no-frame-" + i + "\"")
                .collect(Collectors.joining(",\n"));
        String json = "{\n\"threadDump\": {\"threadContainers\": [{\"threads\": [{\"tid\": \"1\", \"name\": \"a\", "
                + "\"stack\": [\n" + frames + "\n]}]}]}\n}\n";

        ThreadDumps dumps = ThreadDumps.parse("x", json);

        assertThat(dumps.problems())
                .hasSize(1_001)
                .startsWith("x:1: thread a: not a frame: no-frame-0")
                .contains("x:1: thread a: not a frame: no-frame-999")
                .endsWith("x: and 299,000 more lines that make no sense");
    }

    /** A console may receive both a log and a dump. */
    @Test
    void parse_exceptionOfALogWithinADump_isNoPartOfAThread() throws IOException {
        String text = ThreadDumpsTest.text("jdk8.txt");
        int endOfThread = text.indexOf("\n\n", text.indexOf("Orders.java:43")) + 1;
        String exception = "\njava.lang.IllegalStateException: late\n\tat com.example.Log.write(Log.java:1)\n\n";

        ThreadDumps dumps =
                ThreadDumps.parse("x", text.substring(0, endOfThread) + exception + text.substring(endOfThread));

        assertThat(dumps.problems()).isEmpty();
        assertThat(dumps.dumps().get(0).threads())
                .allSatisfy(thread -> assertThat(thread.stack())
                        .noneMatch(frame -> frame.getClassName().equals("com.example.Log")));
        assertThat(dumps.toText(20)).isEqualTo(ThreadDumps.parse("x", text).toText(20));
    }

    /** The file has 40 MB. It is read line by line, so the same code reads files that are larger than the heap. */
    @Test
    void read_veryManyDumps_keepsTheSameFramesOnce() throws IOException {
        byte[] one = ThreadDumpsTest.text("jdk21-jstack.txt").getBytes(StandardCharsets.UTF_8);
        int times = 40_000_000 / one.length;

        ThreadDumps dumps = ThreadDumps.read(
                "huge",
                new SequenceInputStream(Collections.enumeration(Collections.nCopies(times, one).stream()
                        .map(ByteArrayInputStream::new)
                        .toList())));

        assertThat(dumps.dumps()).hasSize(2 * times);
        assertThat(dumps.groups().get(0).doing()).isEqualTo(Doing.WAITING_FOR_LOCK);
        assertThat(dumps.dumps().get(2).threads().get(0).stack().get(0))
                .isSameAs(dumps.dumps().get(0).threads().get(0).stack().get(0));
    }

    @Test
    void parse_endlessLinesAndNonsense_isBounded() {
        ThreadDumps dumps = ThreadDumps.parse(
                "x",
                "Full thread dump\n" + ("\"" + " ".repeat(1_000_000) + "\n").repeat(3) + "\"x\n".repeat(5_000)
                        + "\"one\" nid=1\n\t- " + "a ".repeat(500_000) + "<\n");

        assertThat(dumps.problems()).hasSize(1_001).last().isEqualTo("x: and 4,001 more lines that make no sense");
    }

    @Test
    void toText_nameThatSteersTheTerminal_isNotPrinted() throws IOException {
        String text = ThreadDumpsTest.text("jdk8.txt").replace("orders-1", "\u009b2J\u202eorders-1\u2028");

        assertThat(ThreadDumps.parse("x", text).toText(10))
                .doesNotContain("\u009b", "\u202e", "\u2028")
                .contains("\\u009b2J\\u202eorders-1\\u2028");
    }

    /**
     * A name identifies a thread only where no other thread has it. Virtual threads have no name, and others may share
     * one.
     */
    @Test
    void parse_holdersOfNoNameOfTheirOwn_areNotMistaken() {
        String json = """
                {
                  "threadDump": {"threadContainers": [{"threads": [
                    {"tid": "1", "name": "", "state": "RUNNABLE", "stack": ["com.example.Holder.hold(Holder.java:1)"]},
                    {"tid": "2", "name": "", "state": "WAITING", "stack": [
                        "java.base/jdk.internal.misc.Unsafe.park(Native Method)",
                        "com.example.Waiter.wait(Waiter.java:2)"],
                     "parkBlocker": {
                        "object": "java.util.concurrent.locks.ReentrantLock$NonfairSync@1a", "owner": "1"}},
                    {"tid": "3", "name": "", "state": "RUNNABLE", "stack": [
                        "com.example.Bystander.run(Bystander.java:3)"]}
                  ]}]}
                }
                """;
        String text = """
                Full thread dump
                "worker" #1 nid=0x1 runnable
                   java.lang.Thread.State: RUNNABLE
                \tat com.example.Holder.hold(Holder.java:1)

                "worker" #2 nid=0x2 waiting on condition
                   java.lang.Thread.State: WAITING (parking)
                \tat jdk.internal.misc.Unsafe.park(java.base@17/Native Method)
                \t- parking to wait for  <0x0000000000000abc> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)
                \tat com.example.Waiter.wait(Waiter.java:2)

                JNI global refs: 1

                Found one Java-level deadlock:
                "worker":
                  waiting for ownable synchronizer 0x0000000000000abc, \
                (a java.util.concurrent.locks.ReentrantLock$NonfairSync),
                  which is held by "worker"
                """;

        assertThat(ThreadDumps.parse("x", json).locks())
                .singleElement()
                .satisfies(lock -> assertThat(lock.owner().orElseThrow().place())
                        .isEqualTo("com.example.Holder.hold(Holder.java:1)"));
        assertThat(ThreadDumps.parse("x", text).locks())
                .singleElement()
                .satisfies(lock -> assertThat(lock.owner()).isEmpty());
    }

    @Test
    void read_null_isNamed() {
        assertThatThrownBy(() -> ThreadDumps.parse("x", null)).hasMessage("text must not be null");
        assertThatThrownBy(() -> ThreadDumps.read("x", null)).hasMessage("in must not be null");
        assertThatThrownBy(() -> ThreadDumps.parse("x", "").ofPool(null)).hasMessage("pool must not be null");
        assertThatThrownBy(() -> ThreadDumps.parse("x", "").and(null)).hasMessage("others must not be null");
    }
}
