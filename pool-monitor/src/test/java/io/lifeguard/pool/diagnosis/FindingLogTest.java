package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.lifeguard.pool.diagnosis.testing.FakeClock;
import io.lifeguard.pool.diagnosis.testing.Windows;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FindingLogTest {

    private final FakeClock clock = new FakeClock();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private Duration reminder = Duration.ofMinutes(1);
    private FindingLog log;

    @BeforeEach
    void makeLog() {
        Logger logger = new LoggerContext().getLogger("test");
        logger.setLevel(Level.TRACE);
        lines.start();
        logger.addAppender(lines);
        log = new FindingLog(clock, () -> reminder, line -> line.accept(logger));
    }

    private static Finding finding(String pool, String summary) {
        return finding(pool, summary, Severity.WARNING);
    }

    private static Finding finding(String pool, String summary, Severity severity) {
        return new Finding(
                "cpu-saturated",
                severity,
                pool,
                summary,
                "Shrink to 20",
                Map.of("runQueueDelay", Duration.ofMillis(31), "text", "a\nb"),
                OptionalInt.of(20),
                Instant.EPOCH);
    }

    private List<String> said() {
        List<String> said =
                lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
        lines.list.clear();
        return said;
    }

    @Test
    void raised_finding_isOneLineWithPoolCauseAdviceAndId() {
        log.raised(finding("orders", "64 workers queue for 2 CPUs"));

        ILoggingEvent line = lines.list.get(0);
        assertThat(line.getFormattedMessage())
                .isEqualTo("pool 'orders': 64 workers queue for 2 CPUs. Shrink to 20. [cpu-saturated]");
        assertThat(line.getLevel()).isEqualTo(Level.WARN);
        assertThat(line.getKeyValuePairs())
                .extracting(pair -> pair.key + "=" + pair.value)
                .contains("pool=orders", "finding=cpu-saturated", "recommendedSize=20", "runQueueDelay=PT0.031S");
    }

    /** The triage has written the line, before there was a monitor. */
    @Test
    void raised_findingThatIsSaidAlready_isNotSaidAgainAndItsEndIs() {
        Finding unsized = new Finding(
                "lock", Severity.WARNING, "orders", "a lock", "", Map.of(), OptionalInt.empty(), Instant.EPOCH);
        log.noteSaid("orders", "lock", Severity.WARNING);

        log.raised(unsized);
        log.updated(unsized);
        assertThat(said()).isEmpty();

        clock.pass(Duration.ofSeconds(2));
        log.resolved(unsized);
        assertThat(said())
                .containsExactly("pool 'orders': resolved, seen in 1 window of the last 2 s; it was: a lock. [lock]");
    }

    @Test
    void updated_withinAMinute_isSilentAndThenSaysHowOften() {
        Finding finding = finding("orders", "late");
        log.raised(finding);
        said();

        for (int i = 0; i < 59; i++) {
            clock.pass(Duration.ofSeconds(1));
            log.updated(finding);
        }
        assertThat(said()).isEmpty();

        for (int i = 0; i < 61; i++) {
            clock.pass(Duration.ofSeconds(1));
            log.updated(finding);
        }
        assertThat(said())
                .containsExactly(
                        "pool 'orders': seen in 60 windows of the last 60 s; late. Shrink to 20. [cpu-saturated]",
                        "pool 'orders': seen in 120 windows of the last 2 min; late. Shrink to 20. [cpu-saturated]");
    }

    /** A size is named when two windows agree, which is after the finding was raised. */
    @Test
    void updated_sizeIsNamedAndTakenBack_isLoggedAtOnceButNotTooOften() {
        Finding sized = finding("orders", "late");
        Finding unsized = new Finding(
                sized.id(),
                sized.severity(),
                sized.pool(),
                "late",
                "Shrink",
                Map.of(),
                OptionalInt.empty(),
                sized.since());
        log.raised(unsized);
        said();

        log.updated(sized);
        log.updated(sized);
        log.updated(unsized);
        assertThat(said())
                .containsExactly(
                        "pool 'orders': seen in 1 window of the last 0 ns; late. Shrink to 20. [cpu-saturated]",
                        "pool 'orders': seen in 3 windows of the last 0 ns; late. Shrink. [cpu-saturated]");

        log.updated(sized);
        log.updated(unsized);
        assertThat(said()).as("text that is not read").isEmpty();
    }

    @Test
    void updated_withRemindersOfTenSeconds_isLoggedEveryTenSeconds() {
        reminder = Duration.ofSeconds(10);
        Finding finding = finding("orders", "late");
        log.raised(finding);
        said();

        for (int i = 0; i < 20; i++) {
            clock.pass(Duration.ofSeconds(1));
            log.updated(finding);
        }
        assertThat(said()).hasSize(2);
    }

    @Test
    void updated_becomesCriticalWithinAMinute_isLoggedAtOnceAndOnce() {
        Finding critical = finding("orders", "deadlock", Severity.CRITICAL);
        log.raised(finding("orders", "late"));
        said();
        clock.pass(Duration.ofSeconds(4));

        log.escalated(critical);

        assertThat(lines.list).extracting(ILoggingEvent::getLevel).containsExactly(Level.ERROR);
        assertThat(said())
                .containsExactly(
                        "pool 'orders': became critical, seen in 1 window of the last 4 s; deadlock. Shrink to 20."
                                + " [cpu-saturated]");
        for (int i = 0; i < 59; i++) {
            clock.pass(Duration.ofSeconds(1));
            log.updated(critical);
        }
        assertThat(said()).isEmpty();
    }

    @Test
    void updated_severityUpAndDown_isAtMostOneLinePerLevelAMinute() {
        log.raised(finding("orders", "late"));
        for (int i = 0; i < 300; i++) {
            clock.pass(Duration.ofSeconds(1));
            log.escalated(finding("orders", "deadlock", Severity.CRITICAL));
            clock.pass(Duration.ofSeconds(1));
            log.updated(finding("orders", "late"));
        }
        assertThat(said()).hasSizeBetween(11, 22);
    }

    @Test
    void raised_againWithinAMinuteAndNowCritical_isLoggedAtOnce() {
        log.raised(finding("orders", "late"));
        log.resolved(finding("orders", "late"));
        said();

        log.raised(finding("orders", "deadlock", Severity.CRITICAL));

        assertThat(lines.list).extracting(ILoggingEvent::getLevel).containsExactly(Level.ERROR);
    }

    @Test
    void resolved_afterRaised_isLoggedOnce() {
        Finding finding = finding("orders", "late");
        log.raised(finding);
        said();
        clock.pass(Duration.ofSeconds(10));

        log.resolved(finding);

        assertThat(said())
                .containsExactly(
                        "pool 'orders': resolved, seen in 1 window of the last 10 s; it was: late. [cpu-saturated]");
    }

    @Test
    void raised_againAndAgain_isAtMostOneRaiseAndOneResolutionAMinute() {
        Finding finding = finding("orders", "late");
        for (int i = 0; i < 60; i++) {
            log.raised(finding);
            clock.pass(Duration.ofSeconds(5));
            log.updated(finding);
            log.resolved(finding);
            clock.pass(Duration.ofSeconds(5));
        }

        List<String> said = said();
        assertThat(said).hasSizeBetween(3, 21);
        assertThat(said.get(said.size() - 1)).containsPattern("raised \\d+ times");
    }

    /** The last line of the log must not say that the finding holds. */
    @Test
    void resolved_afterAReminder_isLoggedEvenWithinTheMinute() {
        Finding finding = finding("orders", "late");
        log.raised(finding);
        log.resolved(finding);
        log.raised(finding);
        clock.pass(Duration.ofSeconds(60));
        log.updated(finding);
        clock.pass(Duration.ofSeconds(1));
        said();

        log.resolved(finding);

        assertThat(said())
                .singleElement()
                .asString()
                .startsWith("pool 'orders': resolved, seen in 2 windows of the last 61 s, raised 2 times;");
    }

    @Test
    void raised_otherPool_hasItsOwnLines() {
        log.raised(finding("orders", "late"));
        log.raised(finding("mails", "late"));

        assertThat(said()).hasSize(2);
    }

    @Test
    void raised_textsOfUsers_cannotForgeALine() {
        log.raised(finding("x': fine. [ok]\r\n2026-01-01 ERROR pool 'y", "\u001b[31mred\u2028\u202eturned\u0000{}"));

        String line = said().get(0);
        assertThat(line.chars().filter(Character::isISOControl)).isEmpty();
        assertThat(line)
                .doesNotContain("\u2028", "\u202e")
                .startsWith("pool 'x\\': fine. [ok]\\u000d\\u000a2026-01-01 ERROR pool \\'y': \\u001b[31mred\\u2028")
                .contains("{}");
        assertThat(lines.list).isEmpty();
    }

    @Test
    void raised_textInEvidence_isCleanToo() {
        log.raised(finding("orders", "late"));

        assertThat(lines.list.get(0).getKeyValuePairs())
                .filteredOn(pair -> pair.key.equals("text"))
                .extracting(pair -> pair.value)
                .containsExactly("a\\u000ab");
    }

    @Test
    void raised_stackAndLongTextInEvidence_leaveKeyValuesShort() {
        log.raised(Finding.of("stuck-task", Windows.of("orders").build())
                .summary("stuck")
                .evidence("worker", "orders-1")
                .evidence("stack", List.of("a.A.a(A.java:1)", "b.B.b(B.java:2)"))
                .evidence("kind", "k".repeat(5_000))
                .build());

        assertThat(lines.list.get(0).getKeyValuePairs())
                .extracting(pair -> pair.key)
                .containsExactly("pool", "finding", "severity", "since", "worker", "kind");
        assertThat(lines.list.get(0).getKeyValuePairs())
                .allMatch(pair -> String.valueOf(pair.value).length() <= 201);
    }

    @Test
    void raised_longName_isCut() {
        log.raised(finding("n".repeat(100_000), "s".repeat(100_000)));

        assertThat(said().get(0).length()).isLessThan(3_000);
    }
}
