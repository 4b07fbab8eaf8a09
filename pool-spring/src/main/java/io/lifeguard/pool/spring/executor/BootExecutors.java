package io.lifeguard.pool.spring.executor;

import io.lifeguard.pool.spring.monitor.UnseenExecutors;
import io.lifeguard.pool.spring.properties.LifeguardBinding;
import io.lifeguard.pool.spring.properties.LifeguardProperties;
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
 * Replaces Boot's {@code applicationTaskExecutor} and {@code taskScheduler} by instrumented ones. Boot still decides
 * whether these beans exist, and under which names. Its builders still configure them; only the class of the executor
 * changes. Confined to the thread that starts the context.
 */
final class BootExecutors implements BeanFactoryPostProcessor, EnvironmentAware, Ordered {

    /** The package in which Boot 3.5 and Boot 4 declare the beans. */
    private static final String DECLARED_IN = "org.springframework.boot.autoconfigure.task.";

    private @Nullable Environment environment;

    @Override
    public void setEnvironment(Environment environment) {
        this.environment = environment;
    }

    /** Last, after others have changed the definitions. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        if (Boolean.getBoolean(AbstractAotProcessor.AOT_PROCESSING) || environment == null) {
            return; // the generated code makes Boot's bean, and this method runs again with it
        }
        LifeguardProperties properties = LifeguardBinding.of(beans, environment);
        if (properties.instrument() == LifeguardProperties.Instrument.NONE) {
            return;
        }
        if (properties.taskExecution().enabled()) {
            replace(
                    beans,
                    "applicationTaskExecutor",
                    "applicationTaskExecutor",
                    () -> builder(beans, ThreadPoolTaskExecutorBuilder.class, "threadPoolTaskExecutorBuilder")
                            .configure(new InstrumentedThreadPoolTaskExecutor()));
            replace(beans, "applicationTaskExecutor", "applicationTaskExecutorVirtualThreads", () -> {
                return builder(beans, SimpleAsyncTaskExecutorBuilder.class, "simpleAsyncTaskExecutorBuilder")
                        .configure(new InstrumentedSimpleAsyncTaskExecutor(
                                "applicationTaskExecutor", properties.virtualThreads()));
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
                addUnseen(
                        beans,
                        "taskScheduler",
                        "tasks with a fixed delay share one thread of Spring, and are neither counted nor timed");
                return builder(beans, SimpleAsyncTaskSchedulerBuilder.class, "simpleAsyncTaskSchedulerBuilder")
                        .configure(
                                new InstrumentedSimpleAsyncTaskScheduler("taskScheduler", properties.virtualThreads()));
            });
        }
    }

    private static void replace(
            ConfigurableListableBeanFactory beans, String bean, String bootsMethod, Supplier<?> instrumented) {
        if (beans.containsBeanDefinition(bean)
                && !beans.containsSingleton(bean)
                && beans.getBeanDefinition(bean) instanceof AbstractBeanDefinition definition
                && isDeclaredByBoot(definition, bootsMethod)) {
            definition.setInstanceSupplier(instrumented);
        }
    }

    private static void addUnseen(ConfigurableListableBeanFactory beans, String bean, String reason) {
        beans.getBean(UnseenExecutors.class).add(bean, reason);
    }

    /** Returns the builder that Boot's method would get: the only one, or the one with the parameter's name. */
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
