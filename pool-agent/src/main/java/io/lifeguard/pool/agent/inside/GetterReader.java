package io.lifeguard.pool.agent.inside;

import io.lifeguard.pool.diagnosis.external.PoolGauges;
import io.lifeguard.pool.diagnosis.external.PoolReader;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Reads an executor of a library through the getters that its {@link ExecutorKind} names. Thread-safe. A number without
 * a getter comes from the threads that led to the executor.
 */
final class GetterReader implements PoolReader<Executor> {

    /** A look at busy threads takes their stacks, 50 µs each; several questions within 200 ms share one. */
    private static final long FRESH_NANOS = 200_000_000;

    private static final int MOST_IDLE_FRAMES = 24; // the idle method is near the top

    private final ExecutorKind kind;
    private final FoundExecutor found;
    private final Map<String, AccessibleObject> members = new HashMap<>(); // guarded by this; methods and fields

    // guarded by this
    private @Nullable PoolGauges latest;
    private long latestNanos;

    GetterReader(ExecutorKind kind, FoundExecutor found) {
        this.kind = kind;
        this.found = found;
    }

    @Override
    public synchronized PoolGauges read(Executor executor) {
        long now = System.nanoTime();
        PoolGauges fresh = latest;
        if (fresh == null || now - latestNanos > FRESH_NANOS) {
            fresh = ask(executor);
            latest = fresh;
            latestNanos = now;
        }
        return fresh;
    }

    private PoolGauges ask(Executor executor) {
        List<Thread> threads = workers(executor);
        int size = (int) number(executor, kind.size, threads.size());
        long active = number(executor, kind.active, -1);
        long completed = number(executor, kind.completed, -1);
        return new PoolGauges(
                size,
                (int) Math.min(size, active >= 0 ? active : busy(threads)),
                (int) Math.min(Integer.MAX_VALUE, number(executor, kind.queued, 0)),
                completed >= 0 ? completed : PoolGauges.UNKNOWN,
                (int) Math.max(0, number(executor, kind.core, size)),
                (int) Math.max(1, number(executor, kind.most, size)),
                Integer.MAX_VALUE);
    }

    @Override
    public List<Thread> workers(Executor executor) {
        return found.living();
    }

    private int busy(List<Thread> threads) {
        int busy = 0;
        for (Thread thread : threads) {
            busy += isIdle(thread) ? 0 : 1;
        }
        return busy;
    }

    private boolean isIdle(Thread thread) {
        StackTraceElement[] stack = thread.getStackTrace();
        for (int i = 0; i < stack.length && i < MOST_IDLE_FRAMES; i++) {
            if (kind.idle.equals(stack[i].getClassName() + '.' + stack[i].getMethodName())) {
                return true;
            }
        }
        return false;
    }

    /** {@return the sum or the difference of paths; otherwise what is given where the kind names none} */
    private long number(Executor executor, String paths, long otherwise) {
        if (paths.isEmpty()) {
            return otherwise;
        }
        int operator = Math.max(paths.indexOf('+'), paths.indexOf('-'));
        if (operator < 0) {
            return valueAt(executor, paths);
        }
        long left = valueAt(executor, paths.substring(0, operator));
        long right = valueAt(executor, paths.substring(operator + 1));
        return paths.charAt(operator) == '+' ? left + right : left - right;
    }

    private long valueAt(Object executor, String path) {
        Object value = executor;
        for (String name : path.split("\\.", -1)) {
            if (value == null) {
                return 0; // a part that the executor has not made yet
            }
            value = value instanceof Collection<?> collection && name.equals("size")
                    ? (Integer) collection.size()
                    : member(value, name);
        }
        return value instanceof Number number ? number.longValue() : 0;
    }

    private @Nullable Object member(Object of, String name) {
        AccessibleObject member = members.get(of.getClass().getName() + '.' + name);
        try {
            if (member == null) {
                member = find(of.getClass(), name);
                members.put(of.getClass().getName() + '.' + name, member);
            }
            return member instanceof Method method ? method.invoke(of) : ((Field) member).get(of);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(name + " of " + of.getClass().getName() + " failed: " + e.getCause(), e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(of.getClass().getName() + " has no " + name + " that can be read", e);
        }
    }

    private static AccessibleObject find(Class<?> type, String name) throws NoSuchFieldException {
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            for (Method method : each.getDeclaredMethods()) {
                if (method.getName().equals(name) && method.getParameterCount() == 0 && method.trySetAccessible()) {
                    return method;
                }
            }
            for (Field field : each.getDeclaredFields()) {
                if (field.getName().equals(name) && field.trySetAccessible()) {
                    return field;
                }
            }
        }
        throw new NoSuchFieldException(name);
    }
}
