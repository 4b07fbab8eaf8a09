package io.lifeguard.pool.jmx;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.diagnosis.FindingListener;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.pool.recording.RoundListener;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * Registers the pools and the findings of the global monitor with the platform's MBean server. Not thread-safe: the
 * monitor calls it from one thread at a time.
 *
 * <p>The names are {@code io.lifeguard:type=Pool,name="…"}, quoted by {@link ObjectName#quote}, and
 * {@code io.lifeguard:type=Findings}. Where another copy of this library has taken such a name, as in a server with
 * several applications, the name has the key {@code loader} as well, with the class loader of this copy. With the
 * system property {@value #PROPERTY} {@code off}, nothing is registered. With {@code on}, the first window registers
 * them. With {@code auto}, which is the default, they are registered once there is an MBean server: a JMX client that
 * connects makes one, and a program without a client does not pay for it. Any other value is logged as a warning, and
 * taken for {@code auto}.
 */
public final class JmxPublisher implements RoundListener {

    private static final String AUTO = "auto";
    private static final Set<String> WISHES = Set.of("on", "off", AUTO);

    private static final String DOMAIN = "io.lifeguard";
    private static final String FINDINGS = "type=Findings";

    private final String wish;
    private final String domain;
    private final Supplier<PoolMonitor> monitor;
    private final Map<ObjectName, PoolBean> registered = new HashMap<>();
    private final Map<ObjectName, ObjectName> longer =
            new HashMap<>(); // with the loader, where the usual one was taken
    private final Set<ObjectName> refused = new HashSet<>();
    private @Nullable String complaint; // about the wish, until it is logged
    private @Nullable MBeanServer server; // null until there is one
    private @Nullable FindingListener events; // sends notifications, while the findings are shown
    private boolean showsFindings; // otherwise another copy of this library does

    /** Publishes the global monitor. For {@link java.util.ServiceLoader}. */
    public JmxPublisher() {
        this(System.getProperty(PROPERTY, AUTO), DOMAIN, new Global());
    }

    private static final class Global implements Supplier<PoolMonitor> {
        @Override
        public PoolMonitor get() {
            return PoolMonitor.global();
        }
    }

    JmxPublisher(String wish, String domain, Supplier<PoolMonitor> monitor) {
        this.wish = wish.toLowerCase(Locale.ROOT);
        this.domain = domain;
        this.monitor = monitor;
        if (!WISHES.contains(this.wish)) {
            complaint = PROPERTY + " must be on, off or auto (was '" + wish + "'); it is taken for auto";
        }
    }

    @Override
    public void roundEnded(BiConsumer<Level, String> log) {
        String toSay = complaint;
        if (toSay != null) {
            complaint = null;
            log.accept(Level.WARNING, toSay);
        }
        MBeanServer known = server;
        if (known == null) {
            if (!isWanted()) {
                return;
            }
            known = ManagementFactory.getPlatformMBeanServer();
            server = known;
            ObjectName name = name(FINDINGS);
            FindingsBean bean = new FindingsBean(monitor.get(), free(known, name));
            showsFindings = register(known, bean, name, log);
            if (showsFindings) {
                events = FindingListener.ofEvents(bean);
                monitor.get().addListener(events);
            }
        }
        Set<ObjectName> live = new HashSet<>();
        for (InstrumentedPool pool : monitor.get().pools()) {
            ObjectName name = name("type=Pool,name=" + ObjectName.quote(pool.name()));
            live.add(name);
            PoolBean before = registered.get(name);
            if (before != null && !before.isOf(pool)) {
                unregister(known, name); // a later pool of the same name
            }
            if (!registered.containsKey(name)) {
                PoolBean bean = new PoolBean(pool, monitor.get()::findings);
                if (register(known, bean, name, log)) {
                    registered.put(name, bean);
                }
            }
        }
        for (ObjectName name : Set.copyOf(registered.keySet())) {
            if (!live.contains(name)) {
                unregister(known, name);
            }
        }
        refused.retainAll(live);
    }

    /** Otherwise the server would keep the classes of an application that was stopped. */
    @Override
    public void watchEnded() {
        MBeanServer known = server;
        if (known == null) {
            return;
        }
        server = null;
        for (ObjectName name : Set.copyOf(registered.keySet())) {
            unregister(known, name);
        }
        refused.clear();
        if (showsFindings) {
            showsFindings = false;
            FindingListener listener = events;
            if (listener != null) {
                events = null;
                monitor.get().removeListener(listener);
            }
            unregister(known, name(FINDINGS));
        }
    }

    private boolean isWanted() {
        return switch (wish) {
            case "on" -> true;
            case "off" -> false;
            default -> !MBeanServerFactory.findMBeanServer(null).isEmpty();
        };
    }

    private ObjectName name(String keys) {
        try {
            return new ObjectName(domain + ":" + keys);
        } catch (JMException e) {
            throw new IllegalArgumentException("not a name: " + keys, e);
        }
    }

    /** {@return that name, or with the loader, if another copy of this library has taken it} */
    private ObjectName free(MBeanServer in, ObjectName name) {
        if (!in.isRegistered(name)) {
            return name;
        }
        ClassLoader loader = JmxPublisher.class.getClassLoader();
        String title = loader == null
                ? "boot"
                : loader.getClass().getSimpleName() + "@" + Integer.toHexString(System.identityHashCode(loader));
        return name(name.getKeyPropertyListString() + ",loader=" + ObjectName.quote(title));
    }

    private boolean register(MBeanServer to, TableBean bean, ObjectName name, BiConsumer<Level, String> log) {
        try {
            ObjectName taken = free(to, name);
            to.registerMBean(bean, taken);
            if (!taken.equals(name)) {
                longer.put(name, taken);
            }
            return true;
        } catch (JMException e) {
            if (refused.add(name)) {
                log.accept(Level.INFO, name + " is not shown by JMX: " + e);
            }
            return false;
        }
    }

    private void unregister(MBeanServer from, ObjectName name) {
        registered.remove(name);
        try {
            ObjectName other = longer.remove(name);
            from.unregisterMBean(other == null ? name : other);
        } catch (JMException ignored) {
            // another thread has done it
        }
    }
}
