package io.lifeguard.pool.rewrite;

import static org.openrewrite.java.Assertions.java;

import org.junit.jupiter.api.Test;
import org.openrewrite.test.RecipeSpec;
import org.openrewrite.test.RewriteTest;

/** {@link InstrumentConstructors}. */
class InstrumentConstructorsTest implements RewriteTest {

    @Override
    public void defaults(RecipeSpec spec) {
        spec.recipe(new InstrumentConstructors());
    }

    @Test
    void constructors_withDeclaredTypes_areReplacedAndTypesStay() {
        rewriteRun(java("""
                import java.util.Map;
                import java.util.concurrent.ConcurrentHashMap;
                import java.util.concurrent.ExecutorService;
                import java.util.concurrent.LinkedBlockingQueue;
                import java.util.concurrent.ScheduledThreadPoolExecutor;
                import java.util.concurrent.ThreadPoolExecutor;
                import java.util.concurrent.TimeUnit;

                class Shop {
                    ThreadPoolExecutor orders = new ThreadPoolExecutor(4, 8, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>());
                    ExecutorService timer = new ScheduledThreadPoolExecutor(2);
                    Map<String, ThreadPoolExecutor> byName = new ConcurrentHashMap<>();

                    ThreadPoolExecutor of(String name) {
                        timer = new java.util.concurrent.ScheduledThreadPoolExecutor(1, Thread::new);
                        new ScheduledThreadPoolExecutor(3).shutdown();
                        return byName.computeIfAbsent(name, key -> new ThreadPoolExecutor(
                                1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), new ThreadPoolExecutor.AbortPolicy()));
                    }
                }
                """, """
                import io.lifeguard.pool.InstrumentedScheduledThreadPoolExecutor;
                import io.lifeguard.pool.InstrumentedThreadPoolExecutor;

                import java.util.Map;
                import java.util.concurrent.ConcurrentHashMap;
                import java.util.concurrent.ExecutorService;
                import java.util.concurrent.LinkedBlockingQueue;
                import java.util.concurrent.ThreadPoolExecutor;
                import java.util.concurrent.TimeUnit;

                class Shop {
                    ThreadPoolExecutor orders = new InstrumentedThreadPoolExecutor(4, 8, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>());
                    ExecutorService timer = new InstrumentedScheduledThreadPoolExecutor(2);
                    Map<String, ThreadPoolExecutor> byName = new ConcurrentHashMap<>();

                    ThreadPoolExecutor of(String name) {
                        timer = new InstrumentedScheduledThreadPoolExecutor(1, Thread::new);
                        new InstrumentedScheduledThreadPoolExecutor(3).shutdown();
                        return byName.computeIfAbsent(name, key -> new InstrumentedThreadPoolExecutor(
                                1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), new ThreadPoolExecutor.AbortPolicy()));
                    }
                }
                """));
    }

    @Test
    void var_becomesTheTypeThatWasInferred() {
        rewriteRun(java("""
                import java.util.concurrent.ScheduledThreadPoolExecutor;

                class Shop {
                    void open(ScheduledThreadPoolExecutor other) {
                        var timer = new ScheduledThreadPoolExecutor(1);
                        timer = other;
                        var tick = new java.util.concurrent.ScheduledThreadPoolExecutor(2);
                    }
                }
                """, """
                import io.lifeguard.pool.InstrumentedScheduledThreadPoolExecutor;

                import java.util.concurrent.ScheduledThreadPoolExecutor;

                class Shop {
                    void open(ScheduledThreadPoolExecutor other) {
                        ScheduledThreadPoolExecutor timer = new InstrumentedScheduledThreadPoolExecutor(1);
                        timer = other;
                        ScheduledThreadPoolExecutor tick = new InstrumentedScheduledThreadPoolExecutor(2);
                    }
                }
                """));
    }

    @Test
    void javadocLinks_stay() {
        rewriteRun(java("""
                import java.util.concurrent.ExecutorService;
                import java.util.concurrent.ScheduledThreadPoolExecutor;

                /** Like {@link ScheduledThreadPoolExecutor#ScheduledThreadPoolExecutor(int)}. */
                class Shop {
                    ExecutorService timer = new ScheduledThreadPoolExecutor(1);
                }
                """, """
                import io.lifeguard.pool.InstrumentedScheduledThreadPoolExecutor;

                import java.util.concurrent.ExecutorService;
                import java.util.concurrent.ScheduledThreadPoolExecutor;

                /** Like {@link ScheduledThreadPoolExecutor#ScheduledThreadPoolExecutor(int)}. */
                class Shop {
                    ExecutorService timer = new InstrumentedScheduledThreadPoolExecutor(1);
                }
                """));
    }

    /** Each of these would have another type afterwards, or methods that could clash. */
    @Test
    void subclassesAndInferredTypes_stay() {
        rewriteRun(java("""
                import java.util.Optional;
                import java.util.concurrent.ScheduledThreadPoolExecutor;
                import java.util.concurrent.atomic.AtomicReference;
                import java.util.function.Supplier;

                class Shop extends ScheduledThreadPoolExecutor {
                    Shop() {
                        super(1);
                        var inferred = this;
                        Optional.of(new ScheduledThreadPoolExecutor(1)).orElse(inferred);
                        new AtomicReference<>(new ScheduledThreadPoolExecutor(1)).set(inferred);
                        ThreadLocal.withInitial(() -> new ScheduledThreadPoolExecutor(1)).set(inferred);
                        Object anonymous = new ScheduledThreadPoolExecutor(1) {
                            public String name() {
                                return "mine";
                            }
                        };
                        Supplier<Integer> other = () -> 1;
                    }
                }
                """));
    }

    @Test
    void fileWithAnotherTypeOfTheName_stays() {
        rewriteRun(java("""
                import java.util.concurrent.ExecutorService;
                import java.util.concurrent.ScheduledThreadPoolExecutor;

                class InstrumentedScheduledThreadPoolExecutor {
                    ExecutorService timer = new ScheduledThreadPoolExecutor(1);
                }
                """));
    }
}
