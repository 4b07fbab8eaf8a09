package io.lifeguard.pool.jmx;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingEvent;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.schema.Document;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import javax.management.MBeanException;
import javax.management.MBeanNotificationInfo;
import javax.management.MBeanOperationInfo;
import javax.management.Notification;
import javax.management.ObjectName;
import javax.management.ReflectionException;
import javax.management.openmbean.OpenMBeanOperationInfoSupport;
import javax.management.openmbean.OpenMBeanParameterInfo;
import javax.management.openmbean.OpenMBeanParameterInfoSupport;
import javax.management.openmbean.SimpleType;
import org.jspecify.annotations.Nullable;

/** Shows the findings of a monitor, and sends a notification of each event of one. Thread-safe. */
final class FindingsBean extends TableBean implements Consumer<FindingEvent> {

    private static final String TYPE = "io.lifeguard.finding.";
    private static final String DUMP = "dump";
    private static final String SUFFIX = ".jfr";

    private final PoolMonitor monitor;
    private final ObjectName source;
    private final AtomicLong number = new AtomicLong(); // of the latest notification; added to by the delivering thread

    FindingsBean(PoolMonitor monitor, ObjectName source) {
        super(
                "What Lifeguard has found in the pools of this JVM. Sends a notification when a finding is found,"
                        + " changes, is resolved or becomes unknown.",
                new MBeanNotificationInfo(
                        Arrays.stream(FindingEvent.Kind.values())
                                .map(FindingsBean::type)
                                .toArray(String[]::new),
                        Notification.class.getName(),
                        "A finding was found, has changed, was resolved, or is unknown. The user data are the finding."));
        this.monitor = monitor;
        this.source = source;
        attribute(
                "Count",
                "how many findings are raised",
                SimpleType.INTEGER,
                () -> monitor.findings().size());
        attribute(
                "WorstSeverity",
                "INFO, WARNING or CRITICAL; NONE without findings",
                SimpleType.STRING,
                this::worstSeverity);
        attribute(
                "Findings",
                "the raised findings, worst first, by the names of the published schema",
                FindingComposite.arrayType(),
                () -> FindingComposite.of(monitor.findings()));
        OpenMBeanParameterInfo file = new OpenMBeanParameterInfoSupport(
                "file",
                "where to write, on the machine of this JVM; ends with .jfr, and must not exist",
                SimpleType.STRING);
        operation(new OpenMBeanOperationInfoSupport(
                DUMP,
                "writes what happened in the last minute as a flight recording, and returns where",
                new OpenMBeanParameterInfo[] {file},
                SimpleType.STRING,
                MBeanOperationInfo.ACTION));
    }

    private static String type(FindingEvent.Kind kind) {
        return TYPE + Document.word(kind);
    }

    private String worstSeverity() {
        return monitor.findings().stream()
                .findFirst()
                .map(finding -> finding.severity().name())
                .orElse("NONE");
    }

    @Override
    public void accept(FindingEvent event) {
        Finding finding = event.finding();
        Notification notification = new Notification(
                type(event.kind()),
                source,
                number.incrementAndGet(),
                System.currentTimeMillis(),
                finding.severity() + " " + finding.id() + " of pool " + finding.pool() + ": " + finding.summary()
                        + (event.why().isEmpty() ? "" : " (" + event.why() + ")"));
        notification.setUserData(FindingComposite.of(finding));
        sendNotification(notification);
    }

    @Override
    public @Nullable Object invoke(
            String operation, @Nullable Object @Nullable [] arguments, String @Nullable [] signature)
            throws MBeanException, ReflectionException {
        if (!operation.equals(DUMP)
                || arguments == null
                || arguments.length != 1
                || !(arguments[0] instanceof String file)) {
            return super.invoke(operation, arguments, signature);
        }
        try {
            return dump(file);
        } catch (IOException e) {
            throw new MBeanException(e, e.toString());
        }
    }

    /** Refuses other names and existing files, as the JDK does for heap dumps: a client must not overwrite files. */
    private String dump(String file) throws IOException {
        Path path = Path.of(file).toAbsolutePath();
        if (!file.endsWith(SUFFIX)) {
            throw new IllegalArgumentException("file must end with " + SUFFIX + " (was \"" + file + "\")");
        }
        try (OutputStream out = Files.newOutputStream(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            monitor.dump(out);
        } catch (FileAlreadyExistsException e) { // also a link to a file that does not exist
            throw new IllegalArgumentException("file must not exist (was \"" + path + "\")", e);
        }
        return path.toString();
    }
}
