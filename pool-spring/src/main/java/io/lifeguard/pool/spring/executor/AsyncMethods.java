package io.lifeguard.pool.spring.executor;

import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Adds {@link SubmittedMethod} before Spring's interceptor for {@code @Async} methods, to the proxies that have one.
 * Has no order, so it comes after the post-processors that make proxies. Stateless.
 */
final class AsyncMethods implements BeanPostProcessor {

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof Advised proxy && !proxy.isFrozen()) {
            for (Advisor advisor : proxy.getAdvisors()) {
                if (advisor instanceof PointcutAdvisor async
                        && advisor.getAdvice() instanceof AsyncExecutionInterceptor) {
                    proxy.addAdvisor(0, new DefaultPointcutAdvisor(async.getPointcut(), new SubmittedMethod()));
                    break;
                }
            }
        }
        return bean;
    }
}
