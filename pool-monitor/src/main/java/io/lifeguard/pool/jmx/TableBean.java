package io.lifeguard.pool.jmx;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.MBeanException;
import javax.management.MBeanInfo;
import javax.management.MBeanNotificationInfo;
import javax.management.NotificationBroadcasterSupport;
import javax.management.ReflectionException;
import javax.management.openmbean.OpenMBeanAttributeInfo;
import javax.management.openmbean.OpenMBeanAttributeInfoSupport;
import javax.management.openmbean.OpenMBeanConstructorInfo;
import javax.management.openmbean.OpenMBeanInfoSupport;
import javax.management.openmbean.OpenMBeanOperationInfo;
import javax.management.openmbean.OpenType;
import org.jspecify.annotations.Nullable;

/** A bean whose attributes are a table: name, words, type and value of each. Thread-safe once the table is made. */
abstract class TableBean extends NotificationBroadcasterSupport implements DynamicMBean {

    private final String words;
    private final Map<String, Supplier<Object>> values = new LinkedHashMap<>();
    private final List<OpenMBeanAttributeInfo> attributes = new ArrayList<>();
    private final List<OpenMBeanOperationInfo> operations = new ArrayList<>();

    TableBean(String words, MBeanNotificationInfo... notifications) {
        super(notifications);
        this.words = words;
    }

    final void attribute(String name, String what, OpenType<?> type, Supplier<Object> value) {
        attributes.add(new OpenMBeanAttributeInfoSupport(name, what, type, true, false, false));
        values.put(name, value);
    }

    final void operation(OpenMBeanOperationInfo operation) {
        operations.add(operation);
    }

    @Override
    public final MBeanInfo getMBeanInfo() {
        return new OpenMBeanInfoSupport(
                getClass().getName(),
                words,
                attributes.toArray(OpenMBeanAttributeInfo[]::new),
                new OpenMBeanConstructorInfo[0],
                operations.toArray(OpenMBeanOperationInfo[]::new),
                getNotificationInfo());
    }

    @Override
    public final Object getAttribute(String name) throws AttributeNotFoundException {
        Supplier<Object> value = values.get(name);
        if (value == null) {
            throw new AttributeNotFoundException("no attribute " + name);
        }
        return value.get();
    }

    /** Leaves out those that cannot be read, as the JDK's own beans do. */
    @Override
    public final AttributeList getAttributes(String[] names) {
        AttributeList known = new AttributeList();
        for (String name : names) {
            try {
                known.add(new Attribute(name, getAttribute(name)));
            } catch (AttributeNotFoundException | RuntimeException ignored) {
                // a client that asks for this one alone is told why
            }
        }
        return known;
    }

    @Override
    public final void setAttribute(Attribute attribute) throws AttributeNotFoundException {
        throw new AttributeNotFoundException("no attribute that can be set: " + attribute.getName());
    }

    @Override
    public final AttributeList setAttributes(AttributeList wanted) {
        return new AttributeList();
    }

    @Override
    public @Nullable Object invoke(
            String operation, @Nullable Object @Nullable [] arguments, String @Nullable [] signature)
            throws MBeanException, ReflectionException {
        throw new ReflectionException(
                new NoSuchMethodException(operation), "no operation " + operation + " with such parameters");
    }
}
