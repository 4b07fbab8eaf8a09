package io.lifeguard.pool.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.read.ListAppender;
import ch.qos.logback.core.spi.FilterReply;
import io.lifeguard.pool.diagnosis.FindingEvent.Kind;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One bounded record with stable names for each event. */
class FindingEventLogTest {

    private static final Set<String> FROM_THE_FINDING = Set.of(
            "lifeguard.finding.id",
            "lifeguard.pool.name",
            "lifeguard.finding.place",
            "lifeguard.finding.why",
            "lifeguard.finding.summary");

    private final LoggerContext logging = new LoggerContext();
    private final CountingAppender records = new CountingAppender();
    private final FindingEventLog log = new FindingEventLog(logging.getLogger(FindingEventLog.LOGGER));

    @BeforeEach
    void listen() {
        records.setContext(logging);
        records.start();
        logging.getLogger(FindingEventLog.LOGGER).addAppender(records);
    }

    private static Finding finding(String pool, String summary, String place) {
        return new Finding(
                "lock-contention",
                Severity.CRITICAL,
                pool,
                summary,
                "a",
                Map.of("place", place),
                OptionalInt.of(4),
                Instant.EPOCH);
    }

    /** Waits until the record is written. */
    private void accept(FindingEvent event) {
        int written = records.count.get();
        log.accept(event);
        await().until(() -> records.count.get() > written);
    }

    /** Says to other threads when it has a record. */
    private static final class CountingAppender extends ListAppender<ILoggingEvent> {
        private final AtomicInteger count = new AtomicInteger();

        @Override
        protected void append(ILoggingEvent record) {
            super.append(record);
            count.incrementAndGet();
        }
    }

    private Map<String, Object> last() {
        Map<String, Object> attributes = new LinkedHashMap<>();
        records.list
                .get(records.list.size() - 1)
                .getKeyValuePairs()
                .forEach(pair -> attributes.put(pair.key, pair.value));
        return attributes;
    }

    @Test
    void accept_foundAndResolved_areNumberedRecords() {
        Finding finding = finding("orders", "7 of 8 wait", "Orders.load(Orders.java:42)");

        accept(new FindingEvent(Kind.FOUND, finding, "", true));

        assertThat(last()).containsExactlyEntriesOf(expected(finding));
        assertThat(records.list.get(0).getLevel()).isEqualTo(Level.ERROR);
        accept(new FindingEvent(Kind.RESOLVED, finding, "", false));
        assertThat(last())
                .containsEntry("lifeguard.event.number", 2L)
                .containsEntry("lifeguard.finding.change", "resolved")
                .containsEntry("lifeguard.finding.stands", false);
        assertThat(records.list.get(1).getLevel()).isEqualTo(Level.ERROR);
    }

    /** The monitor goes on while an appender holds the line of an earlier finding, and nothing is lost. */
    @Test
    void accept_appenderThatIsStuck_returnsAndWritesLater() throws InterruptedException {
        CountDownLatch stuck = new CountDownLatch(1);
        records.addFilter(new Filter<>() {
            @Override
            public FilterReply decide(ILoggingEvent record) {
                try {
                    stuck.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return FilterReply.NEUTRAL;
            }
        });
        Finding finding = finding("orders", "7 of 8 wait", "Orders.load(Orders.java:42)");

        log.accept(new FindingEvent(Kind.FOUND, finding, "", true));
        log.accept(new FindingEvent(Kind.RESOLVED, finding, "", false));

        assertThat(records.list).isEmpty();
        stuck.countDown();
        log.close();
        assertThat(records.list).hasSize(2);
        assertThat(last()).containsEntry("lifeguard.event.number", 2L);
    }

    @Test
    void close_interruptedThread_staysInterrupted() {
        log.accept(new FindingEvent(Kind.FOUND, finding("orders", "7 of 8 wait", "a"), "", true));
        Thread.currentThread().interrupt();

        log.close();

        assertThat(Thread.interrupted()).isTrue();
    }

    private Map<String, Object> expected(Finding finding) {
        Map<String, Object> attributes = new LinkedHashMap<>();
        attributes.put("event.name", "lifeguard.finding");
        attributes.put("lifeguard.event.source", last().get("lifeguard.event.source"));
        attributes.put("lifeguard.event.number", 1L);
        attributes.put("lifeguard.finding.change", "found");
        attributes.put("lifeguard.finding.stands", true);
        attributes.put("lifeguard.finding.id", "lock-contention");
        attributes.put("lifeguard.finding.severity", "critical");
        attributes.put("lifeguard.finding.since", "1970-01-01T00:00:00Z");
        attributes.put("lifeguard.pool.name", "orders");
        attributes.put("lifeguard.finding.place", "Orders.load(Orders.java:42)");
        attributes.put("lifeguard.pool.recommended_size", 4L);
        attributes.put("lifeguard.finding.summary", finding.summary());
        return attributes;
    }

    @Test
    void accept_longAndHostileTexts_areBounded() {
        String orders = "ignore\nall".repeat(500);

        accept(new FindingEvent(Kind.UNKNOWN, finding(orders, orders, orders), orders, false));

        int characters = last().entrySet().stream()
                .filter(entry -> FROM_THE_FINDING.contains(entry.getKey()))
                .mapToInt(entry -> ((String) entry.getValue()).length())
                .sum();
        assertThat(characters).isBetween(500, FindingAttributes.MOST_TEXT_BYTES);
        assertThat(last().values()).noneMatch(value -> value.toString().contains("\n"));
    }
}
