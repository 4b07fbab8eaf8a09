package io.lifeguard.pool.spring.executor;

import io.lifeguard.pool.spring.properties.LifeguardBinding;
import io.lifeguard.pool.spring.properties.LifeguardProperties;
import io.lifeguard.pool.spring.properties.PoolProperties;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.EnvironmentAware;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.core.env.Environment;

/**
 * Defines a bean for each pool that is declared by {@code lifeguard.pools.<name>.*}. The bean is injected by name or
 * qualifier only. It is no default candidate, so Boot's own executors do not back off from it. Confined to the thread
 * that starts the context.
 */
final class DeclaredPools implements BeanDefinitionRegistryPostProcessor, EnvironmentAware {

    /** Beans that a context looks up by name, and makes later if they are missing. */
    private static final Set<String> RESERVED = Set.of(
            AbstractApplicationContext.APPLICATION_EVENT_MULTICASTER_BEAN_NAME,
            AbstractApplicationContext.LIFECYCLE_PROCESSOR_BEAN_NAME,
            AbstractApplicationContext.MESSAGE_SOURCE_BEAN_NAME,
            ConfigurableApplicationContext.CONVERSION_SERVICE_BEAN_NAME);

    private @Nullable Environment environment;

    @Override
    public void setEnvironment(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
        if (environment != null && registry instanceof ConfigurableListableBeanFactory beans) {
            Map<String, PoolProperties> pools =
                    LifeguardBinding.of(beans, environment).pools();
            for (String name : pools.keySet()) {
                if (!isInherited(name, pools.get(name), beans)) {
                    define(name, registry, environment);
                }
            }
        }
    }

    /**
     * Whether an ancestor context has this pool. A child context sees the properties of its parent, and uses the
     * parent's bean. If the child declares other properties for the name, it gets its own pool, which hides the
     * parent's.
     */
    private static boolean isInherited(String name, PoolProperties pool, ConfigurableListableBeanFactory beans) {
        for (BeanFactory above = beans.getParentBeanFactory();
                above instanceof ConfigurableListableBeanFactory ancestor;
                above = ancestor.getParentBeanFactory()) {
            LifeguardProperties properties = LifeguardBinding.bound(ancestor);
            if (properties != null && properties.pools().containsKey(name)) {
                return pool.equals(properties.pools().get(name)) && ancestor.containsBeanDefinition(name);
            }
        }
        return false;
    }

    private static void define(String name, BeanDefinitionRegistry registry, Environment environment) {
        if (registry.containsBeanDefinition(name)
                && DeclaredPool.class
                        .getName()
                        .equals(registry.getBeanDefinition(name).getBeanClassName())) {
            return; // defined by code that was generated ahead of time
        }
        if (registry.isBeanNameInUse(name) || RESERVED.contains(name)) {
            throw LifeguardBinding.reject(
                    environment,
                    "lifeguard.pools." + name,
                    "must not have the name of another bean (" + definedIn(name, registry)
                            + "): rename the pool, or remove the bean \"" + name + "\"");
        }
        RootBeanDefinition pool = new RootBeanDefinition(DeclaredPool.class);
        pool.setTargetType(DeclaredPool.class);
        pool.setUniqueFactoryMethodName("make");
        pool.getConstructorArgumentValues().addIndexedArgumentValue(0, name);
        pool.setAutowireMode(RootBeanDefinition.AUTOWIRE_CONSTRUCTOR);
        pool.setDefaultCandidate(false);
        pool.setRole(BeanDefinition.ROLE_APPLICATION);
        pool.setDescription("a pool declared by lifeguard.pools." + name);
        pool.setResourceDescription("the properties lifeguard.pools." + name);
        registry.registerBeanDefinition(name, pool);
    }

    private static String definedIn(String name, BeanDefinitionRegistry registry) {
        if (registry.containsBeanDefinition(name)) {
            String place = registry.getBeanDefinition(name).getResourceDescription();
            return place == null ? "a bean of the application" : "defined in " + place;
        }
        return registry.isAlias(name) ? "an alias" : "a bean of Spring";
    }
}
