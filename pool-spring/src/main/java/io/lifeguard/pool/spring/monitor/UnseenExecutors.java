package io.lifeguard.pool.spring.monitor;

import io.lifeguard.pool.text.LogText;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Role;

/**
 * The executors of a context that Lifeguard cannot observe as pools. Each is logged once, and shown by the endpoint.
 * Thread-safe.
 *
 * <p>It is infrastructure, because a post-processor needs it early: for other beans the container would warn that they
 * cannot be proxied.
 */
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public final class UnseenExecutors {

    private static final Logger LOG = LoggerFactory.getLogger(UnseenExecutors.class);

    private final Map<String, String> all = new ConcurrentSkipListMap<>();

    /** Adds the executor of a bean or a server, and logs it unless it was added before. */
    public void add(String name, String reason) {
        if (!reason.equals(all.put(name, reason))) {
            LOG.info("{}: {}", LogText.clean(name), LogText.clean(reason));
        }
    }

    /** Returns the reasons why executors cannot be observed, by name. */
    public Map<String, String> all() {
        return new TreeMap<>(all);
    }
}
