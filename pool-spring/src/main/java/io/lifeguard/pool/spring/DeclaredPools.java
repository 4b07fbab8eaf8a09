package io.lifeguard.pool.spring;

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
 * Defines a bean for each pool that is declared by {@code lifeguard.pools.<name>.*}. Such a bean is asked for by name or qualifier: it is no default
 * candidate, so that no pool of Boot's, and no bean that wants just any executor, takes notice of it. Confined to the thread that starts the context.
 */
final class DeclaredPools implements BeanDefinitionRegistryPostProcessor, EnvironmentAware {

    /** What a context looks for by name, and makes itself later where it finds nothing. */
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
            EarlyProperties.of(beans, environment).pools().forEach((name, pool) -> {
                if (!isInherited(name, pool, beans)) {
                    define(name, registry, beans);
                }
            });
        }
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {}

    /**
     * Whether an ancestor of the context has that pool. Its properties are those of its descendants too, who have the same bean then, as
     * they have all others; a pool of other properties is a pool of its own, and hides the ancestor's.
     */
    private static boolean isInherited(String name, PoolProperties pool, ConfigurableListableBeanFactory beans) {
        for (BeanFactory above = beans.getParentBeanFactory();
                above instanceof ConfigurableListableBeanFactory ancestor;
                above = ancestor.getParentBeanFactory()) {
            LifeguardProperties properties = EarlyProperties.bound(ancestor);
            if (properties != null && properties.pools().containsKey(name)) {
                return pool.equals(properties.pools().get(name)) && ancestor.containsBeanDefinition(name);
            }
        }
        return false;
    }

    private static void define(String name, BeanDefinitionRegistry registry, ConfigurableListableBeanFactory beans) {
        if (registry.containsBeanDefinition(name)) {
            BeanDefinition there = registry.getBeanDefinition(name);
            if (isOurs(there)) {
                return; // generated ahead of time
            }
            String place = there.getResourceDescription();
            throw taken(name, place == null ? "there is one already" : "there is one in " + place);
        }
        if (registry.isAlias(name)) {
            throw taken(name, "it is an alias of \"" + String.join("\", \"", beans.getAliases(name)) + "\"");
        }
        if (beans.containsSingleton(name) || RESERVED.contains(name)) {
            throw taken(name, "it is one of Spring's own");
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

    private static BadPropertyException taken(String name, String by) {
        return new BadPropertyException(
                "lifeguard.pools." + name,
                "a pool of that name",
                "not have the name of another bean; " + by,
                "Rename the pool, or remove the bean \"" + name + "\".");
    }

    private static boolean isOurs(BeanDefinition definition) {
        return DeclaredPool.class.getName().equals(definition.getBeanClassName());
    }
}
