package io.lifeguard.examples.jaraudit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ResultSheetTest {

    private static final Jar A = new Jar(Path.of("a.jar"), "a.jar");
    private static final Jar B = new Jar(Path.of("b.jar"), "b.jar");

    private final ResultSheet reference = filled();

    @Test
    void differenceTo_sameReports_isNone() {
        assertThat(filled().differenceTo(reference)).isEmpty();
        assertThat(filled().filled()).isEqualTo(2);
    }

    @Test
    void differenceTo_jarMissing_isCounted() {
        ResultSheet sheet = new ResultSheet(List.of(A, B));
        sheet.record(1, JarReport.unreadable(B, "gone"));
        assertThat(sheet.differenceTo(reference)).contains("1 jar not audited");
        assertThat(sheet.reports()).hasSize(1);
    }

    @Test
    void differenceTo_jarAuditedTwice_isCounted() {
        ResultSheet sheet = filled();
        sheet.record(0, JarReport.unreadable(A, "gone"));
        assertThat(sheet.differenceTo(reference)).contains("1 jar audited more than once");
    }

    @Test
    void differenceTo_otherResult_isNamedWithBoth() {
        ResultSheet sheet = new ResultSheet(List.of(A, B));
        sheet.record(0, JarReport.unreadable(A, "gone"));
        sheet.record(1, JarReport.unreadable(B, "permission denied"));
        assertThat(sheet.differenceTo(reference))
                .hasValueSatisfying(difference -> assertThat(difference)
                        .startsWith("b.jar gave different results: ")
                        .contains("unreadable: permission denied")
                        .endsWith("unreadable: gone"));
    }

    private static ResultSheet filled() {
        ResultSheet sheet = new ResultSheet(List.of(A, B));
        sheet.record(0, JarReport.unreadable(A, "gone"));
        sheet.record(1, JarReport.unreadable(B, "gone"));
        return sheet;
    }
}
