package io.lifeguard.pool.corpus.real.systems;

import io.lifeguard.pool.InstrumentedExecutors;
import io.lifeguard.pool.corpus.work.HttpService;
import io.lifeguard.pool.diagnosis.external.PoolGauges;
import io.lifeguard.pool.diagnosis.external.PoolReader;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Servers with a thread per request: Jetty with its own pool, and Tomcat with an instrumented one. */
final class ThreadServers {

    private static final int CLIENTS = 32;

    private ThreadServers() {}

    static List<RealSystem> all() {
        return List.of(
                RealSystem.named("jetty-synchronized-catalogue", "lock-contention")
                        .about("all requests of a Jetty server call a service within one synchronized method")
                        .may("downstream-saturated")
                        .at("JettyShop.load")
                        .cure("without the lock")
                        .forms(stage -> jetty(stage, CLIENTS, true), stage -> jetty(stage, CLIENTS, false)),
                RealSystem.named("tomcat-four-threads", "blocked-on-io")
                        .about("four threads of Tomcat wait for a service of 30 ms, and 32 clients wait for them")
                        .may("queue-growing")
                        .at("TomcatShop.doGet")
                        .cure("40 threads")
                        .forms(
                                stage -> tomcat(stage, 4, TomcatShop.Rate.NONE),
                                stage -> tomcat(stage, 40, TomcatShop.Rate.NONE)),
                RealSystem.named("tomcat-compute-if-absent", "lock-contention")
                        .about("Tomcat's requests need a rate that computeIfAbsent loads, again and again, for 80 ms")
                        .at("TomcatShop.rate")
                        .cure("a timer loads the rate")
                        .forms(
                                stage -> tomcat(stage, 40, TomcatShop.Rate.IN_REQUEST),
                                stage -> tomcat(stage, 40, TomcatShop.Rate.BY_TIMER)));
    }

    static void jetty(Stage stage, int clients, boolean locked) throws Exception {
        Server server = stage.keep(jetty(HttpService.start(64), 20, locked));
        stage.monitor().watch((QueuedThreadPool) server.getThreadPool(), "jetty", new JettyReader());
        stage.clients(clients, port(server), "/price");
    }

    /** Starts a Jetty server whose requests wait so long for the service. */
    static Server jetty(HttpService service, double millis, boolean locked) throws Exception {
        return jetty(service, millis, locked, 40);
    }

    static Server jetty(HttpService service, double millis, boolean locked, int threads) throws Exception {
        Server server = new Server(new QueuedThreadPool(threads, Math.min(8, threads)));
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("localhost");
        server.addConnector(connector);
        server.setHandler(new JettyShop(service, millis, locked));
        server.start();
        return server;
    }

    static int port(Server server) {
        return ((ServerConnector) server.getConnectors()[0]).getLocalPort();
    }

    private static void tomcat(Stage stage, int threads, TomcatShop.Rate rate) throws Exception {
        stage.keep(Logger.getLogger("org.apache")).setLevel(Level.WARNING);
        Tomcat tomcat = stage.keep(new Tomcat());
        tomcat.setBaseDir(System.getProperty("java.io.tmpdir"));
        tomcat.setPort(0);
        tomcat.getConnector()
                .getProtocolHandler()
                .setExecutor(InstrumentedExecutors.newFixedThreadPool("tomcat", threads));
        Context context = tomcat.addContext("", new File(".").getAbsolutePath());
        TomcatShop shop = new TomcatShop(HttpService.start(64), rate);
        if (rate == TomcatShop.Rate.BY_TIMER) {
            ScheduledExecutorService timer =
                    stage.keep(InstrumentedExecutors.newSingleThreadScheduledExecutor("rates"));
            stage.keep(timer.scheduleWithFixedDelay(shop::load, 0, TomcatShop.RATE_MILLIS, TimeUnit.MILLISECONDS));
        }
        Tomcat.addServlet(context, "shop", shop);
        context.addServletMappingDecoded("/price", "shop");
        tomcat.start();
        stage.clients(CLIENTS, tomcat.getConnector().getLocalPort(), "/price");
    }

    /** A handler of Jetty. */
    private static final class JettyShop extends Handler.Abstract {
        private final HttpService service;
        private final double millis;
        private final boolean locked;

        JettyShop(HttpService service, double millis, boolean locked) {
            this.service = service;
            this.millis = millis;
            this.locked = locked;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) throws IOException {
            byte[] price = locked ? loadLocked() : load();
            response.write(true, ByteBuffer.wrap(price), callback);
            return true;
        }

        private synchronized byte[] loadLocked() throws IOException {
            return load();
        }

        private byte[] load() throws IOException {
            try (InputStream answer = service.url(millis).openStream()) {
                return answer.readAllBytes();
            }
        }
    }

    /** Reads Jetty's pool, as the library's Spring support does. */
    private static final class JettyReader implements PoolReader<QueuedThreadPool> {

        @Override
        public PoolGauges read(QueuedThreadPool pool) {
            int size = pool.getThreads();
            return new PoolGauges(
                    size,
                    Math.max(0, size - pool.getIdleThreads()),
                    pool.getQueueSize(),
                    0,
                    pool.getMinThreads(),
                    pool.getMaxThreads(),
                    Integer.MAX_VALUE);
        }

        @Override
        public List<Thread> workers(QueuedThreadPool pool) {
            Thread[] threads = new Thread[2 * Thread.activeCount() + 16];
            int count = Thread.enumerate(threads);
            return Arrays.stream(threads, 0, count)
                    .filter(thread -> thread.getName().startsWith(pool.getName() + "-"))
                    .toList();
        }
    }

    /** A servlet. */
    private static final class TomcatShop extends HttpServlet {

        /** Who loads the rate that each answer needs. */
        enum Rate {
            NONE,
            IN_REQUEST,
            BY_TIMER
        }

        static final long RATE_MILLIS = 100;

        private static final long serialVersionUID = 1;

        private final transient HttpService service;
        private final Rate needed;
        private final transient ConcurrentMap<Long, byte[]> rates = new ConcurrentHashMap<>();
        private volatile byte[] latest = {}; // written by the timer

        TomcatShop(HttpService service, Rate needed) {
            this.service = service;
            this.needed = needed;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            byte[] rate = rate();
            byte[] price;
            try (InputStream answer = service.url(30).openStream()) {
                price = answer.readAllBytes();
            }
            response.setContentLength(price.length + rate.length);
            try (OutputStream out = response.getOutputStream()) {
                out.write(rate);
                out.write(price);
            }
        }

        private byte[] rate() {
            if (needed != Rate.IN_REQUEST) {
                return latest;
            }
            long now = System.nanoTime() / (RATE_MILLIS * 1_000_000);
            rates.remove(now - 2);
            return rates.computeIfAbsent(now, time -> load());
        }

        byte[] load() {
            try (InputStream answer = service.url(80).openStream()) {
                latest = answer.readAllBytes();
                return latest;
            } catch (IOException e) {
                throw new IllegalStateException("the service is gone", e);
            }
        }
    }
}
