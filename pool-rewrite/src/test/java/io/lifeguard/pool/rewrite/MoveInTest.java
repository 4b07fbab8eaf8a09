package io.lifeguard.pool.rewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.openrewrite.java.Assertions.java;
import static org.openrewrite.java.Assertions.mavenProject;
import static org.openrewrite.java.Assertions.srcMainJava;
import static org.openrewrite.java.Assertions.version;

import org.junit.jupiter.api.Test;
import org.openrewrite.Recipe;
import org.openrewrite.Validated;
import org.openrewrite.config.Environment;
import org.openrewrite.test.RewriteTest;

/** The declarative recipes, as a plugin loads them. */
class MoveInTest implements RewriteTest {

    private static Recipe recipe(String name) {
        return Environment.builder()
                .scanRuntimeClasspath("io.lifeguard.pool.rewrite")
                .build()
                .activateRecipes("io.lifeguard.pool.rewrite." + name);
    }

    @Test
    void moveIn_asLoaded_isValidAndNamesTheVersionOfThisBuild() {
        Recipe moveIn = recipe("MoveIn");
        assertThat(moveIn.validateAll()).allMatch(Validated::isValid);
        assertThat(moveIn.getRecipeList())
                .last()
                .extracting("artifactId", "version")
                .containsExactly("pool-monitor", System.getProperty("lifeguard.version"));
    }

    @Test
    void instrumentPools_onFactoryAndConstructor_replacesBoth() {
        rewriteRun(
                spec -> spec.recipe(recipe("InstrumentPools")),
                mavenProject("shop", srcMainJava(version(java("""
                        import java.util.concurrent.ExecutorService;
                        import java.util.concurrent.Executors;
                        import java.util.concurrent.ScheduledThreadPoolExecutor;

                        class Shop {
                            ExecutorService orders = Executors.newCachedThreadPool();
                            ExecutorService timer = new ScheduledThreadPoolExecutor(1);
                        }
                        """, """
                        import io.lifeguard.pool.InstrumentedExecutors;
                        import io.lifeguard.pool.InstrumentedScheduledThreadPoolExecutor;

                        import java.util.concurrent.ExecutorService;

                        class Shop {
                            ExecutorService orders = InstrumentedExecutors.newCachedThreadPool("orders");
                            ExecutorService timer = new InstrumentedScheduledThreadPoolExecutor(1);
                        }
                        """), 17))));
    }
}
