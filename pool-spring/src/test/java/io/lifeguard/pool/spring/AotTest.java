package io.lifeguard.pool.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.spring.endpoint.ThreadPoolsEndpoint;
import io.lifeguard.pool.spring.properties.LifeguardProperties;
import io.lifeguard.pool.spring.properties.PoolProperties;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;
import org.springframework.scheduling.annotation.EnableScheduling;

/** Ahead-of-time processing keeps what an application needs at run time. */
class AotTest {

    @Test
    void processing_applicationWithPools_generatesDefinitionsAndHints() throws Exception {
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
    }

    @Test
    void hints_registered_keepPropertiesAndServices() {
        RuntimeHints hints = new RuntimeHints();
        new LifeguardRuntimeHints().registerHints(hints, getClass().getClassLoader());

        assertThat(RuntimeHintsPredicates.reflection().onType(LifeguardProperties.class))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onType(PoolProperties.class))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.resource().forResource("META-INF/services/io.lifeguard.pool.PoolObserver"))
                .accepts(hints);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableScheduling
    static class Application {}
}
