package io.lifeguard.pool.corpus.real.virtual;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Servers whose requests each have a virtual thread, as their manuals say. Stateless. */
final class Servers {

    private Servers() {}

    /** What a server does for a request. */
    @FunctionalInterface
    interface Answer {
        byte[] get() throws Exception;
    }

    static void tomcat(VirtualStage stage, int clients, double pauseMillis, Answer answer) throws Exception {
        stage.keep(Logger.getLogger("org.apache")).setLevel(Level.WARNING);
        Tomcat tomcat = stage.keep(new Tomcat());
        tomcat.setBaseDir(System.getProperty("java.io.tmpdir"));
        tomcat.setPort(0);
        Executor executor = stage.isInstrumented() ? stage.executor("tomcat") : new VirtualThreadExecutor("tomcat-");
        tomcat.getConnector().getProtocolHandler().setExecutor(executor);
        Context context = tomcat.addContext("", new File(".").getAbsolutePath());
        Tomcat.addServlet(context, "shop", new Servlet(answer));
        context.addServletMappingDecoded("/shop", "shop");
        tomcat.start();
        stage.clients(clients, pauseMillis, tomcat.getConnector().getLocalPort(), "/shop");
    }

    static void jetty(VirtualStage stage, int clients, double pauseMillis, Answer answer) throws Exception {
        QueuedThreadPool threads = new QueuedThreadPool(20);
        threads.setVirtualThreadsExecutor(stage.executor("jetty"));
        Server server = stage.keep(new Server(threads));
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("localhost");
        server.addConnector(connector);
        server.setHandler(new JettyHandler(answer));
        server.start();
        stage.clients(clients, pauseMillis, connector.getLocalPort(), "/shop");
    }

    /** A servlet. */
    private static final class Servlet extends HttpServlet {
        private static final long serialVersionUID = 1;

        private final transient Answer answer;

        Servlet(Answer answer) {
            this.answer = answer;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            byte[] text;
            try {
                text = answer.get();
            } catch (Exception e) {
                throw new IOException("no answer", e);
            }
            response.setContentLength(text.length);
            try (OutputStream out = response.getOutputStream()) {
                out.write(text);
            }
        }
    }

    /** A handler of Jetty. */
    private static final class JettyHandler extends Handler.Abstract {
        private final Answer answer;

        JettyHandler(Answer answer) {
            this.answer = answer;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            response.write(true, ByteBuffer.wrap(answer.get()), callback);
            return true;
        }
    }
}
