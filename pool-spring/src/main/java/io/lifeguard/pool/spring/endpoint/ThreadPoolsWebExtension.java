package io.lifeguard.pool.spring.endpoint;

import java.util.Map;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/**
 * Answers a refused resize over HTTP with its reason. Without it, the application's error page decides whether to show
 * the reason, and by default does not. Thread-safe.
 */
@EndpointWebExtension(endpoint = ThreadPoolsEndpoint.class)
public class ThreadPoolsWebExtension {

    private final ThreadPoolsEndpoint endpoint;

    /** For the autoconfiguration. */
    public ThreadPoolsWebExtension(ThreadPoolsEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    /** Like {@link ThreadPoolsEndpoint#resize}. */
    @WriteOperation
    public WebEndpointResponse<Map<String, Object>> resize(SecurityContext caller, @Selector String name, int size) {
        return resizePool(caller, name, size);
    }

    /** Like {@link ThreadPoolsEndpoint#resizePool}. */
    @WriteOperation
    public WebEndpointResponse<Map<String, Object>> resizePool(SecurityContext caller, String pool, int size) {
        try {
            return new WebEndpointResponse<>(endpoint.resizePool(caller, pool, size));
        } catch (InvalidEndpointRequestException e) {
            return new WebEndpointResponse<>(
                    Map.of("error", String.valueOf(e.getReason())), WebEndpointResponse.STATUS_BAD_REQUEST);
        }
    }
}
