package io.lifeguard.pool.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.recording.Observation;
import io.lifeguard.pool.recording.Observation.Change;
import io.lifeguard.pool.recording.Observation.FindingChange;
import io.lifeguard.pool.recording.Observation.Rejection;
import io.lifeguard.pool.recording.Observations;
import io.lifeguard.pool.report.drawing.PoolReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The last minute is drawn from what the black box holds. */
class LastMinuteTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Rejection EARLIER = rejection(NOW.minusNanos(1));
    private static final Rejection LATER = rejection(NOW);

    @TempDir
    Path directory;

    @Test
    void report_ofAllObservations_isTheirPicture() throws Exception {
        Path file = directory.resolve("pools.html");
        new LastMinute(Observations.ofEachType()).report(file);

        assertThat(Files.readString(file))
                .isEqualTo(PoolReport.of("The last minute of all pools", Observations.ofEachType())
                        .html());
    }

    @Test
    void since_aMoment_leavesOutWhatBeganBefore() {
        assertThat(new LastMinute(List.of(EARLIER, LATER)).since(NOW).html())
                .isEqualTo(new LastMinute(List.of(LATER)).html());
    }

    @Test
    void since_findingFromBefore_isKeptOnlyWhileItStands() {
        FindingChange raised = finding("stands", Change.RAISED, -2);
        FindingChange over = finding("is-over", Change.RAISED, -2);
        FindingChange end = finding("is-over", Change.ENDED, 1);
        FindingChange news = finding("is-new", Change.RAISED, 3);
        LastMinute all = new LastMinute(List.of(raised, over, end, EARLIER, LATER, news));

        assertThat(all.since(NOW).html())
                .isEqualTo(new LastMinute(List.of(LATER, news, finding("stands", Change.RAISED, 0))).html());
    }

    /** News of a finding that began two seconds before {@link #NOW}, or with these news if they are later. */
    private static FindingChange finding(String id, Change change, int seconds) {
        long moment = Observation.nanos(NOW.plusSeconds(seconds));
        long since = change == Change.ENDED ? Observation.nanos(NOW.plusSeconds(-2)) : moment;
        return new FindingChange(
                moment,
                "p",
                change,
                "",
                id,
                "WARNING",
                since,
                "summary",
                "advice",
                Map.of(),
                List.of(),
                "",
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.empty());
    }

    @Test
    void report_withATitle_hasIt() throws Exception {
        Path file = directory.resolve("pools.html");
        new LastMinute(List.of(LATER)).report(file, "Friday");

        assertThat(Files.readString(file))
                .isEqualTo(PoolReport.of("Friday", List.of(LATER)).html());
    }

    @Test
    void reportBeside_another_isThePictureOfBoth() throws Exception {
        Path file = directory.resolve("both.html");
        new LastMinute(List.of(EARLIER)).reportBeside(file, "T", "sick", "cured", new LastMinute(List.of(LATER)));

        assertThat(Files.readString(file))
                .isEqualTo(PoolReport.comparing("T", "sick", List.of(EARLIER), "cured", List.of(LATER))
                        .html());
    }

    @Test
    void report_toAFileThatIsThere_replacesIt() throws Exception {
        Path file = directory.resolve("pools.html");
        Files.writeString(file, "x".repeat(1 << 20));
        new LastMinute(List.of()).report(file);

        assertThat(Files.readString(file)).isEqualTo(new LastMinute(List.of()).html());
    }

    @Test
    void report_toADirectoryThatIsMissing_saysWhich() {
        Path file = directory.resolve("missing").resolve("pools.html");

        assertThatThrownBy(() -> new LastMinute(List.of()).report(file)).hasMessageContaining(file.toString());
    }

    private static Rejection rejection(Instant moment) {
        return new Rejection(Observation.nanos(moment), "p", "main", "ABORTED");
    }
}
