package io.lifeguard.pool.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.aot.BeanInstanceSupplier;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.task.ThreadPoolTaskExecutorBuilder;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.javapoet.ClassName;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/** Ahead-of-time processing, and what runs of it. */
class AotTest {

    @Test
    void processing_ofAnApplicationWithPools_generatesTheirDefinitionsAndHints() throws Exception {
        InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();
        DefaultGenerationContext generation = new DefaultGenerationContext(
                new ClassNameGenerator(ClassName.get("io.lifeguard.pool.spring", "Aot")), files);
        System.setProperty(AbstractAotProcessor.AOT_PROCESSING, "true");
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            TestPropertyValues.of(
                            "lifeguard.pools.orders.size=3",
                            "spring.jmx.enabled=false",
                            "management.endpoints.web.exposure.include=*")
                    .applyTo(context);
            context.register(Application.class);
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
        } finally {
            System.clearProperty(AbstractAotProcessor.AOT_PROCESSING);
        }
        generation.writeGeneratedContent();

        Map<String, String> sources = files.getGeneratedFiles(Kind.SOURCE).entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().toString()));
        assertThat(sources.keySet()).anyMatch(path -> path.contains("DeclaredPool__"));
        RuntimeHints hints = generation.getRuntimeHints();
        assertThat(RuntimeHintsPredicates.reflection().onType(ThreadPoolsEndpoint.class))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onType(PoolViews.Overview.class))
                .accepts(hints);
    }

    @Test
    void hints_registered_keepPropertiesViewsAndServices() {
        RuntimeHints hints = new RuntimeHints();
        new LifeguardRuntimeHints().registerHints(hints, getClass().getClassLoader());

        assertThat(RuntimeHintsPredicates.reflection().onType(LifeguardProperties.class))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onType(PoolProperties.class))
                .accepts(hints);
        assertThat(PoolViews.class.getDeclaredClasses())
                .hasSizeGreaterThan(8)
                .allSatisfy(
                        view -> assertThat(RuntimeHintsPredicates.reflection().onType(view))
                                .accepts(hints));
        assertThat(RuntimeHintsPredicates.resource().forResource("META-INF/services/io.lifeguard.pool.PoolObserver"))
                .accepts(hints);
    }

    /** Generated code has a supplier that knows Boot's method, and no name of it. */
    @Test
    void bootsExecutor_definedByGeneratedCode_isInstrumentedToo() throws Exception {
        Class<?> boots = Class.forName(
                "org.springframework.boot.autoconfigure.task.TaskExecutorConfigurations$TaskExecutorConfiguration");
        RootBeanDefinition generated = new RootBeanDefinition(ThreadPoolTaskExecutor.class);
        generated.setInstanceSupplier(BeanInstanceSupplier.forFactoryMethod(
                boots, "applicationTaskExecutor", ThreadPoolTaskExecutorBuilder.class));
        try (GenericApplicationContext context = new GenericApplicationContext()) {
            context.registerBean(ThreadPoolTaskExecutorBuilder.class, ThreadPoolTaskExecutorBuilder::new);
            context.registerBeanDefinition("applicationTaskExecutor", generated);
            context.registerBean(BootExecutors.class, BootExecutors::new);
            context.refresh();

            assertThat(context.getBean("applicationTaskExecutor"))
                    .isInstanceOf(InstrumentedThreadPoolTaskExecutor.class);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableScheduling
    static class Application {}
}
