package io.lifeguard.pool.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Long parts of a task's way are compiled once, and not as a part of each caller. */
class CompiledOnceTest {
    private static final int LARGEST_INLINED = 325; // bytes: HotSpot's FreqInlineSize
    private static final Pattern INSTRUCTION = Pattern.compile("(?m)^ +(\\d+): [a-z]");

    @ParameterizedTest
    @CsvSource({
        "io.lifeguard.pool.measure.WorkerRecorder, void step(",
        "io.lifeguard.pool.queue.IdleWorkers, Runnable await("
    })
    void method_size_aboveWhatIsInlined(Class<?> owner, String method) throws Exception {
        String code = codeOf(owner, method);
        int size = INSTRUCTION
                .matcher(code)
                .results()
                .mapToInt(CompiledOnceTest::position)
                .max()
                .orElse(0);
        assertThat(size).isGreaterThan(LARGEST_INLINED);
    }

    private static int position(MatchResult instruction) {
        return Integer.parseInt(instruction.group(1));
    }

    private static String codeOf(Class<?> owner, String method) throws Exception {
        Path classes = Path.of(
                owner.getProtectionDomain().getCodeSource().getLocation().toURI());
        StringWriter printed = new StringWriter();
        PrintWriter out = new PrintWriter(printed);
        String[] arguments = {"-c", "-p", "-cp", classes.toString(), owner.getName()};
        assertThat(ToolProvider.findFirst("javap").orElseThrow().run(out, out, arguments))
                .isZero();
        String all = printed.toString();
        int begin = all.indexOf(method);
        assertThat(begin).isPositive();
        return all.substring(begin, all.indexOf("\n\n", begin));
    }
}
