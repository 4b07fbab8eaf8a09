package io.lifeguard.pool.spring.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CountDownLatch;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.junit.jupiter.api.Test;

class JettyReaderTest {

    private final CountDownLatch end = new CountDownLatch(1);

    @Test
    void read_theAcceptorHasEndedAndTwoRequestsRun_countsTwo() throws Exception {
        QueuedThreadPool pool = new QueuedThreadPool(20, 8);
        Server server = new Server(pool);
        ServerConnector connector = new ServerConnector(server, 1, 1);
        server.addConnector(connector);
        JettyRequests requests = new JettyRequests();
        requests.setHandler(new Waiting());
        server.setHandler(requests);
        server.start();
        try {
            ServerPoolReader.OfJetty reader = new ServerPoolReader.OfJetty(pool, requests);
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + connector.getLocalPort()))
                    .build();
            for (int i = 0; i < 2; i++) {
                HttpClient.newHttpClient().sendAsync(request, BodyHandlers.discarding());
            }
            await().until(() -> requests.running() == 2); // Jetty's own count is early

            connector.shutdown(); // as at a graceful shutdown

            await().until(() -> pool.getUtilizedThreads() < 2); // Jetty's own count
            assertThat(reader.read(pool).active()).isEqualTo(2);
        } finally {
            end.countDown();
            server.stop();
        }
    }

    private final class Waiting extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            end.await();
            callback.succeeded();
            return true;
        }
    }
}
