package io.lifeguard.pool.tools.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The first line of a watch names the program, and has no room for a class path. */
class TargetTest {

    @ParameterizedTest
    @CsvSource({
        "-cp a:b -Xmx1g com.example.Main serve -x, com.example.Main serve -x",
        "-Xmx1g --class-path=a:b -jar shop.jar --port 80, shop.jar --port 80",
        "-p mods --add-modules x -m shop/com.example.Main, shop/com.example.Main",
        "@options com.example.Main, com.example.Main"
    })
    void program_jvmOptionsBefore_leavesThemOut(String arguments, String program) {
        assertThat(Target.program(List.of(arguments.split(" ")))).isEqualTo(program);
    }

    @Test
    void program_nothingBehindTheOptions_isEmpty() {
        assertThat(Target.program(List.of("-cp", "a:b"))).isEmpty();
    }
}
