package io.lifeguard.pool.diagnosis.evidence.stack;

import io.lifeguard.pool.diagnosis.seen.Lender;
import io.lifeguard.pool.diagnosis.seen.Neighbours;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/** Asks for the name and the size of a limited resource. */
@FunctionalInterface
public interface ResourceNames {

    /** {@return the one that threads wait for now; empty when there is none, or it cannot be told from others} */
    Optional<Named> of(LimitedResource resource);

    /** What is known of one. */
    record Named(String name, OptionalInt capacity, OptionalInt inUse) {}

    /** {@return names from the connection pools that an integration knows, otherwise from the JMX beans} */
    static ResourceNames ofThisProcess() {
        return new OfThisProcess();
    }

    /** No lambda: most programs never ask. */
    final class OfThisProcess implements ResourceNames {
        @Override
        public Optional<Named> of(LimitedResource resource) {
            Optional<Named> lent = fromLenders(resource);
            return lent.isPresent() ? lent : fromBeans(resource);
        }
    }

    /** Only the lender with waiting threads is meant, or the only one there is. One that throws is left out. */
    private static Optional<Named> fromLenders(LimitedResource resource) {
        List<Named> known = new ArrayList<>();
        List<Named> awaited = new ArrayList<>();
        for (Lender lender : Neighbours.lenders()) {
            try {
                if (lender.library().equals(resource.library)) {
                    Named named =
                            new Named(lender.name(), OptionalInt.of(lender.capacity()), OptionalInt.of(lender.inUse()));
                    known.add(named);
                    if (lender.waiting() > 0) {
                        awaited.add(named);
                    }
                }
            } catch (RuntimeException ignored) { // it is closing
            }
        }
        return awaited.size() == 1
                ? Optional.of(awaited.get(0))
                : known.size() == 1 ? Optional.of(known.get(0)) : Optional.empty();
    }

    /**
     * {@return names from the JMX beans of this process}
     *
     * <p>Does not make a server of beans: without a server there are no beans. Only the bean with waiting threads is
     * meant, or the only bean there is. A bean that throws is left out.
     */
    static Optional<Named> fromBeans(LimitedResource resource) {
        List<Bean> known = new ArrayList<>();
        List<Bean> awaited = new ArrayList<>();
        for (MBeanServer server : MBeanServerFactory.findMBeanServer(null)) {
            Set<ObjectName> names = new HashSet<>();
            for (String pattern : resource.beans) {
                names.addAll(matching(server, pattern));
            }
            for (ObjectName name : names) {
                Bean bean = new Bean(server, name);
                if (bean.number(resource.inUse).isPresent()) {
                    known.add(bean);
                    if (bean.number(resource.waiting).orElse(0) > 0) {
                        awaited.add(bean);
                    }
                }
            }
        }
        return awaited.size() == 1
                ? Optional.of(awaited.get(0).named(resource))
                : known.size() == 1 ? Optional.of(known.get(0).named(resource)) : Optional.empty();
    }

    private static Set<ObjectName> matching(MBeanServer server, String pattern) {
        try {
            return server.queryNames(new ObjectName(pattern), null);
        } catch (JMException | RuntimeException e) {
            return Set.of();
        }
    }

    /** One bean that tells of a resource. */
    record Bean(MBeanServer server, ObjectName name) {

        Named named(LimitedResource resource) {
            OptionalInt own = number(resource.capacity);
            return new Named(
                    resource.called(title()),
                    own.isPresent()
                            ? own
                            : config().map(bean -> bean.number(resource.capacity))
                                    .orElse(own),
                    number(resource.inUse));
        }

        /** The first of these attributes that is a number, not negative. */
        OptionalInt number(List<String> attributes) {
            for (String attribute : attributes) {
                try {
                    if (server.getAttribute(name, attribute) instanceof Number number && number.intValue() >= 0) {
                        return OptionalInt.of(number.intValue());
                    }
                } catch (JMException | RuntimeException | Error ignored) {
                    // The bean is a user's, or has no such attribute.
                }
            }
            return OptionalInt.empty();
        }

        /** The name within the bean's name: HikariCP has {@code type=Pool (HikariPool-1)}. */
        private String title() {
            String type = type();
            int open = type.indexOf('(');
            if (open >= 0 && type.endsWith(")")) {
                return type.substring(open + 1, type.length() - 1);
            }
            String title = name.getKeyProperty("name");
            return title == null ? name.toString() : unquoted(title);
        }

        /** HikariCP has the largest size in a bean of its own. */
        private Optional<Bean> config() {
            String config = name.toString().replace("type=Pool", "type=PoolConfig");
            try {
                return Optional.of(new Bean(server, new ObjectName(config)));
            } catch (JMException e) {
                return Optional.empty();
            }
        }

        private String type() {
            @Nullable String type = name.getKeyProperty("type");
            return type == null ? "" : type;
        }

        private static String unquoted(String text) {
            return text.startsWith("\"") ? ObjectName.unquote(text) : text;
        }
    }
}
