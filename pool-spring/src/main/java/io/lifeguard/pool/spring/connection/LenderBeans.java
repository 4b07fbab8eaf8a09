package io.lifeguard.pool.spring.connection;

import io.lifeguard.pool.diagnosis.window.Lender;
import io.lifeguard.pool.diagnosis.window.Neighbours;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.config.DestructionAwareBeanPostProcessor;

/**
 * Tells the monitor of each connection pool of one library that is a bean, until the bean is destroyed. Findings then
 * name the pool, its connections in use and where their number is set. Thread-safe.
 *
 * @param <P> the class of the beans, whose objects are equal only if they are identical
 */
abstract class LenderBeans<P> implements DestructionAwareBeanPostProcessor {

    private final Class<P> type;
    private final Map<P, Lender> lenders = new ConcurrentHashMap<>();

    LenderBeans(Class<P> type) {
        this.type = type;
    }

    /** {@return the pool as the monitor sees it; must not start it} */
    abstract Lender lender(P pool, String beanName);

    @Override
    public final Object postProcessAfterInitialization(Object bean, String beanName) {
        if (type.isInstance(bean)) {
            P pool = type.cast(bean);
            Lender lender = lender(pool, beanName);
            if (lenders.putIfAbsent(pool, lender) == null) {
                Neighbours.add(lender);
            }
        }
        return bean;
    }

    @Override
    public final void postProcessBeforeDestruction(Object bean, String beanName) {
        Lender lender = type.isInstance(bean) ? lenders.remove(type.cast(bean)) : null;
        if (lender != null) {
            Neighbours.remove(lender);
        }
    }

    @Override
    public final boolean requiresDestruction(Object bean) {
        return type.isInstance(bean);
    }
}
