package io.lifeguard.pool.tools.recording;

import io.lifeguard.pool.report.drawing.ProcessName;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import jdk.jfr.consumer.RecordedEvent;
import org.jspecify.annotations.Nullable;

/**
 * What a flight recording of the JDK tells of its process: the application, the number, and the host where the process
 * had it in its environment, as containers and most shells do. A black box tells nothing of them. Not thread-safe.
 */
public final class RecordedProcess implements Consumer<RecordedEvent> {

    private static final Set<String> HOSTS = Set.of("HOSTNAME", "COMPUTERNAME");

    private @Nullable String command; // null until the JVM has told
    private long pid;
    private String host = "";

    /** Knows nothing yet. */
    public RecordedProcess() {}

    @Override
    public void accept(RecordedEvent event) {
        switch (event.getEventType().getName()) {
            case "jdk.JVMInformation" -> {
                if (event.hasField("javaArguments") && event.hasField("pid")) {
                    command = text(event, "javaArguments");
                    pid = event.getLong("pid");
                }
            }
            case "jdk.InitialEnvironmentVariable" -> {
                if (HOSTS.contains(text(event, "key"))) {
                    host = text(event, "value");
                }
            }
            default -> {
                // tells nothing of the process
            }
        }
    }

    private static String text(RecordedEvent event, String field) {
        return event.hasField(field) && event.getValue(field) instanceof String text ? text : "";
    }

    /** {@return the name of the process, for instance {@code shop.jar, process 4711 on web-3}; empty when not known} */
    public Optional<String> name() {
        return Optional.ofNullable(command).map(known -> ProcessName.text(known, pid, host));
    }
}
