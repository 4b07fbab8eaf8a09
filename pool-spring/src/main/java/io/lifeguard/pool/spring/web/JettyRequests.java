package io.lifeguard.pool.spring.web;

import java.util.concurrent.atomic.LongAdder;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Counts the requests that a Jetty server has answered. A request that is answered asynchronously counts when its first
 * thread returns. Thread-safe.
 */
final class JettyRequests extends Handler.Wrapper {

    private final LongAdder answered = new LongAdder(); // written by the threads that serve requests

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        try {
            return super.handle(request, response, callback);
        } finally {
            answered.increment();
        }
    }

    /** {@return how many requests were answered} */
    long answered() {
        return answered.sum();
    }
}
