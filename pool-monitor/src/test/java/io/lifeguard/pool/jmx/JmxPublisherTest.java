package io.lifeguard.pool.jmx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.recording.EventType;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.management.JMX;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A remote JMX client sees pools with any name, their findings, and writes the black box. */
class JmxPublisherTest {

    /** The global monitor publishes these pools too, in the usual domain. */
    private static final String DOMAIN = "io.lifeguard.test";

    private static final String HOSTILE = "jmx a,b=\"c\"*?:\n\\ ü";

    @TempDir
    Path directory;

    private PoolMonitor monitor;
    private JmxPublisher publisher;
    private InstrumentedThreadPoolExecutor pool;
    private JMXConnectorServer server;
    private JMXConnector client;
    private MBeanServerConnection remote;

    @BeforeEach
    @SuppressWarnings("BanJNDI") // the address is this test's own, on loopback
    void connect() throws Exception {
        monitor = PoolMonitor.builder()
                .window(Duration.ofMillis(50))
                .grace(Duration.ZERO)
                .onlyRules(List.of(window -> window.pool().equals(HOSTILE)
                        ? Verdict.found(Finding.of("always", window)
                                .severity(Severity.CRITICAL)
                                .summary("it is so")
                                .advice("leave it")
                                .build())
                        : Verdict.clear()))
                .build();
        publisher = new JmxPublisher("on", DOMAIN, () -> monitor);
        pool = InstrumentedThreadPoolExecutor.named(HOSTILE).size(1).build();
        String host = InetAddress.getLoopbackAddress().getHostAddress();
        server = JMXConnectorServerFactory.newJMXConnectorServer(
                new JMXServiceURL("rmi", host, 0), null, ManagementFactory.getPlatformMBeanServer());
        server.start();
        client = JMXConnectorFactory.connect(server.getAddress());
        remote = client.getMBeanServerConnection();
    }

    @AfterEach
    void disconnect() throws Exception {
        pool.shutdownNow();
        assertThat(pool.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        monitor.close();
        for (ObjectName name : ManagementFactory.getPlatformMBeanServer().queryNames(all(), null)) {
            ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
        }
        client.close();
        server.stop();
    }

    @Test
    void pool_withHostileName_showsItsFigures() throws Exception {
        for (int i = 0; i < 3; i++) {
            pool.submit(() -> {}).get(20, TimeUnit.SECONDS);
        }
        publisher.roundEnded();

        PoolMXBean bean = JMX.newMXBeanProxy(remote, name(), PoolMXBean.class);
        await().atMost(Duration.ofSeconds(20)).until(() -> bean.getCompleted() == 3);
        assertThat(bean.getName()).isEqualTo(HOSTILE);
        assertThat(bean.getSize()).isEqualTo(1);
        assertThat(bean.getSubmitted()).isEqualTo(3);
        assertThat(bean.getQueueRemaining()).isEqualTo(1024);
        assertThat(bean.getServiceTimeP99()).isNotNegative();
        assertThat(bean.getServiceTimeMean()).isNotNegative();
    }

    @Test
    void findings_remoteClient_seesThemWithTheirPool() throws Exception {
        await().atMost(Duration.ofSeconds(20)).until(() -> !monitor.findings().isEmpty());
        publisher.roundEnded();

        FindingsMXBean bean = findings();
        assertThat(bean.getCount()).isEqualTo(1);
        assertThat(bean.getWorstSeverity()).isEqualTo("CRITICAL");
        assertThat(bean.getFindings()).containsExactly(HOSTILE + ": CRITICAL always: it is so leave it");
        assertThat(JMX.newMXBeanProxy(remote, name(), PoolMXBean.class).getFindings())
                .containsExactly("CRITICAL always: it is so");
    }

    @Test
    void dump_remoteClient_writesARecordingOnce() throws Exception {
        await().atMost(Duration.ofSeconds(20)).until(() -> !monitor.findings().isEmpty());
        publisher.roundEnded();
        Path file = directory.resolve("box.jfr");

        assertThat(findings().dump(file.toString())).isEqualTo(file.toString());

        assertThat(RecordingFile.readAllEvents(file)).anySatisfy(event -> {
            assertThat(event.getEventType().getName()).isEqualTo(EventType.WINDOW.eventName());
            assertThat(event.getString("pool")).isEqualTo(HOSTILE);
        });
        byte[] before = Files.readAllBytes(file);
        assertThatThrownBy(() -> findings().dump(file.toString())).hasMessageContaining(file.toString());
        assertThatThrownBy(() -> findings().dump("box.txt")).hasMessageContaining("box.txt");
        assertThat(file).hasBinaryContent(before);
    }

    @Test
    void pool_thatHasEnded_isRemoved() throws Exception {
        publisher.roundEnded();
        assertThat(remote.isRegistered(name())).isTrue();

        pool.shutdown();
        assertThat(pool.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        publisher.roundEnded();

        assertThat(remote.isRegistered(name())).isFalse();
    }

    /** Otherwise the server would keep the classes of an application that was stopped. */
    @Test
    void watch_thatHasEnded_leavesNoBeansUntilTheNextWindow() throws Exception {
        publisher.roundEnded();
        assertThat(remote.queryNames(all(), null)).hasSize(2);

        publisher.watchEnded();
        assertThat(remote.queryNames(all(), null)).isEmpty();

        publisher.roundEnded();
        assertThat(remote.queryNames(all(), null)).hasSize(2);
    }

    @Test
    void pools_switchedOff_areNotRegistered() throws Exception {
        new JmxPublisher("off", DOMAIN, () -> monitor).roundEnded();

        assertThat(remote.queryNames(all(), null)).isEmpty();
    }

    @Test
    void wish_thatIsNoSetting_isLoggedWithTheAllowedValues() {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger("io.lifeguard.pool.diagnosis");
        lines.start();
        logger.addAppender(lines);
        try {
            for (String allowed : List.of("on", "off", "auto", "OFF")) {
                new JmxPublisher(allowed, DOMAIN, () -> monitor);
            }
            new JmxPublisher("yes", DOMAIN, () -> monitor);
        } finally {
            logger.detachAppender(lines);
        }

        assertThat(lines.list)
                .filteredOn(line -> line.getFormattedMessage().startsWith("lifeguard.jmx "))
                .singleElement()
                .satisfies(line -> {
                    assertThat(line.getLevel()).isEqualTo(Level.WARN);
                    assertThat(line.getFormattedMessage())
                            .isEqualTo("lifeguard.jmx must be on, off or auto (was 'yes'); it is taken for auto");
                });
    }

    private FindingsMXBean findings() throws Exception {
        return JMX.newMXBeanProxy(remote, new ObjectName(DOMAIN + ":type=Findings"), FindingsMXBean.class);
    }

    private static ObjectName all() throws Exception {
        return new ObjectName(DOMAIN + ":*");
    }

    private static ObjectName name() throws Exception {
        return new ObjectName(DOMAIN + ":type=Pool,name=" + ObjectName.quote(HOSTILE));
    }
}
