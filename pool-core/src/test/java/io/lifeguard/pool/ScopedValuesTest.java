package io.lifeguard.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.testing.Fixture;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Scoped values of Java 25 in tasks on virtual threads. They are called by their names, because tests are compiled for
 * Java 17.
 */
@EnabledForJreRange(min = JRE.JAVA_25)
class ScopedValuesTest {

    private static final String CLASS = "java.lang.ScopedValue";

    @AutoClose
    private final Fixture fixture = new Fixture(Duration.ofSeconds(20));

    private final Object value = call("newInstance", null);

    private static Object call(String method, Object target, Object... arguments) {
        try {
            for (Method each : Class.forName(CLASS).getMethods()) {
                if (each.getName().equals(method) && each.getParameterCount() == arguments.length) {
                    return each.invoke(target, arguments);
                }
            }
            throw new NoSuchMethodException(method);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private void where(String bound, Runnable body) {
        Object carrier = call("where", null, value, bound);
        try {
            Class.forName(CLASS + "$Carrier").getMethod("run", Runnable.class).invoke(carrier, body);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private Object valueOr(String otherwise) {
        return call("orElse", value, otherwise);
    }

    private <T> T in(ExecutorService executor, Callable<T> task) {
        try {
            return executor.submit(task).get(fixture.patience().toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** A task binds a value for itself. Like the JDK's, no executor hands on what its submitter has bound. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void submit_valueBoundAroundItAndInTheTask_isTheTasksOwn(boolean isLimited) {
        ExecutorService executor = fixture.closing(
                isLimited
                        ? InstrumentedVirtualThreadExecutor.named("scoped")
                                .limit(1)
                                .build()
                        : InstrumentedExecutors.newVirtualThreadPerTaskExecutor("scoped"));
        Object[] seen = new Object[3];
        Function<String, Object> bind = bound -> {
            Object[] inside = new Object[1];
            where(bound, () -> inside[0] = valueOr("none"));
            return inside[0];
        };
        where("submitter", () -> {
            seen[0] = in(executor, () -> valueOr("none"));
            seen[1] = in(executor, () -> bind.apply("task"));
            seen[2] = in(executor, () -> valueOr("none")); // maybe on the thread that had bound it
        });
        assertThat(seen).containsExactly("none", "task", "none");
    }
}
