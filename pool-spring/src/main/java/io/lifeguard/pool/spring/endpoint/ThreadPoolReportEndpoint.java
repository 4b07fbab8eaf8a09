package io.lifeguard.pool.spring.endpoint;

import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.report.LastMinute;
import io.lifeguard.pool.report.PoolPage;
import io.lifeguard.pool.spring.monitor.GlobalMonitor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import org.springframework.util.MimeTypeUtils;

/**
 * The endpoint {@code threadpoolreport}. It draws all pools: the last minute as one HTML file, or as a page that grows.
 * It also returns the last minute as a flight recording. Thread-safe.
 */
@WebEndpoint(id = "threadpoolreport", defaultAccess = Access.READ_ONLY)
public class ThreadPoolReportEndpoint {

    private @Nullable PoolPage page; // guarded by this; made when the first viewer comes

    /** For the autoconfiguration. */
    public ThreadPoolReportEndpoint() {}

    /** Returns the file, or null if the monitor is off. */
    @ReadOperation(produces = "text/html;charset=UTF-8")
    public @Nullable Resource report() {
        PoolMonitor monitor = GlobalMonitor.find();
        return monitor == null
                ? null
                : new ByteArrayResource(LastMinute.of(monitor).html().getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Returns a part of the page that grows, or null if there is no such part, or the monitor is off. The part
     * {@code live} is what a browser opens. The part {@code jfr} is a flight recording of at most about 1 MiB.
     *
     * @param since from when on the part {@code data} tells what is new, in milliseconds since 1970; null for all
     * @throws InvalidEndpointRequestException if {@code since} is no such number
     * @throws IOException if the part cannot be made
     */
    @ReadOperation(produces = {"text/html;charset=UTF-8", "application/json", "application/octet-stream"})
    public @Nullable WebEndpointResponse<Resource> part(
            @Selector String name, @org.springframework.lang.Nullable String since) throws IOException {
        PoolMonitor monitor = GlobalMonitor.find();
        if (monitor == null) {
            return null;
        }
        try {
            Optional<PoolPage.Part> part = page(monitor).part(name, since == null ? null : "since=" + since);
            return part.isEmpty()
                    ? null
                    : new WebEndpointResponse<>(
                            new ByteArrayResource(part.get().content()),
                            WebEndpointResponse.STATUS_OK,
                            MimeTypeUtils.parseMimeType(part.get().type()));
        } catch (IllegalArgumentException e) {
            String reason = String.valueOf(e.getMessage());
            throw new InvalidEndpointRequestException(reason, reason);
        }
    }

    private synchronized PoolPage page(PoolMonitor monitor) {
        PoolPage known = page;
        if (known == null) {
            known = PoolPage.of(monitor);
            page = known;
        }
        return known;
    }
}
