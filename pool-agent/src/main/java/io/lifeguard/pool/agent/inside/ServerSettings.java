package io.lifeguard.pool.agent.inside;

import io.lifeguard.pool.diagnosis.seen.Neighbours;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/**
 * The settings of pools of Jakarta servers, as their administrators type them. Such a server names threads after what
 * is configured. Stateless.
 */
final class ServerSettings {

    /** The reference implementation of Jakarta Concurrency, in GlassFish, Payara and WildFly. */
    private static final String CONCURRO = "org.glassfish.enterprise.concurrent.";

    private static final String WILDFLY_TASKS = " task";
    private static final String WILDFLY_EXECUTOR = "EE-ManagedExecutorService-";
    private static final String WILDFLY_SCHEDULED = "EE-ManagedScheduledExecutorService-";

    private ServerSettings() {}

    /** {@return how the size is set of the pool of that name; null if that is unknown} */
    static Neighbours.@Nullable Setting of(Executor executor, String name) {
        // Behind a queue without a bound, a pool never grows above its core.
        boolean isCore = executor instanceof ThreadPoolExecutor pool
                && pool.getQueue().remainingCapacity() > Integer.MAX_VALUE / 2; // tasks may wait already
        return of(executor.getClass().getName(), isCore, name);
    }

    static Neighbours.@Nullable Setting of(String type, boolean isCore, String name) {
        if (type.startsWith(CONCURRO)) {
            return managed(name, isCore, type.contains("Scheduled"));
        }
        int listener = name.indexOf("::");
        if (listener > 0 && type.startsWith("org.glassfish.grizzly.")) {
            String pool = "configs.config.server-config.thread-pools.thread-pool." + name.substring(0, listener);
            return new Neighbours.Setting(pool + ".max-thread-pool-size", pool + ".max-queue-size", "", "");
        }
        if (type.startsWith("org.jboss.threads.") && name.endsWith(WILDFLY_TASKS) && !name.startsWith("XNIO-")) {
            String worker = name.substring(0, name.length() - WILDFLY_TASKS.length());
            return new Neighbours.Setting("task-max-threads of /subsystem=io/worker=" + worker, "");
        }
        return null;
    }

    private static Neighbours.Setting managed(String name, boolean isCore, boolean isScheduled) {
        boolean isWildFly = name.startsWith(WILDFLY_EXECUTOR) || name.startsWith(WILDFLY_SCHEDULED);
        String kind = isScheduled ? "managed-scheduled-executor-service" : "managed-executor-service";
        if (isWildFly) {
            String service = name.substring((isScheduled ? WILDFLY_SCHEDULED : WILDFLY_EXECUTOR).length());
            String at = " of /subsystem=ee/" + kind + '=' + service;
            return new Neighbours.Setting((isCore ? "core-threads" : "max-threads") + at, "queue-length" + at, "", "");
        }
        String at = "resources." + kind + '.' + name;
        return new Neighbours.Setting(
                at + (isCore ? ".core-pool-size" : ".maximum-pool-size"), at + ".task-queue-capacity", "", "");
    }
}
