package io.lifeguard.pool.rewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.openrewrite.java.Assertions.java;
import static org.openrewrite.java.Assertions.mavenProject;
import static org.openrewrite.java.Assertions.srcMainJava;
import static org.openrewrite.java.Assertions.version;
import static org.openrewrite.test.SourceSpecs.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.openrewrite.Recipe;
import org.openrewrite.Validated;
import org.openrewrite.config.Environment;
import org.openrewrite.test.RecipeSpec;
import org.openrewrite.test.RewriteTest;
import org.openrewrite.test.TypeValidation;

/** The declarative recipes, as a plugin loads them. */
class MoveInTest implements RewriteTest {

    private static final String SHOP =
            "class Shop {\n    io.lifeguard.pool.InstrumentedThreadPoolExecutor orders;\n}\n";

    private static final Environment ENVIRONMENT = Environment.builder()
            .scanRuntimeClasspath("io.lifeguard.pool.rewrite")
            .build();

    private static Recipe recipe(String name) {
        return ENVIRONMENT.activateRecipes("io.lifeguard.pool.rewrite." + name);
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

    @Test
    void moveIn_projectWithAModuleDescriptor_requiresTheModule() {
        rewriteRun(
                spec -> spec.recipes(recipe("InstrumentPools"), new RequireModule())
                        .expectedCyclesThatMakeChanges(2),
                mavenProject(
                        "shop",
                        srcMainJava(
                                version(java("""
                                        package shop;

                                        import java.util.concurrent.ExecutorService;
                                        import java.util.concurrent.Executors;

                                        class Shop {
                                            ExecutorService orders = Executors.newCachedThreadPool();
                                        }
                                        """, """
                                        package shop;

                                        import io.lifeguard.pool.InstrumentedExecutors;

                                        import java.util.concurrent.ExecutorService;

                                        class Shop {
                                            ExecutorService orders = InstrumentedExecutors.newCachedThreadPool("orders");
                                        }
                                        """), 17), text("""
                                        /** A shop. */
                                        module shop {
                                            requires java.sql;
                                            exports shop;
                                        }
                                        """, """
                                        /** A shop. */
                                        module shop {
                                            requires java.sql;
                                            requires io.lifeguard.pool;
                                            exports shop;
                                        }
                                        """, spec -> spec.path("module-info.java")))),
                mavenProject("other", srcMainJava(text("module other {}\n", spec -> spec.path("module-info.java")))));
    }

    @Test
    void moveIn_emptyModule_requiresTheModule() {
        rewriteRun(
                spec -> spec.recipe(new RequireModule()),
                java("""
                        class Shop {
                            io.lifeguard.pool.InstrumentedThreadPoolExecutor orders;
                        }
                        """),
                text("open module shop {\n}\n", """
                        open module shop {
                            requires io.lifeguard.pool;
                        }
                        """, spec -> spec.path("module-info.java")));
    }

    /** As in the plugin for Maven, which gives descriptors to no recipe, and whose paths begin at the Git root. */
    @Test
    void moveIn_descriptorThatIsNotGiven_isReadBelowTheRoot() throws IOException {
        Path folder = folderWithADescriptor();
        Files.writeString(folder.resolve("Shop.java"), SHOP);

        rewriteRun(
                spec -> spec.recipe(new RequireModule()),
                java(SHOP, spec -> spec.path(belowRoot(folder).resolve("Shop.java"))),
                text(
                        null,
                        "module shop {\n    requires java.logging;\n    requires io.lifeguard.pool;\n}",
                        spec -> spec.path(belowRoot(folder).resolve("module-info.java"))));
    }

    /** Then the paths do not begin where the recipe thinks, and the descriptor may be that of another project. */
    @Test
    void moveIn_sourceIsNotBesideTheDescriptor_leavesItAlone() throws IOException {
        Path folder = folderWithADescriptor();

        rewriteRun(
                spec -> spec.recipe(new RequireModule()),
                java(SHOP, spec -> spec.path(belowRoot(folder).resolve("Shop.java"))));
    }

    private static Path folderWithADescriptor() throws IOException {
        Path folder = Files.createTempDirectory(Path.of("target"), "module").toAbsolutePath();
        Files.writeString(folder.resolve("module-info.java"), "module shop {\n    requires java.logging;\n}\n");
        return folder;
    }

    private static Path belowRoot(Path folder) {
        return RequireModule.root(Path.of("").toAbsolutePath()).relativize(folder);
    }

    @Test
    void root_belowAGitRepository_isItsFolder(@TempDir Path folder) throws IOException {
        Path module = Files.createDirectories(folder.resolve("shop/web"));
        assertThat(RequireModule.root(module)).isEqualTo(module);

        Files.createFile(folder.resolve(".git")); // a file, as in a linked worktree
        assertThat(RequireModule.root(module)).isEqualTo(folder);
        Files.createDirectory(module.resolve(".git"));
        assertThat(RequireModule.root(module)).isEqualTo(module);
    }

    private static Consumer<RecipeSpec> left(Tuple... codesAndReasons) {
        return spec -> spec.recipe(new ListLeftPools())
                .dataTable(
                        LeftPools.Row.class,
                        rows -> assertThat(rows)
                                .extracting(LeftPools.Row::code, LeftPools.Row::reason)
                                .containsExactlyInAnyOrder(codesAndReasons));
    }

    @Test
    void listLeftPools_eachReason_isToldWithItsFile() {
        rewriteRun(
                left(
                        tuple("class Own extends ScheduledThreadPoolExecutor", "it is a subclass of the JDK's pool"),
                        tuple("new ScheduledThreadPoolExecutor(2) { }", "it is an anonymous subclass"),
                        tuple("new ScheduledThreadPoolExecutor(3)", "the compiler infers a type from it"),
                        tuple(
                                "new java.util.concurrent.ScheduledThreadPoolExecutor(4)",
                                "the file is compiled for a Java before 17"),
                        tuple("Executors.newCachedThreadPool(null)", "its argument would also fit a name"),
                        tuple(
                                "java.util.concurrent.Executors.newCachedThreadPool()",
                                "the file uses another type called InstrumentedExecutors")),
                version(java("""
                        import java.util.concurrent.ScheduledThreadPoolExecutor;

                        class Shop {
                            ScheduledThreadPoolExecutor replaced = new ScheduledThreadPoolExecutor(1);
                            Object anonymous = new ScheduledThreadPoolExecutor(2) {
                            };
                            Object inferred = java.util.Optional.of(new ScheduledThreadPoolExecutor(3));

                            static class Own extends ScheduledThreadPoolExecutor {
                                Own() {
                                    super(1);
                                }
                            }
                        }
                        """), 17),
                version(java("""
                        import java.util.concurrent.Executors;

                        class Factories {
                            void start() {
                                Executors.newCachedThreadPool(null).shutdown();
                            }
                        }
                        """), 17),
                version(java("""
                        class Other {
                            Object own = java.util.concurrent.Executors.newCachedThreadPool();
                        }

                        class InstrumentedExecutors {
                        }
                        """), 17),
                version(java("""
                        class Old {
                            Object old = new java.util.concurrent.ScheduledThreadPoolExecutor(4);
                        }
                        """), 11));
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void listLeftPools_referenceToAFactoryWithOneForm_isTold() {
        rewriteRun(
                left(tuple("Executors::newVirtualThreadPerTaskExecutor", "a reference to a method with one form only")),
                version(java("""
                        import java.util.concurrent.ExecutorService;
                        import java.util.concurrent.Executors;
                        import java.util.function.Supplier;

                        class Shop {
                            Supplier<ExecutorService> orders = Executors::newVirtualThreadPerTaskExecutor;
                        }
                        """), 21));
    }

    /** What a project gets whose libraries the plugin does not find. */
    @Test
    void listLeftPools_typesAreUnknown_listsWhatHasTheNameOfAPool() {
        rewriteRun(
                spec -> left(
                                tuple("new ThreadPoolExecutor(new Missing())", "its types are unknown"),
                                tuple(
                                        "new java.util.concurrent.ScheduledThreadPoolExecutor(1, 2, 3, new Missing())",
                                        "its types are unknown"),
                                tuple("Executors.newCachedThreadPool(new Missing(), 1)", "its types are unknown"))
                        .accept(spec.typeValidationOptions(TypeValidation.none())),
                version(java("""
                        import java.util.concurrent.Executors;
                        import java.util.concurrent.ThreadPoolExecutor;

                        class Shop {
                            Object orders = new ThreadPoolExecutor(new Missing());
                            Object timer = new java.util.concurrent.ScheduledThreadPoolExecutor(1, 2, 3, new Missing());
                            Object mails = Executors.newCachedThreadPool(new Missing(), 1);
                            Object list = new java.util.ArrayList<>(new Missing());
                        }
                        """), 17),
                version(java("""
                        import com.example.missing.ThreadPoolExecutor;

                        class Other {
                            Object notOfTheJdk = new ThreadPoolExecutor(1);
                            Object either = new com.example.missing.ThreadPoolExecutor(2);
                        }
                        """), 17));
    }
}
