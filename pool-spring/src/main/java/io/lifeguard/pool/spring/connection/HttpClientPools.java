package io.lifeguard.pool.spring.connection;

import io.lifeguard.pool.diagnosis.seen.Lender;
import java.util.Comparator;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.core5.pool.PoolStats;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;

/**
 * Tells the monitor of each connection manager of Apache HttpClient 5 that is a bean. A manager has a limit for each
 * route and one for all. The route for which most threads wait is shown, and all routes together where none do.
 * Thread-safe.
 */
@ConditionalOnClass(name = "org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager")
public final class HttpClientPools extends LenderBeans<PoolingHttpClientConnectionManager> {

    /** Made by the container. */
    public HttpClientPools() {
        super(PoolingHttpClientConnectionManager.class);
    }

    @Override
    Lender lender(PoolingHttpClientConnectionManager manager, String beanName) {
        return new LenderNumbers(
                "HttpClient 5",
                true,
                () -> beanName,
                () -> fullest(manager).getMax(),
                () -> fullest(manager).getLeased(),
                () -> manager.getTotalStats().getPending(),
                () -> (isFull(manager.getTotalStats()) ? "setMaxTotal" : "setMaxPerRoute or setDefaultMaxPerRoute")
                        + " of the bean " + beanName);
    }

    /** Whether all routes together are at their limit. */
    private static boolean isFull(PoolStats all) {
        return all.getLeased() >= all.getMax();
    }

    private static PoolStats fullest(PoolingHttpClientConnectionManager manager) {
        PoolStats all = manager.getTotalStats();
        return isFull(all)
                ? all
                : manager.getRoutes().stream()
                        .map((HttpRoute route) -> manager.getStats(route))
                        .filter(route -> route.getPending() > 0)
                        .max(Comparator.comparingInt(PoolStats::getPending))
                        .orElse(all);
    }
}
