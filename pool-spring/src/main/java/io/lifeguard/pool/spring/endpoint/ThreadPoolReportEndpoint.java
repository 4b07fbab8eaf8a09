package io.lifeguard.pool.spring.endpoint;

import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.spring.monitor.GlobalMonitor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;

/**
 * The endpoint {@code threadpoolreport}. It draws the last minute of all pools as an HTML page, or returns it as a
 * flight recording. Thread-safe.
 */
@WebEndpoint(id = "threadpoolreport", defaultAccess = Access.READ_ONLY)
public class ThreadPoolReportEndpoint {

    /** A form of the last minute other than the page. */
    public enum Format {
        /** A flight recording. */
        JFR
    }

    /** For the autoconfiguration. */
    public ThreadPoolReportEndpoint() {}

    /** Returns the page, or null if the monitor is off. */
    @ReadOperation(produces = "text/html;charset=UTF-8")
    public @Nullable Resource page() {
        PoolMonitor monitor = GlobalMonitor.find();
        return monitor == null
                ? null
                : new ByteArrayResource(monitor.lastMinute().html().getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Returns a flight recording of at most about 1 MiB, or null if the monitor is off.
     *
     * @throws IOException if it cannot be made
     */
    @ReadOperation(produces = "application/octet-stream")
    public @Nullable Resource recording(@Selector Format format) throws IOException {
        PoolMonitor monitor = GlobalMonitor.find();
        if (monitor == null) {
            return null;
        }
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        monitor.dump(file);
        return new ByteArrayResource(file.toByteArray());
    }
}
