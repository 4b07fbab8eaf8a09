package io.lifeguard.pool.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What explain_finding quotes from the documentation. */
class FindingPageTest {

    @Test
    void of_everyPage_saysWhatItMeansWhatToDoAndWhenItIsWrong() throws IOException {
        List<String> ids;
        try (var pages = Files.list(Path.of("..", "docs", "findings"))) {
            ids = pages.map(page -> page.getFileName().toString().replace(".md", ""))
                    .filter(name -> !name.equals("README"))
                    .collect(Collectors.toList());
        }

        assertThat(ids).hasSizeGreaterThan(15);
        assertThat(ids).allSatisfy(id -> {
            FindingPage page = FindingPage.of(id).orElseThrow();
            for (String title : List.of("What it means", "What to do", "When it is wrong")) {
                assertThat(page.section(title))
                        .as(id + ": " + title)
                        .isNotBlank()
                        .doesNotContain("](", "\n");
            }
        });
    }

    @Test
    void meanings_namesOfTheEvidence_areThoseOfTheTable() {
        assertThat(FindingPage.of("lock-contention").orElseThrow().meanings(Set.of("place", "gainWithoutLock")))
                .hasSize(2)
                .allSatisfy((names, meaning) -> assertThat(meaning).isNotBlank());
    }

    @Test
    void of_idOfAUsersRuleOrAPath_isEmpty() {
        assertThat(FindingPage.of("too-purple")).isEmpty();
        assertThat(FindingPage.of("../../../schema/x")).isEmpty();
    }
}
