package io.lifeguard.pool.rewrite;

import static org.openrewrite.java.Assertions.java;
import static org.openrewrite.java.Assertions.version;

import org.junit.jupiter.api.Test;
import org.openrewrite.test.RecipeSpec;
import org.openrewrite.test.RewriteTest;

/**
 * {@link InstrumentFactories}. Each change also shows that a second run changes nothing, which the base class checks.
 */
class InstrumentFactoriesTest implements RewriteTest {

    @Override
    public void defaults(RecipeSpec spec) {
        spec.recipe(new InstrumentFactories());
    }

    @Test
    void fields_ofEveryFactory_giveTheirNames() {
        rewriteRun(java("""
                import java.util.concurrent.ExecutorService;
                import java.util.concurrent.Executors;
                import java.util.concurrent.ScheduledExecutorService;
                import java.util.concurrent.ThreadFactory;

                class Shop {
                    static final ExecutorService ORDERS = Executors.newFixedThreadPool(16);
                    ExecutorService mails = Executors.newSingleThreadExecutor();
                    ExecutorService bills = Executors.newCachedThreadPool();
                    ExecutorService parts = Executors.newWorkStealingPool(3);
                    ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
                    ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
                    ExecutorService parcels;

                    Shop(ThreadFactory threads) {
                        this.parcels = Executors.newFixedThreadPool(4, threads);
                    }
                }
                """, """
                import io.lifeguard.pool.InstrumentedExecutors;

                import java.util.concurrent.ExecutorService;
                import java.util.concurrent.ScheduledExecutorService;
                import java.util.concurrent.ThreadFactory;

                class Shop {
                    static final ExecutorService ORDERS = InstrumentedExecutors.newFixedThreadPool("ORDERS", 16);
                    ExecutorService mails = InstrumentedExecutors.newSingleThreadExecutor("mails");
                    ExecutorService bills = InstrumentedExecutors.newCachedThreadPool("bills");
                    ExecutorService parts = InstrumentedExecutors.newWorkStealingPool("parts", 3);
                    ScheduledExecutorService timer = InstrumentedExecutors.newScheduledThreadPool("timer", 2);
                    ScheduledExecutorService clock = InstrumentedExecutors.newSingleThreadScheduledExecutor("clock");
                    ExecutorService parcels;

                    Shop(ThreadFactory threads) {
                        this.parcels = InstrumentedExecutors.newFixedThreadPool("parcels", 4, threads);
                    }
                }
                """));
    }

    @Test
    void nameThatSaysNothing_followsTheClass() {
        rewriteRun(java("""
                import java.util.concurrent.ExecutorService;
                import java.util.concurrent.Executors;

                class Shop {
                    private static final ExecutorService THREAD_POOL = Executors.newCachedThreadPool();

                    void open() throws Exception {
                        ExecutorService es = Executors.newCachedThreadPool();
                        var executor = Executors.newCachedThreadPool();
                    }
                }
                """, """
                import io.lifeguard.pool.InstrumentedExecutors;

                import java.util.concurrent.ExecutorService;

                class Shop {
                    private static final ExecutorService THREAD_POOL = InstrumentedExecutors.newCachedThreadPool("Shop.THREAD_POOL");

                    void open() throws Exception {
                        ExecutorService es = InstrumentedExecutors.newCachedThreadPool("Shop.es");
                        var executor = InstrumentedExecutors.newCachedThreadPool("Shop.executor");
                    }
                }
                """));
    }

    @Test
    void wrappers_thatAreExecutors_passTheNameOn() {
        rewriteRun(java("""
                import java.util.concurrent.ExecutorService;
                import java.util.concurrent.Executors;
                import java.util.concurrent.ThreadPoolExecutor;

                class Shop {
                    ExecutorService orders = Executors.unconfigurableExecutorService(Executors.newFixedThreadPool(2));
                    ThreadPoolExecutor bills = (ThreadPoolExecutor) (Executors.newFixedThreadPool(2));
                    ExecutorService[] mails = new ExecutorService[1];

                    Shop(boolean many, ExecutorService other) {
                        orders = many ? Executors.newCachedThreadPool() : other;
                        mails[0] = Executors.newCachedThreadPool();
                    }
                }
                """, """
                import io.lifeguard.pool.InstrumentedExecutors;

                import java.util.concurrent.ExecutorService;
                import java.util.concurrent.Executors;
                import java.util.concurrent.ThreadPoolExecutor;

                class Shop {
                    ExecutorService orders = Executors.unconfigurableExecutorService(InstrumentedExecutors.newFixedThreadPool("orders", 2));
                    ThreadPoolExecutor bills = (ThreadPoolExecutor) (InstrumentedExecutors.newFixedThreadPool("bills", 2));
                    ExecutorService[] mails = new ExecutorService[1];

                    Shop(boolean many, ExecutorService other) {
                        orders = many ? InstrumentedExecutors.newCachedThreadPool("orders") : other;
                        mails[0] = InstrumentedExecutors.newCachedThreadPool("mails");
                    }
                }
                """));
    }

    @Test
    void withoutName_usesThePlainForm() {
        rewriteRun(java("""
                import java.util.concurrent.Executor;
                import java.util.concurrent.ExecutorService;
                import java.util.concurrent.Executors;
                import java.util.function.IntFunction;
                import java.util.function.Supplier;

                class Shop {
                    Supplier<ExecutorService> later = () -> Executors.newFixedThreadPool(2);
                    Supplier<ExecutorService> cached = Executors::newCachedThreadPool;
                    IntFunction<ExecutorService> fixed = Executors::newFixedThreadPool;

                    ExecutorService make() {
                        Executors.newCachedThreadPool().execute(this::make);
                        return Executors.newSingleThreadExecutor(task -> new Thread(task));
                    }
                }
                """, """
                import io.lifeguard.pool.InstrumentedExecutors;

                import java.util.concurrent.Executor;
                import java.util.concurrent.ExecutorService;
                import java.util.function.IntFunction;
                import java.util.function.Supplier;

                class Shop {
                    Supplier<ExecutorService> later = () -> InstrumentedExecutors.newFixedThreadPool(2);
                    Supplier<ExecutorService> cached = InstrumentedExecutors::newCachedThreadPool;
                    IntFunction<ExecutorService> fixed = InstrumentedExecutors::newFixedThreadPool;

                    ExecutorService make() {
                        InstrumentedExecutors.newCachedThreadPool().execute(this::make);
                        return InstrumentedExecutors.newSingleThreadExecutor(task -> new Thread(task));
                    }
                }
                """));
    }

    @Test
    void beanMethods_giveTheBeansName() {
        rewriteRun(java("""
                        package org.springframework.context.annotation;

                        public @interface Bean {
                            String[] value() default {};
                            String[] name() default {};
                            String destroyMethod() default "";
                        }
                        """), java("""
                        import java.util.concurrent.ExecutorService;
                        import java.util.concurrent.Executors;
                        import org.springframework.context.annotation.Bean;

                        class Pools {
                            @Bean
                            ExecutorService orders() {
                                return Executors.newFixedThreadPool(16);
                            }

                            @Bean("bills")
                            ExecutorService second() {
                                return Executors.newFixedThreadPool(16);
                            }

                            @Bean(destroyMethod = "shutdown", name = {"mails", "letters"})
                            ExecutorService third() {
                                return Executors.newFixedThreadPool(16);
                            }

                            ExecutorService noBean() {
                                return Executors.newFixedThreadPool(16);
                            }
                        }
                        """, """
                        import java.util.concurrent.ExecutorService;

                        import io.lifeguard.pool.InstrumentedExecutors;
                        import org.springframework.context.annotation.Bean;

                        class Pools {
                            @Bean
                            ExecutorService orders() {
                                return InstrumentedExecutors.newFixedThreadPool("orders", 16);
                            }

                            @Bean("bills")
                            ExecutorService second() {
                                return InstrumentedExecutors.newFixedThreadPool("bills", 16);
                            }

                            @Bean(destroyMethod = "shutdown", name = {"mails", "letters"})
                            ExecutorService third() {
                                return InstrumentedExecutors.newFixedThreadPool("mails", 16);
                            }

                            ExecutorService noBean() {
                                return InstrumentedExecutors.newFixedThreadPool(16);
                            }
                        }
                        """));
    }

    @Test
    void staticImportsAndQualifiedCalls_areReplaced() {
        rewriteRun(java("""
                import static java.util.concurrent.Executors.newFixedThreadPool;

                import java.util.concurrent.ExecutorService;

                class Shop {
                    ExecutorService orders = newFixedThreadPool(
                            16);
                    ExecutorService bills = java.util.concurrent.Executors.newCachedThreadPool();
                }
                """, """
                import io.lifeguard.pool.InstrumentedExecutors;

                import java.util.concurrent.ExecutorService;

                class Shop {
                    ExecutorService orders = InstrumentedExecutors.newFixedThreadPool(
                            "orders",
                            16);
                    ExecutorService bills = InstrumentedExecutors.newCachedThreadPool("bills");
                }
                """));
    }

    @Test
    void whatMightNotCompile_stays() {
        rewriteRun(java("""
                import java.util.concurrent.Callable;
                import java.util.concurrent.ExecutorService;
                import java.util.concurrent.Executors;

                class Shop {
                    // With a single argument that could also be a name, the call would be ambiguous.
                    ExecutorService make() {
                        return Executors.newSingleThreadExecutor(any());
                    }

                    <T> T any() {
                        return null;
                    }

                    // Not a factory.
                    Callable<Object> callable = Executors.callable(() -> {});
                }
                """));
    }

    @Test
    void fileWithAnotherTypeOfTheName_stays() {
        rewriteRun(java("""
                        package shop;

                        public class InstrumentedExecutors {
                            public static void touch() {}
                        }
                        """), java("""
                        package shop;

                        import java.util.concurrent.ExecutorService;
                        import java.util.concurrent.Executors;

                        class Shop {
                            ExecutorService orders = Executors.newCachedThreadPool();

                            Shop() {
                                InstrumentedExecutors.touch();
                            }
                        }
                        """));
    }

    @Test
    void comments_anywhere_stay() {
        rewriteRun(java("""
                import java.util.concurrent.ExecutorService;
                import java.util.concurrent.Executors;

                class Shop {
                    ExecutorService orders = /* a */ Executors./* b */newFixedThreadPool(/* c */ 4 /* d */);
                    ExecutorService mails = Executors.newFixedThreadPool( // e
                            4);
                    ExecutorService bills = Executors // f
                            .newCachedThreadPool(/* g */);
                }
                """, """
                import io.lifeguard.pool.InstrumentedExecutors;

                import java.util.concurrent.ExecutorService;

                class Shop {
                    ExecutorService orders = /* a */ InstrumentedExecutors./* b */newFixedThreadPool("orders", /* c */ 4 /* d */);
                    ExecutorService mails = InstrumentedExecutors.newFixedThreadPool( "mails", // e
                            4);
                    ExecutorService bills = InstrumentedExecutors // f
                            .newCachedThreadPool(/* g */"bills");
                }
                """));
    }

    @Test
    void fileForAnOlderJava_stays() {
        rewriteRun(version(java("""
                        import java.util.concurrent.ExecutorService;
                        import java.util.concurrent.Executors;

                        class Shop {
                            ExecutorService orders = Executors.newCachedThreadPool();
                        }
                        """), 11));
    }
}
