package io.lifeguard.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.examples.Command;
import io.lifeguard.examples.RecordedTerminal;
import io.lifeguard.pool.otlp.OtlpReceiver;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * The scaled form of an outage: 30 instances, and a receiver that is away for a second and loses answers before. The
 * records of a source tell what is missing and what came twice.
 */
class FleetTelemetryTest {

    private static final int INSTANCES = 30;

    /** 25 with the lock and 3 in line, 5 that turn critical, 1 that is cured. */
    private static final int EVENTS = 34;

    private final RecordedTerminal terminal = RecordedTerminal.plain();

    @Test
    void run_receiverAwayMeanwhile_nothingIsLostAndWhatCameTwiceIsKnown() throws Exception {
        try (OtlpReceiver receiver = OtlpReceiver.start()) {
            receiver.loseAnswers(2);
            CompletableFuture<Integer> played =
                    CompletableFuture.supplyAsync(() -> run(receiver.endpoint(), "--seconds=3", "--outage=4"));
            Awaitility.await().atMost(60, TimeUnit.SECONDS).until(() -> receiver.records.size() >= 4);
            receiver.goAway();
            Awaitility.await().pollDelay(1, TimeUnit.SECONDS).until(() -> true); // the outage
            receiver.comeBack();

            assertThat(played.get(120, TimeUnit.SECONDS)).as(terminal.err()).isEqualTo(Command.OK);

            assertThat(receiver.records).as("an answer that was lost").hasSizeGreaterThan(EVENTS);
            Set<String> once = new HashSet<>();
            receiver.records.forEach(record -> once.add(source(record) + " " + number(record)));
            assertThat(once).as("each record, once").hasSize(EVENTS);
            assertThat(receiver.records.stream()
                            .collect(Collectors.toMap(
                                    FleetTelemetryTest::source,
                                    FleetTelemetryTest::number,
                                    BinaryOperator.maxBy(Comparator.naturalOrder())))
                            .values()
                            .stream()
                            .mapToLong(Long::longValue)
                            .sum())
                    .as("the numbers have no gap")
                    .isEqualTo(EVENTS);
            assertThat(standing(receiver.records))
                    .isEqualTo(Map.of("lock-contention", 24L, "downstream-saturated", 3L));
        }
    }

    /** As the query in the documentation: the latest record of each source, if its finding stands. */
    private static Map<String, Long> standing(List<LogRecord> records) {
        Map<String, LogRecord> latest = new TreeMap<>();
        records.forEach(record -> latest.merge(
                source(record) + " " + text(record, "lifeguard.finding.id"),
                record,
                BinaryOperator.maxBy(Comparator.comparingLong(FleetTelemetryTest::number))));
        return latest.values().stream()
                .filter(record -> value(record, "lifeguard.finding.stands").getBoolValue())
                .collect(Collectors.groupingBy(record -> text(record, "lifeguard.finding.id"), Collectors.counting()));
    }

    private int run(String... arguments) {
        List<String> all = new ArrayList<>(List.of("--instances=" + INSTANCES));
        all.addAll(List.of(arguments));
        return new FleetTelemetry().run(all, terminal.terminal());
    }

    private static String source(LogRecord record) {
        return text(record, "lifeguard.event.source");
    }

    private static long number(LogRecord record) {
        return value(record, "lifeguard.event.number").getIntValue();
    }

    private static String text(LogRecord record, String name) {
        return value(record, name).getStringValue();
    }

    private static AnyValue value(LogRecord record, String name) {
        return record.getAttributesList().stream()
                .filter(attribute -> attribute.getKey().equals(name))
                .findFirst()
                .orElseThrow()
                .getValue();
    }

    @Test
    void run_badArguments_saysWhatIsWrong() {
        assertThat(run("ftp://x")).isEqualTo(Command.USAGE);
        assertThat(run("--outage=-1", "http://x")).isEqualTo(Command.USAGE);
        assertThat(run()).isEqualTo(Command.USAGE);
        assertThat(terminal.err())
                .contains("the endpoint must be a http or https address (was \"ftp://x\")")
                .contains("--outage must be a whole number from 0 to 3600 (was \"-1\")")
                .contains("the endpoint is missing");
    }
}
