package io.lifeguard.pool.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The live page answers browsers on this machine with files and with what is new, and nothing else. */
class PoolPageTest {

    private static final String HOSTILE = "</script><script>document.title='owned'</script>";

    private final HttpClient client = HttpClient.newHttpClient();
    private final Set<Thread> threadsBefore = Thread.getAllStackTraces().keySet();
    private final PoolMonitor monitor =
            PoolMonitor.builder().window(Duration.ofMillis(20)).build();
    private final PoolPage page = PoolPage.of(monitor);
    private PoolPage.Server server;

    @BeforeEach
    void start() throws IOException {
        server = page.start(0);
    }

    @AfterEach
    void close() {
        server.close();
        monitor.close();
    }

    private HttpResponse<String> send(String method, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.uri() + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
    }

    private String data(String query) throws Exception {
        HttpResponse<String> response = send("GET", "data" + query);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
        return response.body();
    }

    private static long number(String name, String json) {
        Matcher matcher = Pattern.compile("\"" + name + "\":(\\d+)").matcher(json);
        assertThat(matcher.find()).as("%s in %s", name, json).isTrue();
        return Long.parseLong(matcher.group(1));
    }

    private static InstrumentedThreadPoolExecutor pool(String name) {
        return InstrumentedThreadPoolExecutor.named(name).size(1).build();
    }

    @Test
    void root_asked_isThePageWithAStrictPolicy() throws Exception {
        HttpResponse<String> response = send("GET", "");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("text/html;charset=UTF-8");
        assertThat(response.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
        assertThat(response.headers().firstValue("Cache-Control")).hasValue("no-store");
        String policy = response.headers().firstValue("Content-Security-Policy").orElseThrow();
        assertThat(policy)
                .startsWith("default-src 'none'; base-uri 'none'; form-action 'none'; script-src 'self'; ")
                .endsWith("frame-ancestors 'none'")
                .doesNotContain("unsafe", "http:", "https:", "*");
        assertThat(response.body())
                .startsWith("<!DOCTYPE html>")
                .doesNotContain("<style", "http://", "https://", "${")
                .doesNotContainPattern("\\s(on[a-z]+|style)=")
                .doesNotContainPattern("<script[^>]*>[^<]");
    }

    @Test
    void page_filesThatItNames_areThere() throws Exception {
        String html = send("GET", "").body();
        Set<String> names = Pattern.compile("(?:src|href)=\"([^\"]+)\"")
                .matcher(html)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());

        assertThat(names).hasSize(6).noneMatch(name -> name.contains("/"));
        for (String name : names) {
            HttpResponse<String> file = send("GET", name);
            assertThat(file.statusCode()).as(name).isEqualTo(200);
            assertThat(file.body()).as(name).isNotEmpty();
        }
        assertThat(send("GET", "page.js").body()).doesNotContain("import ", "export ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH", "OPTIONS"})
    void anyPath_otherMethod_isRefused(String method) throws Exception {
        for (String path : new String[] {"", "data", "jfr", "nothing"}) {
            HttpResponse<String> response = send(method, path);
            assertThat(response.statusCode()).as(path).isEqualTo(405);
            assertThat(response.headers().firstValue("Allow")).hasValue("GET, HEAD");
        }
    }

    @Test
    void head_ofThePage_hasItsLengthAndNoBody() throws Exception {
        HttpResponse<String> response = send("HEAD", "");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEmpty();
        assertThat(response.headers().firstValueAsLong("Content-Length").orElseThrow())
                .isGreaterThan(1000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nothing", "../data", "data/", "page.html", "%2e%2e/page.css", "live/page.js"})
    void unknownPath_asked_isNotFound(String path) throws Exception {
        assertThat(send("GET", path).statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"evil.example", "evil.example:80", "localhost.evil.example", "127.0.0.1.evil.example"})
    void anyPath_underAForeignName_isRefused(String host) throws Exception {
        assertThat(answerTo(host)).startsWith("HTTP/1.1 403");
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST:8080", "pools.localhost", "127.0.0.1:8080", "[::1]:8080"})
    void anyPath_underANameOfThisMachine_isAnswered(String host) throws Exception {
        assertThat(answerTo(host)).startsWith("HTTP/1.1 200");
    }

    private String answerTo(String host) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream()
                    .write(("GET / HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void data_ofAPoolWithAHostileName_isJson() throws Exception {
        InstrumentedThreadPoolExecutor pool = pool(HOSTILE + "\"\\");
        try {
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(data("")).contains("\"name\":\"" + HOSTILE + "\\\"\\\\\""));
        } finally {
            pool.shutdown();
        }
    }

    @Test
    void data_sinceAMoment_tellsFromShortlyBefore() throws Exception {
        InstrumentedThreadPoolExecutor pool = pool("growing");
        try {
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(data("")).contains("\"name\":\"growing\""));
            String all = data("");
            assertThat(number("from", all)).isZero();
            long since = number("now", all);

            String more = data("?since=" + since);

            assertThat(number("begin", more)).isBetween(number("begin", all), since);
            assertThat(number("from", more)).isEqualTo(number("begin", more) + 5_000);
            assertThat(more).contains(all.substring(all.indexOf("\"instance\""), all.indexOf("\"now\"")));
            assertThat(number("from", data("?v=1&since=" + since + "&x=y"))).isPositive();
        } finally {
            pool.shutdown();
        }
    }

    @Test
    void data_sinceAMomentOfAnotherClock_tellsAll() throws Exception {
        InstrumentedThreadPoolExecutor pool = pool("clock");
        try {
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(
                            () -> assertThat(data("?since=9999999999999")).contains("\"name\":\"clock\""));
            assertThat(number("from", data("?since=9999999999999"))).isZero();
        } finally {
            pool.shutdown();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "-1", "1.5", "99999999999999", ""})
    void data_sinceNoMoment_isRefusedWithTheValue(String since) throws Exception {
        HttpResponse<String> response = send("GET", "data?since=" + since);

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).isEqualTo("since must be milliseconds since 1970 (was \"" + since + "\")");
    }

    @Test
    void data_sinceALongText_isRefusedWithItsBeginning() {
        String since = "x".repeat(200_000);

        assertThatThrownBy(() -> page.part("data", "since=" + since))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("since must be milliseconds since 1970 (was \"" + "x".repeat(200) + "…\")");
    }

    @Test
    void reportAndRecording_asked_areFiles() throws Exception {
        assertThat(send("GET", "report").body()).startsWith("<!DOCTYPE html>").contains("id=\"recording\"");
        assertThat(send("GET", "jfr").body()).startsWith("FLR");
    }

    @Test
    void part_forAnotherWebServer_isTheSameFile() throws Exception {
        PoolPage.Part part = page.part(PoolPage.PAGE, null).orElseThrow();

        assertThat(part.type()).isEqualTo("text/html;charset=UTF-8");
        assertThat(new String(part.content(), StandardCharsets.UTF_8))
                .isEqualTo(send("GET", "").body());
        assertThat(page.part("nothing", null)).isEmpty();
    }

    @Test
    void server_whileItRuns_isReachedByThisMachineOnlyAndKeepsNoJvmRunning() throws Exception {
        send("GET", "");

        assertThat(InetAddress.getByName(server.uri().getHost()).isLoopbackAddress())
                .isTrue();
        assertThat(ownThreads()).isNotEmpty().allMatch(Thread::isDaemon);
    }

    @Test
    void close_afterRequests_endsAllThreadsAndTwiceDoesNoHarm() throws Exception {
        send("GET", "");
        URI uri = server.uri();

        server.close();
        server.close();

        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(ownThreads()).isEmpty());
        assertThatThrownBy(() -> new Socket(uri.getHost(), uri.getPort())).isInstanceOf(IOException.class);
    }

    /** The threads that began with this test and serve a page. */
    private Set<Thread> ownThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !threadsBefore.contains(thread))
                .filter(thread -> thread.getName().startsWith("lifeguard-page"))
                .collect(Collectors.toSet());
    }

    @Test
    void serve_portThatIsTaken_saysWhich() {
        int port = server.port();

        assertThatThrownBy(() -> page.start(port))
                .isInstanceOf(BindException.class)
                .hasMessageStartingWith("port " + port + " cannot be used: ");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 65_536})
    void serve_noPort_saysWhichOnesThereAre(int port) {
        assertThatThrownBy(() -> PoolPage.serve(port))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("port must be between 0 and 65535 (was " + port + ")");
    }
}
