package io.lifeguard.examples.readme;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class ReadmeTest {

    @Test
    void code_isTheWholeProgramBehindIt() throws Exception {
        assertThat(Readme.block("java")).isEqualTo(Readme.program()).endsWith("\n}\n");
        assertThat(Readme.program().lines()).hasSizeLessThan(20);
    }

    @Test
    void lines_areAtMost120CharactersLong() throws Exception {
        assertThat(Readme.text().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(120));
    }

    @Test
    void links_leadToFilesOfThisProject() throws Exception {
        Matcher link = Pattern.compile("(?:]\\(|src=\"|srcset=\")(?!https?:)([^)\"#]+)")
                .matcher(Readme.text());
        int links = 0;
        for (; link.find(); links++) {
            assertThat(Readme.PROJECT.resolve(link.group(1))).matches(Files::exists, "exists");
        }
        assertThat(links).isGreaterThan(5);
    }

    @Test
    void commands_areMarkedForTheBuild() throws Exception {
        assertThat(Readme.text()).contains("<!-- command: example -->\n```sh\n", "<!-- command: test -->\n```sh\n");
    }
}
