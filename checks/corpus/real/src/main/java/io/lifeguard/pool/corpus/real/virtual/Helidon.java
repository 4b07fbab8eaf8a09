package io.lifeguard.pool.corpus.real.virtual;

import java.lang.reflect.Array;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Programs with Helidon 4, which gives each request a virtual thread of its own. Stateless. Helidon is compiled for
 * Java 21, and this module for Java 17, so Helidon is called by its names.
 */
final class Helidon {

    private static final String PACKAGE = "io.helidon.webserver.";

    private Helidon() {}

    static List<VirtualProgram> all() {
        return List.of(VirtualProgram.sick(
                "helidon-fan-out",
                "100 requests of Helidon 4.2 each ask for a price and a stock at a time, behind five permits",
                Label.of("virtual-threads-in-line", "permit", "Suppliers.ask"),
                Helidon::fanOut));
    }

    private static void fanOut(VirtualStage stage) throws Exception {
        Executor executor = stage.executor("suppliers");
        Suppliers suppliers = stage.keep(new Suppliers());
        start(stage, 100, () -> {
            FutureTask<Integer> price = new FutureTask<>(suppliers::ask);
            FutureTask<Integer> stock = new FutureTask<>(suppliers::ask);
            executor.execute(price);
            executor.execute(stock);
            try {
                return "" + (price.get() + stock.get());
            } catch (InterruptedException | ExecutionException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static void start(VirtualStage stage, int clients, Supplier<String> answer)
            throws ReflectiveOperationException {
        Class<?> handlers = Class.forName(PACKAGE + "http.Handler");
        Class<?> routings = Class.forName(PACKAGE + "http.HttpRouting$Builder");
        Class<?> builders = Class.forName(PACKAGE + "WebServerConfig$Builder");
        Class<?> servers = Class.forName(PACKAGE + "WebServer");
        Object handler = handlers.getMethod("create", Supplier.class).invoke(null, answer);
        Object several = Array.newInstance(handlers, 1);
        Array.set(several, 0, handler);
        Object routing =
                Class.forName(PACKAGE + "http.HttpRouting").getMethod("builder").invoke(null);
        routings.getMethod("get", String.class, several.getClass()).invoke(routing, "/shop", several);
        Object builder = servers.getMethod("builder").invoke(null);
        builders.getMethod("host", String.class).invoke(builder, "localhost");
        builders.getMethod("routing", routings).invoke(builder, routing);
        Object server = stage.keep(builders.getMethod("build").invoke(builder));
        servers.getMethod("start").invoke(server);
        int port = (Integer) servers.getMethod("port").invoke(server);
        stage.clients(clients, 0, port, "/shop");
    }

    /** A user's client of a service that allows five calls at a time. */
    private static final class Suppliers {
        private final Semaphore permits = new Semaphore(5);

        int ask() {
            permits.acquireUninterruptibly();
            try {
                return VirtualStage.call(20).length;
            } finally {
                permits.release();
            }
        }
    }
}
