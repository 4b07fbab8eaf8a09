package io.lifeguard.examples.jaraudit;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;

/** A catalogue that is asked over HTTP. The calling thread waits for the answer. Thread-safe. */
final class CatalogueClient implements Catalogue {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final URI address;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();

    CatalogueClient(URI address) {
        this.address = address;
    }

    @Override
    public String lookUp(String sha1) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(address.resolve("/jars/" + sha1))
                .timeout(TIMEOUT)
                .build();
        HttpResponse<String> response = send(request);
        if (response.statusCode() != 200) {
            throw new IOException("HTTP status " + response.statusCode());
        }
        return response.body();
    }

    /*
     * After a suspension (Ctrl-Z, a laptop that slept) the time-out of the first request has expired; a second one
     * works.
     */
    private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        try {
            return http.send(request, BodyHandlers.ofString());
        } catch (HttpTimeoutException ignored) {
            return http.send(request, BodyHandlers.ofString());
        }
    }
}
