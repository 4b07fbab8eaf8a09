package io.lifeguard.pool.spring.connection;

import io.lifeguard.pool.diagnosis.seen.Lender;
import io.lifeguard.pool.diagnosis.seen.Neighbours;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.DestructionAwareBeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

/**
 * Tells the monitor of each connection pool of one library that is a bean, until the bean is destroyed or the context
 * ends. Findings then name the pool, its connections in use and where their number is set. Thread-safe.
 *
 * <p>Comes early after the initialisation of a bean, so it sees the pool itself, as the container does that destroys
 * the bean, and not a proxy around it. The end of a prototype is not announced, so prototypes are left out.
 *
 * @param <P> the class of the beans, whose objects are equal only if they are identical
 */
abstract class LenderBeans<P>
        implements DestructionAwareBeanPostProcessor, BeanFactoryAware, DisposableBean, PriorityOrdered {

    private final Class<P> type;
    private final Map<P, Lender> lenders = new ConcurrentHashMap<>();

    // Written once by the container, before the first bean.
    private @Nullable BeanFactory beans;

    LenderBeans(Class<P> type) {
        this.type = type;
    }

    @Override
    public final void setBeanFactory(BeanFactory factory) {
        beans = factory;
    }

    /** {@return the container; null before it has introduced itself} */
    final @Nullable BeanFactory beans() {
        return beans;
    }

    @Override
    public final int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    /** {@return the pool as the monitor sees it; must not start it} */
    abstract Lender lender(P pool, String beanName);

    @Override
    public final Object postProcessAfterInitialization(Object bean, String beanName) {
        if (type.isInstance(bean) && !AopUtils.isAopProxy(bean) && !isPrototype(beanName)) {
            P pool = type.cast(bean);
            Lender lender = lender(pool, beanName);
            if (lenders.putIfAbsent(pool, lender) == null) {
                Neighbours.add(lender);
            }
        }
        return bean;
    }

    private boolean isPrototype(String beanName) {
        BeanFactory known = beans;
        return known != null && known.containsBean(beanName) && known.isPrototype(beanName);
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

    /** A scope may not tell of the end of its beans. */
    @Override
    public final void destroy() {
        lenders.values().forEach(Neighbours::remove);
        lenders.clear();
    }
}
