package io.lifeguard.pool.spring.web;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Counts the requests that a Jetty server has answered. A request that is answered asynchronously counts when its first
 * thread returns. Thread-safe.
 */
final class JettyRequests extends Handler.Wrapper implements LongSupplier {

    private final LongAdder answered = new LongAdder(); // written by the threads that serve requests
    private final AtomicInteger running = new AtomicInteger(); // written by the same threads

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        running.incrementAndGet();
        try {
            return super.handle(request, response, callback);
        } finally {
            running.decrementAndGet();
            answered.increment();
        }
    }

    @Override
    public long getAsLong() {
        return answered.sum();
    }

    /** {@return how many threads serve a request} */
    int running() {
        return running.get();
    }
}
