package io.lifeguard.pool.benchmarks.scenarios;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

/** Tasks of 256 different classes, more than any pool should keep statistics of. */
final class TaskKinds {
    private static final List<Class<?>> MARKERS =
            List.of(A.class, B.class, C.class, D.class, E.class, F.class, G.class, H.class);
    private static final InvocationHandler NOTHING = (proxy, method, arguments) -> switch (method.getName()) {
        case "hashCode" -> System.identityHashCode(proxy);
        case "equals" -> arguments != null && arguments.length == 1 && proxy == arguments[0];
        case "toString" -> "task";
        default -> null;
    };

    private TaskKinds() {}

    /** One task per subset of the marker interfaces. The JVM makes a proxy class for each. */
    static List<Runnable> all() {
        List<Runnable> kinds = new ArrayList<>();
        for (int subset = 0; subset < 1 << MARKERS.size(); subset++) {
            List<Class<?>> interfaces = new ArrayList<>();
            interfaces.add(Runnable.class);
            for (int i = 0; i < MARKERS.size(); i++) {
                if ((subset >> i & 1) == 1) {
                    interfaces.add(MARKERS.get(i));
                }
            }
            kinds.add((Runnable) Proxy.newProxyInstance(
                    TaskKinds.class.getClassLoader(), interfaces.toArray(Class<?>[]::new), NOTHING));
        }
        return kinds;
    }

    private interface A {}

    private interface B {}

    private interface C {}

    private interface D {}

    private interface E {}

    private interface F {}

    private interface G {}

    private interface H {}
}
