package io.lifeguard.pool.diagnosis.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The log's thread, beside an appender that is stuck until a test lets it go on. */
class LogLinesTest {

    private final CountDownLatch free = new CountDownLatch(1);
    private final List<String> written = new CopyOnWriteArrayList<>();
    private final List<Thread> writers = new CopyOnWriteArrayList<>();
    private LogLines lines;
    private Logger logger;

    @BeforeEach
    void make() {
        LoggerContext context = new LoggerContext();
        logger = context.getLogger("test");
        AppenderBase<ILoggingEvent> stuck = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                try {
                    free.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                written.add(event.getFormattedMessage());
                writers.add(Thread.currentThread());
            }
        };
        stuck.setContext(context);
        stuck.start();
        logger.addAppender(stuck);
        lines = new LogLines(() -> logger);
    }

    @AfterEach
    void letGo() {
        free.countDown();
    }

    @Test
    void write_appenderIsStuck_doesNotWaitAndIsLoggedLaterInOrder() {
        lines.write(log -> log.info("one"));
        lines.write(log -> log.info("two"));
        assertThat(written).isEmpty();

        free.countDown();
        await().untilAsserted(() -> assertThat(written).containsExactly("one", "two"));
        assertThat(writers)
                .allMatch(thread -> thread.isDaemon() && thread.getName().equals("lifeguard-log"));
    }

    @Test
    void write_moreThanTheBacklogTakes_saysOnceHowManyWereDropped() {
        CountDownLatch begun = new CountDownLatch(1);
        lines.write(log -> {
            begun.countDown();
            log.info("first");
        });
        await().until(() -> begun.getCount() == 0);
        IntStream.range(0, 1_024 + 7).forEach(i -> lines.write(log -> log.info("line {}", i)));

        free.countDown();

        await().untilAsserted(() -> assertThat(written).hasSize(1 + 1 + 1_024));
        assertThat(written.get(1)).startsWith("7 lines were dropped");
        assertThat(written).endsWith("line 1023");
    }

    @Test
    void write_lineThatThrows_writesTheNextOne() {
        free.countDown();
        lines.write(log -> {
            throw new IllegalStateException("on purpose");
        });
        lines.write(log -> log.info("next"));

        await().untilAsserted(() -> assertThat(written).containsExactly("next"));
    }

    @Test
    void write_noLineForASecond_endsTheThread() {
        free.countDown();
        lines.write(log -> log.info("only"));
        await().until(() -> writers.size() == 1);

        await().until(() -> !writers.get(0).isAlive());
    }
}
