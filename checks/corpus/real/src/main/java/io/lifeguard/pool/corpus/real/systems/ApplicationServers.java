package io.lifeguard.pool.corpus.real.systems;

import io.lifeguard.workbench.ChildJvm;
import io.lifeguard.workbench.Waiting;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.glassfish.grizzly.http.server.HttpHandler;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.http.server.Response;
import org.glassfish.grizzly.threadpool.ThreadPoolConfig;

/** Servers whose request threads are named {@code name(7)}, which only {@code lifeguard watch} can look at. */
final class ApplicationServers {

    private static final String WEB_XML = """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">
              <servlet><servlet-name>c</servlet-name><servlet-class>%s</servlet-class></servlet>
              <servlet-mapping><servlet-name>c</servlet-name><url-pattern>/*</url-pattern></servlet-mapping>
            </web-app>
            """;

    private ApplicationServers() {}

    static List<RealSystem> all() {
        RealSystem grizzly = RealSystem.named("grizzly-one-catalogue", "lock-contention")
                .about("the sixteen workers of a Grizzly server read a catalogue under one monitor, 30 ms each")
                .at("ApplicationServers.read")
                .cure("without the lock")
                .forms(stage -> grizzly(stage, true), stage -> grizzly(stage, false));
        RealSystem payara = RealSystem.named("payara-one-catalogue", "lock-contention")
                .about("the request threads of Payara Micro read a catalogue under one monitor, 30 ms each")
                .at("ApplicationServers$Catalogue.read")
                .cure("without the lock")
                .forms(stage -> payara(stage, "/locked"), stage -> payara(stage, "/free"));
        return System.getProperty(Systems.PAYARA) == null ? List.of(grizzly) : List.of(grizzly, payara);
    }

    private static void grizzly(Stage stage, boolean isLocked) throws IOException {
        Object catalogue = new Object();
        HttpServer server = stage.keep(new HttpServer());
        NetworkListener listener = new NetworkListener("shop", "127.0.0.1", freePort());
        listener.getTransport()
                .setWorkerThreadPoolConfig(ThreadPoolConfig.defaultConfig()
                        .setPoolName("grizzly-shop")
                        .setCorePoolSize(16)
                        .setMaxPoolSize(16));
        server.addListener(listener);
        server.getServerConfiguration()
                .addHttpHandler(
                        new HttpHandler() {
                            @Override
                            public void service(Request request, Response response) throws IOException {
                                read(isLocked ? catalogue : new Object());
                                answer(response.getOutputStream());
                            }
                        },
                        "/");
        server.start();
        stage.clients(40, listener.getPort(), "/");
    }

    private static void read(Object catalogue) {
        synchronized (catalogue) {
            Waiting.millis(30);
        }
    }

    private static void answer(OutputStream out) throws IOException {
        out.write('o');
        out.close();
    }

    /** Starts it in a JVM of its own. Returns once the application is deployed. */
    private static void payara(Stage stage, String path) throws Exception {
        Path folder = Files.createTempDirectory("payara");
        Path war = folder.resolve("shop.war");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(war));
                InputStream type = ApplicationServers.class.getResourceAsStream("ApplicationServers$Catalogue.class")) {
            out.putNextEntry(new ZipEntry("WEB-INF/web.xml"));
            out.write(WEB_XML.formatted(Catalogue.class.getName()).getBytes(StandardCharsets.UTF_8));
            out.putNextEntry(
                    new ZipEntry("WEB-INF/classes/" + Catalogue.class.getName().replace('.', '/') + ".class"));
            Objects.requireNonNull(type, "the servlet's class").transferTo(out);
        }
        int port = freePort();
        Process payara = stage.process(new ProcessBuilder(
                        ChildJvm.java(),
                        "-Xmx512m",
                        "-jar",
                        System.getProperty(Systems.PAYARA),
                        "--noCluster",
                        "--contextRoot",
                        "/",
                        "--port",
                        Integer.toString(port),
                        "--rootDir",
                        folder.resolve("root").toString(),
                        "--deploy",
                        war.toString())
                .redirectErrorStream(true));
        BufferedReader log = new BufferedReader(new InputStreamReader(payara.getInputStream(), StandardCharsets.UTF_8));
        String line = log.readLine();
        while (line != null && !line.contains("ready in")) {
            line = log.readLine();
        }
        stage.loop("log", () -> Objects.requireNonNull(log.readLine(), "Payara has ended"));
        stage.isIn(payara);
        stage.clients(40, port, path);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** Reads the catalogue. Payara loads it without the corpus. */
    public static final class Catalogue extends HttpServlet {

        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            try {
                read(request.getRequestURI().endsWith("/locked"));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            response.setContentLength(1);
            response.getOutputStream().write('o');
        }

        private static void read(boolean isLocked) throws InterruptedException {
            if (isLocked) {
                synchronized (Catalogue.class) {
                    Thread.sleep(30);
                }
            } else {
                Thread.sleep(30);
            }
        }
    }
}
