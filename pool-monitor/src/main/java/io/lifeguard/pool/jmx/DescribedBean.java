package io.lifeguard.pool.jmx;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.NotificationEmitter;
import javax.management.StandardEmitterMBean;
import org.jspecify.annotations.Nullable;

/**
 * A bean whose parts have the words of their {@link Description}. Thread-safe if what it shows is.
 *
 * @param <T> the bean's interface
 */
final class DescribedBean<T> extends StandardEmitterMBean {

    private final Class<T> type;

    /**
     * Makes a bean.
     *
     * @param shown what it shows
     * @param type its interface, an MXBean
     * @param emitter sends its notifications
     */
    DescribedBean(T shown, Class<T> type, NotificationEmitter emitter) {
        super(shown, type, true, emitter);
        this.type = type;
    }

    /** The superclass asks in its constructor, before there is a type; it asks again for each client. */
    private Optional<Method> method(@Nullable String... names) {
        return type == null
                ? Optional.empty()
                : Arrays.stream(type.getMethods())
                        .filter(method -> Arrays.asList(names).contains(method.getName()))
                        .findFirst();
    }

    private static @Nullable String words(AnnotatedElement element, @Nullable String otherwise) {
        Description description = element.getAnnotation(Description.class);
        return description == null ? otherwise : description.value();
    }

    @Override
    protected @Nullable String getDescription(MBeanInfo info) {
        return type == null ? info.getDescription() : words(type, info.getDescription());
    }

    @Override
    protected @Nullable String getDescription(MBeanAttributeInfo info) {
        return method("get" + info.getName(), "is" + info.getName())
                .map(method -> words(method, info.getDescription()))
                .orElse(info.getDescription());
    }

    @Override
    protected @Nullable String getDescription(MBeanOperationInfo info) {
        return method(info.getName())
                .map(method -> words(method, info.getDescription()))
                .orElse(info.getDescription());
    }

    private Optional<Description> parameter(MBeanOperationInfo operation, int number) {
        return method(operation.getName())
                .map(method -> method.getParameters()[number].getAnnotation(Description.class));
    }

    @Override
    protected @Nullable String getParameterName(MBeanOperationInfo operation, MBeanParameterInfo info, int number) {
        return parameter(operation, number).map(Description::name).orElse(info.getName());
    }

    @Override
    protected @Nullable String getDescription(MBeanOperationInfo operation, MBeanParameterInfo info, int number) {
        return parameter(operation, number).map(Description::value).orElse(info.getDescription());
    }

    /** Its only operation writes a file, which is an action and not a question. */
    @Override
    protected int getImpact(MBeanOperationInfo info) {
        return MBeanOperationInfo.ACTION;
    }
}
