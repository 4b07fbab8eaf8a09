package io.lifeguard.pool.spring;

import io.lifeguard.pool.text.LogText;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What runs tasks in this context and cannot be seen, or not as a pool can; said once in the log, and by the endpoint. Thread-safe. */
final class BlindSpots {

    private static final Logger LOG = LoggerFactory.getLogger(BlindSpots.class);

    private final Map<String, String> all = new ConcurrentSkipListMap<>();

    /**
     * Remembers one, and logs it if it was not known.
     *
     * @param name of the bean or the server
     * @param what can and cannot be seen of it, a clause
     */
    void add(String name, String what) {
        if (!what.equals(all.put(name, what))) {
            LOG.info("{}: {}", LogText.clean(name), LogText.clean(what));
        }
    }

    /** What can and cannot be seen, by name, in their order. */
    Map<String, String> all() {
        return new TreeMap<>(all);
    }
}
