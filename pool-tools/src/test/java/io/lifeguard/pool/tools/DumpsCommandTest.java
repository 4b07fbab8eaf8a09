package io.lifeguard.pool.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DumpsCommandTest {

    @TempDir
    Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private InputStream in = InputStream.nullInputStream();
    private String file;

    @BeforeEach
    void writeDump() throws IOException {
        try (InputStream sample = DumpsCommandTest.class.getResourceAsStream("/dumps/jdk8.txt")) {
            file = write("dump.txt", new String(sample.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void run_file_printsWhatThreadsDo() {
        assertThat(run("dumps", file)).isEqualTo(ExitCode.HEALTHY);
        assertThat(out()).contains("waiting for lock", "held by \"orders-1\"");
        assertThat(err()).isEmpty();
    }

    @Test
    void run_deadlock_isAFinding() throws IOException {
        String deadlock = write("deadlock.txt", """
            Full thread dump
            "one" #1 nid=0x1 waiting for monitor entry
               java.lang.Thread.State: BLOCKED (on object monitor)
            \tat com.example.Orders.load(Orders.java:42)
            \t- waiting to lock <0x00000000000000b0> (a com.example.Right)
            \t- locked <0x00000000000000a0> (a com.example.Left)

            "two" #2 nid=0x2 waiting for monitor entry
               java.lang.Thread.State: BLOCKED (on object monitor)
            \tat com.example.Orders.save(Orders.java:50)
            \t- waiting to lock <0x00000000000000a0> (a com.example.Left)
            \t- locked <0x00000000000000b0> (a com.example.Right)

            JNI global refs: 1
            """);

        assertThat(run("dumps", file, deadlock)).isEqualTo(ExitCode.FINDINGS);
        assertThat(out()).contains("deadlock of 2 threads");
        assertThat(run("dumps", deadlock, directory.resolve("none").toString()))
                .as("the answer is incomplete")
                .isEqualTo(ExitCode.COULD_NOT_LOOK);
    }

    @Test
    void run_nameOrPool_filters() {
        assertThat(run("dumps", "--name", "s-1$", "--top", "3", file)).isZero();
        assertThat(out()).contains("1.0 threads in each", "waiting outside").doesNotContain("waiting for lock");
        out.reset();
        assertThat(run("dumps", "--pool", "orders", file)).isZero();
        assertThat(out()).contains("2.0 threads in each");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--pool Sick:16", "--name ^nobody$"})
    void run_nameThatNoThreadHas_saysWhichThereAre(String option) {
        assertThat(run(("dumps " + option).split(" "), file)).isZero();
        assertThat(out())
                .contains("0.0 threads in each")
                .contains(option.substring(option.indexOf(' ') + 1))
                .endsWith("names that --pool would find, most threads first:\n  orders\n");
    }

    @Test
    void run_json_printsNothingElse() {
        assertThat(run("dumps", "--json", "--pool", "nobody", file)).isZero();
        assertThat(out()).startsWith("{").endsWith("}\n").contains("\"groups\" : [ ]");
    }

    @Test
    void run_unreadableFile_failsAndReadsTheOthers() throws IOException {
        Path empty = Files.createDirectory(directory.resolve("empty"));

        assertThat(run("dumps", directory.resolve("none").toString(), empty.toString(), file))
                .isEqualTo(ExitCode.COULD_NOT_LOOK);
        assertThat(out()).contains("1 dump, 2.0 threads");
        assertThat(err()).contains("none: no such file").contains(empty + ": no file in it holds a thread dump");
    }

    @Test
    void run_fileWithoutDump_failsAndReadsTheOthers() throws IOException {
        String other = write("other.txt", "nothing\n");

        assertThat(run("dumps", other)).isEqualTo(ExitCode.COULD_NOT_LOOK);
        assertThat(err())
                .contains(
                        "other.txt:1: no thread dump in it", "in no form that is known. These are: jstack", "VisualVM");
        assertThat(run("dumps", other, file)).isEqualTo(ExitCode.COULD_NOT_LOOK);
        assertThat(run("dumps", file, other)).isEqualTo(ExitCode.COULD_NOT_LOOK);
        assertThat(out()).contains("1 dump, 2.0 threads");
    }

    /** The threads that are missing may be those of a deadlock. */
    @ParameterizedTest
    @ValueSource(strings = {"jdk8.txt", "jdk21.json"})
    void run_dumpThatEndsTooEarly_isUsedAndNotCalledHealthy(String name) throws IOException {
        String whole = Files.readString(Path.of("src", "test", "resources", "dumps", name));
        String cut = write("cut-" + name, whole.substring(0, whole.length() * 2 / 3));

        assertThat(run("dumps", "--json", cut)).isEqualTo(ExitCode.COULD_NOT_LOOK);
        assertThat(out()).contains("\"why\" : \"a dump in it ends too early\"").doesNotContain("\"groups\" : [ ]");
        assertThat(run("dumps", cut, file)).isEqualTo(ExitCode.COULD_NOT_LOOK);
        assertThat(out()).contains("2 dumps");
    }

    /** To {@code jcmd} the number 0 means all JVMs. */
    @Test
    void run_processZero_isNone() {
        assertThat(run("dumps", "0")).isEqualTo(ExitCode.COULD_NOT_LOOK);
        assertThat(err()).contains("cannot read 0: no such file");
        assertThat(out()).isEmpty();
    }

    @Test
    void run_dash_readsTheStandardInput() throws IOException {
        in = new ByteArrayInputStream(Files.readAllBytes(Path.of(file)));

        assertThat(run("dumps", "-", file)).isZero();
        assertThat(out()).contains("2 dumps, 2.0 threads");
    }

    @Test
    void run_process_takesItsDump() {
        long here = ProcessHandle.current().pid();

        assertThat(run("dumps", "--name", "^" + Thread.currentThread().getName() + "$", "" + here))
                .as(err())
                .isZero();
        assertThat(out()).contains("1 dump, 1.0 threads", "io.lifeguard.pool.tools.");
    }

    @Test
    void run_noSuchProcess_failsAndSaysSo() {
        assertThat(run("dumps", "999999999999")).isEqualTo(ExitCode.COULD_NOT_LOOK);
        assertThat(err()).contains("cannot read 999999999999", "is it a running JVM");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "dumps --help"})
    void run_help_prints(String arguments) {
        assertThat(run(arguments.split(" "))).isZero();
        assertThat(out()).contains("Usage: lifeguard").contains("dumps");
        assertThat(err()).isEmpty();
    }

    @Test
    void run_helpOfDumps_namesEveryOptionAndExitCode() {
        run("dumps", "--help");
        assertThat(out())
                .contains("--name=PATTERN | --pool=NAME", "--top=N", "--json", "FILE|FOLDER|PID|-")
                .contains("0   no deadlock", "1   a deadlock", "2   a source could not be read");
    }

    @Test
    void run_version_prints() {
        assertThat(run("--version")).isZero();
        assertThat(out()).startsWith("lifeguard ");
    }

    /** Each wrong use is one line on standard error. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        ''; lifeguard: a command is missing: ps, watch, attach, analyze, dumps, report, completion. Try 'lifeguard --help'.
        other; lifeguard: there is no command 'other', only: ps, watch, attach, analyze, dumps, report, completion. Try 'lifeguard --help'.
        --what; lifeguard: there is no command '--what', only: ps, watch, attach, analyze, dumps, report, completion. Try 'lifeguard --help'.
        dumps; lifeguard dumps: Missing required parameter: 'FILE|FOLDER|PID|-'. Try 'lifeguard dumps --help'.
        dumps --top; lifeguard dumps: Missing required parameter for option '--top' (N). \
        Try 'lifeguard dumps --help'.
        dumps --top 0 x; \
        lifeguard dumps: Invalid value for option '--top': it must be a number >= 1 (was 0). \
        Try 'lifeguard dumps --help'.
        dumps --top x x; \
        lifeguard dumps: Invalid value for option '--top': it must be a number >= 1 (was x). \
        Try 'lifeguard dumps --help'.
        dumps --name [ x; \
        lifeguard dumps: Invalid value for option '--name': '[' is not a regular expression: \
        Unclosed character class. \
        Try 'lifeguard dumps --help'.
        dumps --what x; lifeguard dumps: Unknown option: '--what'. Try 'lifeguard dumps --help'.
        dumps --name a --pool b x; \
        'lifeguard dumps: Error: --name=PATTERN, --pool=NAME are mutually exclusive (specify only one). \
        Try ''lifeguard dumps --help''.'
        """)
    void run_wrongArguments_saysWhich(String arguments, String sentence) {
        assertThat(run(arguments.isEmpty() ? new String[0] : arguments.split(" ")))
                .isEqualTo(ExitCode.COULD_NOT_LOOK);
        assertThat(err()).isEqualTo(sentence + "\n");
        assertThat(out()).isEmpty();
    }

    @Test
    void run_argumentThatSteersTheTerminal_isEscaped() {
        run("\u001b[2J");
        assertThat(err()).contains("'\\u001b[2J'");
    }

    /** Exit code 1 would say that the command found something. */
    @Test
    void run_bug_isNoFinding() {
        PrintStream broken = new PrintStream(out) {
            @Override
            public void print(String text) {
                throw new IllegalStateException("broken");
            }
        };

        assertThat(Lifeguard.run(in, broken, new PrintStream(err, true), "dumps", file))
                .isEqualTo(ExitCode.COULD_NOT_LOOK);
        assertThat(err()).contains("java.lang.IllegalStateException: broken");
    }

    private String write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text).toString();
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private int run(String[] first, String last) {
        String[] all = Arrays.copyOf(first, first.length + 1);
        all[first.length] = last;
        return run(all);
    }

    private int run(String... arguments) {
        return Lifeguard.run(in, new PrintStream(out, true), new PrintStream(err, true), arguments);
    }
}
