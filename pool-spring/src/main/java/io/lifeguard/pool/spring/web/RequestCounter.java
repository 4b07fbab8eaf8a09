package io.lifeguard.pool.spring.web;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.ProtocolHandler;

/**
 * Counts the requests that each connector of a Tomcat has answered. A request that is answered asynchronously counts
 * when its first thread returns. Thread-safe.
 */
final class RequestCounter extends ValveBase {

    private final Map<ProtocolHandler, LongAdder> answered = new ConcurrentHashMap<>();

    RequestCounter() {
        super(true); // supports asynchronous requests
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        try {
            getNext().invoke(request, response);
        } finally {
            counter(request.getConnector().getProtocolHandler()).increment();
        }
    }

    /** {@return how many requests this connector has answered} */
    long of(ProtocolHandler handler) {
        return counter(handler).sum();
    }

    private LongAdder counter(ProtocolHandler handler) {
        return answered.computeIfAbsent(handler, key -> new LongAdder());
    }
}
