package io.lifeguard.pool.spring.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.InstrumentedScheduledThreadPoolExecutor;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.PoolSnapshot;
import io.lifeguard.pool.spring.monitor.UnseenExecutors;
import io.lifeguard.pool.spring.properties.LifeguardProperties;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.endpoint.SecurityContext;

/** The endpoint copes with pools of users' classes. */
class ThreadPoolsEndpointTest {

    private final List<Object> published = new ArrayList<>();
    private final ThreadPoolsEndpoint endpoint =
            new ThreadPoolsEndpoint(LifeguardProperties.DEFAULTS.endpoint(), new UnseenExecutors(), published::add);

    /** Throws on request, as users' code may. */
    private static final class Sick extends InstrumentedThreadPoolExecutor {
        private volatile boolean throwsSnapshot;
        private volatile boolean throwsName;

        Sick() {
            super(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        }

        @Override
        public PoolSnapshot snapshot() {
            if (throwsSnapshot) {
                throw new AssertionError("on purpose");
            }
            return super.snapshot();
        }

        @Override
        public String name() {
            if (throwsName) {
                throw new UnsupportedOperationException("on purpose");
            }
            return super.name();
        }
    }

    private List<Object> shownNames() {
        List<Object> names = new ArrayList<>();
        ((List<?>) endpoint.pools(null, null).get("pools")).forEach(pool -> names.add(((Map<?, ?>) pool).get("name")));
        return names;
    }

    private Map<?, ?> unseen() {
        Map<Object, Object> unseen = new HashMap<>();
        ((List<?>) endpoint.pools(null, null).get("notLookedAt"))
                .forEach(each -> unseen.put(((Map<?, ?>) each).get("what"), ((Map<?, ?>) each).get("why")));
        return unseen;
    }

    @Test
    void pools_oneThrows_isReportedAndDoesNotHideTheOthers() {
        InstrumentedThreadPoolExecutor well =
                InstrumentedThreadPoolExecutor.named("beside-the-sick").size(1).build();
        Sick sick = new Sick();
        String name = sick.name();
        await().untilAsserted(() -> assertThat(shownNames()).contains("beside-the-sick", name));

        sick.throwsSnapshot = true;
        assertThat(shownNames()).contains("beside-the-sick").doesNotContain(name);
        assertThat(unseen().get(name)).isEqualTo("cannot be read: java.lang.AssertionError");

        sick.throwsName = true;
        assertThat(unseen().keySet()).asString().contains(Sick.class.getName());
        assertThat(endpoint.pool("beside-the-sick")).containsKey("times");
        assertThat(endpoint.view("beside-the-sick", ThreadPoolsEndpoint.View.THREADS))
                .containsKey("groups");
        assertThatThrownBy(() -> endpoint.resize(SecurityContext.NONE, "nobody-at-all", 3))
                .hasMessageContaining("there is no pool");

        sick.throwsSnapshot = false;
        sick.throwsName = false;
        assertThat(unseen().get(name)).isNull();
        sick.shutdownNow();
        well.shutdownNow();
    }

    /** The maximum size of such a pool is Integer.MAX_VALUE, but it never has more threads than its core size. */
    @Test
    void resize_scheduledPool_returnsSizeBefore() {
        InstrumentedScheduledThreadPoolExecutor pool =
                (InstrumentedScheduledThreadPoolExecutor) InstrumentedExecutors.newScheduledThreadPool("timed", 2);
        assertThat(endpoint.resize(SecurityContext.NONE, pool.name(), 3))
                .containsEntry("sizeBefore", 2)
                .containsEntry("size", 3);
        assertThat(published)
                .singleElement()
                .extracting(event -> ((AuditApplicationEvent) event).getAuditEvent())
                .satisfies(event -> {
                    assertThat(event.getPrincipal()).isEqualTo("anonymous");
                    assertThat(event.getType()).isEqualTo(ThreadPoolsEndpoint.RESIZED);
                    assertThat(event.getData()).isEqualTo(Map.of("pool", pool.name(), "from", 2, "to", 3));
                });
        assertThat(pool.getCorePoolSize()).isEqualTo(3);
        pool.shutdownNow();
    }

    /** As Boot's executor: its maximum is Integer.MAX_VALUE, and its queue is never full. */
    @Test
    void resize_unboundedQueue_returnsTheSizeThatThePoolHas() {
        InstrumentedThreadPoolExecutor pool = InstrumentedThreadPoolExecutor.named("boots")
                .size(8)
                .unboundedQueue()
                .build();
        pool.setMaximumPoolSize(Integer.MAX_VALUE);

        assertThat(endpoint.resize(SecurityContext.NONE, "boots", 9))
                .containsEntry("sizeBefore", 8)
                .containsEntry("size", 9);
        assertThat(published)
                .singleElement()
                .extracting(event -> ((AuditApplicationEvent) event)
                        .getAuditEvent()
                        .getData()
                        .get("from"))
                .isEqualTo(8);
        pool.shutdownNow();
    }
}
