package io.lifeguard.pool.spring;

import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.InstanceSupplier;
import org.springframework.boot.task.SimpleAsyncTaskExecutorBuilder;
import org.springframework.boot.task.SimpleAsyncTaskSchedulerBuilder;
import org.springframework.boot.task.ThreadPoolTaskExecutorBuilder;
import org.springframework.boot.task.ThreadPoolTaskSchedulerBuilder;
import org.springframework.context.EnvironmentAware;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/**
 * Makes Boot's own executors measure their tasks. Boot decides whether there is an {@code applicationTaskExecutor} and a
 * {@code taskScheduler}, and under which names, lazily or not, for whom; all that changes is which class its builder configures. Confined
 * to the thread that starts the context.
 */
final class BootExecutors implements BeanFactoryPostProcessor, EnvironmentAware, Ordered {

    /** Where Boot declares them, in 3.5 and in 4. */
    private static final String DECLARED_IN = "org.springframework.boot.autoconfigure.task.";

    private static final String EACH_ITS_THREAD =
            "each task has a virtual thread of its own; tasks are counted and timed, there is neither a queue nor a size to judge";

    private @Nullable Environment environment;

    @Override
    public void setEnvironment(Environment environment) {
        this.environment = environment;
    }

    /** Last, so that whoever else changes the definitions has done so. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        if (Boolean.getBoolean(AbstractAotProcessor.AOT_PROCESSING) || environment == null) {
            return; // generated code builds Boot's bean; this is done anew when it runs
        }
        LifeguardProperties properties = EarlyProperties.of(beans, environment);
        if (properties.taskExecution().enabled()) {
            replace(
                    beans,
                    "applicationTaskExecutor",
                    "applicationTaskExecutor",
                    () -> builder(beans, ThreadPoolTaskExecutorBuilder.class, "threadPoolTaskExecutorBuilder")
                            .configure(new InstrumentedThreadPoolTaskExecutor()));
            replace(beans, "applicationTaskExecutor", "applicationTaskExecutorVirtualThreads", () -> {
                blindSpot(beans, "applicationTaskExecutor", EACH_ITS_THREAD);
                return builder(beans, SimpleAsyncTaskExecutorBuilder.class, "simpleAsyncTaskExecutorBuilder")
                        .configure(new InstrumentedSimpleAsyncTaskExecutor("applicationTaskExecutor"));
            });
        }
        if (properties.taskScheduling().enabled()) {
            replace(
                    beans,
                    "taskScheduler",
                    "taskScheduler",
                    () -> builder(beans, ThreadPoolTaskSchedulerBuilder.class, "threadPoolTaskSchedulerBuilder")
                            .configure(new InstrumentedThreadPoolTaskScheduler()));
            replace(beans, "taskScheduler", "taskSchedulerVirtualThreads", () -> {
                blindSpot(
                        beans,
                        "taskScheduler",
                        EACH_ITS_THREAD
                                + "; those with a fixed delay share a thread that is Spring's own, and are neither counted nor timed");
                return builder(beans, SimpleAsyncTaskSchedulerBuilder.class, "simpleAsyncTaskSchedulerBuilder")
                        .configure(new InstrumentedSimpleAsyncTaskScheduler("taskScheduler"));
            });
        }
    }

    private static void replace(
            ConfigurableListableBeanFactory beans, String bean, String bootsMethod, Supplier<?> ours) {
        if (beans.containsBeanDefinition(bean)
                && !beans.containsSingleton(bean)
                && beans.getBeanDefinition(bean) instanceof AbstractBeanDefinition definition
                && isDeclaredByBoot(definition, bootsMethod)) {
            definition.setInstanceSupplier(ours);
        }
    }

    private static void blindSpot(ConfigurableListableBeanFactory beans, String bean, String what) {
        beans.getBean(BlindSpots.class).add(bean, what);
    }

    /** The one that Boot's method would be given: of several candidates the one that is called as its parameter. */
    private static <T> T builder(ConfigurableListableBeanFactory beans, Class<T> type, String parameter) {
        T only = beans.getBeanProvider(type).getIfUnique();
        return only == null ? beans.getBean(parameter, type) : only;
    }

    private static boolean isDeclaredByBoot(BeanDefinition definition, String method) {
        if (definition instanceof AbstractBeanDefinition generated
                && generated.getInstanceSupplier() instanceof InstanceSupplier<?> supplier) {
            Method factory = supplier.getFactoryMethod();
            return factory != null
                    && factory.getName().equals(method)
                    && factory.getDeclaringClass().getName().startsWith(DECLARED_IN);
        }
        String declaredIn = definition.getFactoryBeanName();
        return declaredIn != null
                && declaredIn.startsWith(DECLARED_IN)
                && method.equals(definition.getFactoryMethodName());
    }
}
