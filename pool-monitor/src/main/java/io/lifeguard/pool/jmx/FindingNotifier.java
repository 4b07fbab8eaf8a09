package io.lifeguard.pool.jmx;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.diagnosis.FindingEvent;
import io.lifeguard.pool.schema.Document;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import javax.management.MBeanNotificationInfo;
import javax.management.Notification;
import javax.management.NotificationBroadcasterSupport;
import javax.management.ObjectName;

/** Sends a notification of each event of a finding. Thread-safe. */
final class FindingNotifier extends NotificationBroadcasterSupport implements Consumer<FindingEvent> {

    private static final String TYPE = "io.lifeguard.finding.";

    private final ObjectName source;
    private final AtomicLong number = new AtomicLong(); // of the latest notification; added to by the delivering thread

    FindingNotifier(ObjectName source) {
        super(new MBeanNotificationInfo(
                Arrays.stream(FindingEvent.Kind.values())
                        .map(FindingNotifier::type)
                        .toArray(String[]::new),
                Notification.class.getName(),
                "A finding was found, has changed, was resolved, or is unknown. The user data are the finding."));
        this.source = source;
    }

    private static String type(FindingEvent.Kind kind) {
        return TYPE + Document.word(kind);
    }

    @Override
    public void accept(FindingEvent event) {
        Notification notification = new Notification(
                type(event.kind()),
                source,
                number.incrementAndGet(),
                System.currentTimeMillis(),
                line(event.finding()) + (event.why().isEmpty() ? "" : " (" + event.why() + ")"));
        notification.setUserData(FindingData.of(event.finding()).composite());
        sendNotification(notification);
    }

    private static String line(Finding finding) {
        return finding.severity() + " " + finding.id() + " of pool " + finding.pool() + ": " + finding.summary();
    }
}
