package io.lifeguard.pool.jmx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.diagnosis.Severity;
import io.lifeguard.pool.diagnosis.Verdict;
import io.lifeguard.pool.recording.EventType;
import io.lifeguard.pool.schema.SchemaCheck;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import javax.management.Attribute;
import javax.management.MBeanFeatureInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanServerConnection;
import javax.management.Notification;
import javax.management.ObjectName;
import javax.management.ReflectionException;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** A remote JMX client sees pools with any name, their findings, and writes the black box. */
class JmxPublisherTest {

    /** The global monitor publishes these pools too, in the usual domain. */
    private static final String DOMAIN = "io.lifeguard.test";

    private static final String HOSTILE = "jmx a,b=\"c\"*?:\n\\ ü";

    @TempDir
    Path directory;

    private final List<String> lines = new ArrayList<>();
    private final BiConsumer<System.Logger.Level, String> log = (level, line) -> lines.add(level + " " + line);

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
                                .evidence("lasts", Duration.ofMillis(1500))
                                .recommendedSize(3)
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
        publisher.roundEnded(log);

        await().atMost(Duration.ofSeconds(20))
                .until(() -> get(name(), "Completed").equals(3L));
        assertThat(get(name(), "Name")).isEqualTo(HOSTILE);
        assertThat(get(name(), "Size")).isEqualTo(1);
        assertThat(get(name(), "Submitted")).isEqualTo(3L);
        assertThat(get(name(), "QueueRemaining")).isEqualTo(1024);
        assertThat((double) get(name(), "ServiceTimeP99")).isNotNegative();
        assertThat((double) get(name(), "ServiceTimeMean")).isNotNegative();
    }

    /** A console asks for all attributes by the names in the bean's description. */
    @Test
    void pool_attributesThatItLists_canAllBeRead() throws Exception {
        publisher.roundEnded(log);

        String[] names = Arrays.stream(remote.getMBeanInfo(name()).getAttributes())
                .map(MBeanFeatureInfo::getName)
                .toArray(String[]::new);

        assertThat(names).hasSize(19);
        assertThat(remote.getAttributes(name(), names)).hasSameSizeAs(names);
        assertThatThrownBy(() -> get(name(), "Sise")).hasMessageContaining("Sise");
        assertThatThrownBy(() -> remote.setAttribute(name(), new Attribute("Size", 2)))
                .hasMessageContaining("Size");
    }

    @Test
    void findings_remoteClient_seesThemWithTheirPool() throws Exception {
        await().atMost(Duration.ofSeconds(20)).until(() -> !monitor.findings().isEmpty());
        publisher.roundEnded(log);

        assertThat(get(findings(), "Count")).isEqualTo(1);
        assertThat(get(findings(), "WorstSeverity")).isEqualTo("CRITICAL");
        CompositeData[] raised = (CompositeData[]) get(findings(), "Findings");
        assertThat(raised).hasSize(1);
        assertThat(raised[0].getAll(new String[] {"id", "pool", "severity", "advice", "place", "recommendedSize"}))
                .containsExactly("always", HOSTILE, "critical", "leave it. The recommended size is 3.", null, 3);
        TabularData evidence = (TabularData) raised[0].get("evidence");
        assertThat(evidence.get(new Object[] {"lastsSeconds"}).get("value")).isEqualTo("1.5");
        assertThat((CompositeData[]) get(name(), "Findings")).hasSize(1);
    }

    @Test
    void findings_compositeData_followTheSchema() throws Exception {
        await().atMost(Duration.ofSeconds(20)).until(() -> !monitor.findings().isEmpty());
        publisher.roundEnded(log);

        for (ObjectName bean : List.of(findings(), name())) {
            CompositeData[] findings = (CompositeData[]) get(bean, "Findings");
            assertThat(findings).hasSize(1);
            SchemaCheck.part("finding", json(findings[0]));
        }
    }

    @Test
    void findings_changes_areNotified() throws Exception {
        monitor.switchOff("always");
        publisher.roundEnded(log);
        BlockingQueue<Notification> heard = new LinkedBlockingQueue<>();
        remote.addNotificationListener(findings(), (notification, ignored) -> heard.add(notification), null, null);

        monitor.switchOn("always");
        Notification found = heard.poll(20, TimeUnit.SECONDS);
        monitor.switchOff("always");
        Notification ended = heard.poll(20, TimeUnit.SECONDS);

        assertThat(found.getType()).isEqualTo("io.lifeguard.finding.found");
        assertThat(found.getMessage()).startsWith("CRITICAL always of pool ").endsWith("it is so");
        SchemaCheck.part("finding", json((CompositeData) found.getUserData()));
        assertThat(ended.getType()).isEqualTo("io.lifeguard.finding.unknown");
    }

    @Test
    void beans_partsOfThem_areDescribed() throws Exception {
        publisher.roundEnded(log);

        for (ObjectName bean : List.of(findings(), name())) {
            MBeanInfo info = remote.getMBeanInfo(bean);
            assertThat(info.getDescription()).doesNotStartWith("io.lifeguard");
            assertThat(info.getAttributes())
                    .allSatisfy(attribute -> assertThat(attribute.getDescription())
                            .as(attribute.getName())
                            .isNotBlank()
                            .isNotEqualTo(attribute.getName()));
        }
        MBeanInfo findings = remote.getMBeanInfo(findings());
        assertThat(findings.getOperations()).singleElement().satisfies(operation -> {
            assertThat(operation.getDescription()).startsWith("writes what happened");
            assertThat(operation.getSignature()[0].getName()).isEqualTo("file");
            assertThat(operation.getSignature()[0].getDescription()).contains(".jfr");
        });
        assertThat(findings.getNotifications()[0].getNotifTypes())
                .containsExactly(
                        "io.lifeguard.finding.found",
                        "io.lifeguard.finding.changed",
                        "io.lifeguard.finding.resolved",
                        "io.lifeguard.finding.unknown");
    }

    /** As any client would write it: what is null is absent, and a table is an object. */
    private static String json(CompositeData data) throws Exception {
        Map<String, Object> json = new LinkedHashMap<>();
        for (String name : data.getCompositeType().keySet()) {
            Object value = data.get(name);
            if (value instanceof TabularData table) {
                Map<Object, Object> rows = new LinkedHashMap<>();
                table.values()
                        .forEach(row -> rows.put(((CompositeData) row).get("key"), ((CompositeData) row).get("value")));
                json.put(name, rows);
            } else if (value != null) {
                json.put(name, value);
            }
        }
        return JsonMapper.builder().build().writeValueAsString(json);
    }

    @Test
    void dump_remoteClient_writesARecordingOnce() throws Exception {
        await().atMost(Duration.ofSeconds(20)).until(() -> !monitor.findings().isEmpty());
        publisher.roundEnded(log);
        Path file = directory.resolve("box.jfr");

        assertThat(dump(file.toString())).isEqualTo(file.toString());

        assertThat(RecordingFile.readAllEvents(file)).anySatisfy(event -> {
            assertThat(event.getEventType().getName()).isEqualTo(EventType.WINDOW.eventName());
            assertThat(event.getString("pool")).isEqualTo(HOSTILE);
        });
        byte[] before = Files.readAllBytes(file);
        assertThatThrownBy(() -> dump(file.toString())).hasMessageContaining(file.toString());
        assertThatThrownBy(() -> dump("box.txt"))
                .hasMessageContaining("box.txt")
                .hasCauseInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ManagementFactory.getPlatformMBeanServer().invoke(findings(), "dump", null, null))
                .isInstanceOf(ReflectionException.class)
                .hasMessage("no operation dump with such parameters");
        assertThat(file).hasBinaryContent(before);
    }

    /** Otherwise a link leads to a file of any name, in any place. */
    @Test
    @DisabledOnOs(OS.WINDOWS)
    void dump_linkToNowhere_isRefused() throws Exception {
        publisher.roundEnded(log);
        Path target = directory.resolve("authorized_keys");
        Path link = Files.createSymbolicLink(directory.resolve("link.jfr"), target);

        assertThatThrownBy(() -> dump(link.toString())).hasMessageContaining(link.toString());

        assertThat(target).doesNotExist();
    }

    @Test
    void pool_thatHasEnded_isRemoved() throws Exception {
        publisher.roundEnded(log);
        assertThat(remote.isRegistered(name())).isTrue();

        pool.shutdown();
        assertThat(pool.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        publisher.roundEnded(log);

        assertThat(remote.isRegistered(name())).isFalse();
    }

    /** Otherwise the server would keep the classes of an application that was stopped. */
    @Test
    void watch_thatHasEnded_leavesNoBeansUntilTheNextWindow() throws Exception {
        publisher.roundEnded(log);
        assertThat(remote.queryNames(all(), null)).contains(name());

        publisher.watchEnded();
        assertThat(remote.queryNames(all(), null)).isEmpty();

        publisher.roundEnded(log);
        assertThat(remote.queryNames(all(), null)).contains(name());
    }

    @Test
    void pools_switchedOff_areNotRegistered() throws Exception {
        new JmxPublisher("off", DOMAIN, () -> monitor).roundEnded(log);

        assertThat(remote.queryNames(all(), null)).isEmpty();
    }

    @Test
    void wish_thatIsNoSetting_isLoggedOnceWithTheAllowedValues() {
        for (String allowed : List.of("on", "off", "auto", "OFF")) {
            JmxPublisher correct = new JmxPublisher(allowed, DOMAIN, () -> monitor);
            correct.roundEnded(log);
            correct.watchEnded();
        }
        assertThat(lines).isEmpty();

        JmxPublisher mistaken = new JmxPublisher("yes", DOMAIN, () -> monitor);
        mistaken.roundEnded(log);
        mistaken.roundEnded(log);

        assertThat(lines)
                .containsExactly("WARNING lifeguard.jmx must be on, off or auto (was 'yes'); it is taken for auto");
        mistaken.watchEnded();
    }

    /** Each application of a server may bring this library, and all use the platform's MBean server. */
    @Test
    void roundEnded_otherCopyHasTheNames_showsItsOwnWithTheLoader() throws Exception {
        publisher.roundEnded(log);
        PoolMonitor second = PoolMonitor.builder()
                .onlyRules(List.of(window -> Verdict.clear()))
                .build();
        JmxPublisher copy = new JmxPublisher("on", DOMAIN, () -> second);
        try {
            copy.roundEnded(log);
            copy.roundEnded(log);

            assertThat(lines).isEmpty();
            ObjectName own = remote.queryNames(new ObjectName(DOMAIN + ":type=Findings,loader=*"), null)
                    .iterator()
                    .next();
            assertThat(get(own, "Count")).isEqualTo(0);
            assertThat(remote.queryNames(new ObjectName(DOMAIN + ":type=Pool,loader=*,*"), null))
                    .hasSize(second.pools().size());
            copy.watchEnded();
            assertThat(remote.queryNames(new ObjectName(DOMAIN + ":loader=*,*"), null))
                    .isEmpty();
            assertThat(remote.isRegistered(findings())).isTrue();
        } finally {
            second.close();
        }
    }

    private Object get(ObjectName bean, String attribute) throws Exception {
        return remote.getAttribute(bean, attribute);
    }

    private Object dump(String file) throws Exception {
        return remote.invoke(findings(), "dump", new Object[] {file}, new String[] {String.class.getName()});
    }

    private static ObjectName findings() throws Exception {
        return new ObjectName(DOMAIN + ":type=Findings");
    }

    private static ObjectName all() throws Exception {
        return new ObjectName(DOMAIN + ":*");
    }

    private static ObjectName name() throws Exception {
        return new ObjectName(DOMAIN + ":type=Pool,name=" + ObjectName.quote(HOSTILE));
    }
}
