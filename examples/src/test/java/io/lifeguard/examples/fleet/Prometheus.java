package io.lifeguard.examples.fleet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.StreamSupport;

/** A real Prometheus on the loopback interface, with an empty store of its own. Thread-safe. */
final class Prometheus implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(PATIENCE).build();
    private final Server server;
    private final URI address;

    private Prometheus(Server server, URI address) {
        this.server = server;
        this.address = address;
    }

    static Prometheus start(Tool program, Path config, Path directory) throws IOException {
        int port = freePort();
        Server server = Server.start(
                directory.resolve("prometheus.log"),
                List.of(
                        program.program().toString(),
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + directory.resolve("tsdb"),
                        "--web.listen-address=127.0.0.1:" + port));
        server.awaitOutput("Server is ready to receive web requests");
        return new Prometheus(server, URI.create("http://127.0.0.1:" + port));
    }

    /** What an instant query returns: the vector, or the scalar. */
    List<JsonNode> query(String expression) {
        JsonNode data = get("/api/v1/query?query=" + encoded(expression)).at("/data");
        assertThat(data.at("/resultType").asText())
                .as("type of the result of %s", expression)
                .isIn("vector", "scalar");
        return data.at("/resultType").asText().equals("scalar")
                ? List.of(data.get("result"))
                : list(data.get("result"));
    }

    /** The values of a label, as far as series match the selector. */
    List<String> values(String label, String selector) {
        return list(get("/api/v1/label/" + label + "/values?match[]=" + encoded(selector))
                        .at("/data"))
                .stream()
                .map(JsonNode::asText)
                .toList();
    }

    /** All rules, of all groups, with their health. */
    List<JsonNode> rules() {
        return list(get("/api/v1/rules").at("/data/groups")).stream()
                .flatMap(group -> list(group.get("rules")).stream())
                .toList();
    }

    private JsonNode get(String path) {
        try {
            HttpRequest request = HttpRequest.newBuilder(address.resolve(path.replace("[]", "%5B%5D")))
                    .timeout(PATIENCE)
                    .build();
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode())
                    .as("%s: %s", path, response.body())
                    .isEqualTo(200);
            return JSON.readTree(response.body());
        } catch (IOException failure) {
            throw new AssertionError(path, failure);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new AssertionError(path, stopped);
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8);
    }

    private static List<JsonNode> list(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).toList();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() throws InterruptedException {
        server.close();
    }
}
