package io.lifeguard.pool.report.drawing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The scripts of a page become one module, in which a name may be declared once. */
class PageTest {

    private static final Pattern DECLARED = Pattern.compile("(?m)^(?:async )?(?:function|class|const|let) +(\\w+)");

    @ParameterizedTest
    @ValueSource(strings = {"main.js", "growing.js live.js"})
    void script_allModules_declareEachNameOnce(String last) {
        assertThat(declared(Page.script(last.split(" "))))
                .hasSizeGreaterThan(50)
                .doesNotHaveDuplicates();
    }

    @Test
    void declared_twoFunctionsOfOneName_areSeen() {
        assertThat(declared("function last() {\n}\nconst last = 1;\n")).containsExactly("last", "last");
    }

    private static List<String> declared(String script) {
        return DECLARED.matcher(script)
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }
}
