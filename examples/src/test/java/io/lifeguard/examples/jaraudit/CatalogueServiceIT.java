package io.lifeguard.examples.jaraudit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

final class CatalogueServiceIT {

    private static final String SHA1 = "da39a3ee5e6b4b0d3255bfef95601890afd80709";

    @Test
    void lookUp_knownJar_isAnswered() throws Exception {
        try (CatalogueService service = CatalogueService.start(Delays.withMean(Duration.ZERO))) {
            assertThat(new CatalogueClient(service.address()).lookUp(SHA1)).isEqualTo("shelf da39a3");
        }
    }

    @Test
    void lookUp_nonsense_isRefused() throws Exception {
        try (CatalogueService service = CatalogueService.start(Delays.withMean(Duration.ZERO))) {
            assertThatIOException()
                    .isThrownBy(() -> new CatalogueClient(service.address()).lookUp("nonsense"))
                    .withMessage("HTTP status 404");
        }
    }

    @Test
    void lookUp_closedService_fails() throws Exception {
        CatalogueService service = CatalogueService.start(Delays.withMean(Duration.ZERO));
        service.close();
        assertThatIOException().isThrownBy(() -> new CatalogueClient(service.address()).lookUp(SHA1));
    }

    /**
     * Nagle's algorithm and delayed acknowledgements together would cost 40 ms per answer, in each round. A busy
     * machine delays some rounds, and not all.
     */
    @Test
    void lookUp_oneAfterTheOther_doesNotWaitForAcknowledgements() throws Exception {
        try (CatalogueService service = CatalogueService.start(Delays.withMean(Duration.ZERO))) {
            CatalogueClient client = new CatalogueClient(service.address());
            Awaitility.await("a round of answers without a wait")
                    .atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(median(client)).isLessThan(Duration.ofMillis(30)));
        }
    }

    private static Duration median(CatalogueClient client) throws IOException, InterruptedException {
        long[] nanos = new long[100];
        for (int i = 0; i < nanos.length; i++) {
            Stopwatch stopwatch = Stopwatch.start();
            client.lookUp(SHA1);
            nanos[i] = stopwatch.elapsedNanos();
        }
        Arrays.sort(nanos);
        return Duration.ofNanos(nanos[nanos.length / 2]);
    }

    /** One after the other they would take 64 times as long as one. */
    @Test
    void lookUp_manyAtOnce_doNotWaitForEachOther() throws Exception {
        Delays delays = Delays.withMean(Duration.ofMillis(200));
        ExecutorService threads = Executors.newFixedThreadPool(64);
        try (CatalogueService service = CatalogueService.start(delays)) {
            CatalogueClient client = new CatalogueClient(service.address());
            client.lookUp(SHA1);
            Stopwatch stopwatch = Stopwatch.start();
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                answers.add(threads.submit(() -> client.lookUp(SHA1)));
            }
            for (Future<String> answer : answers) {
                assertThat(answer.get()).isEqualTo("shelf da39a3");
            }
            assertThat(stopwatch.elapsedNanos())
                    .isGreaterThanOrEqualTo(delays.nanosFor(SHA1))
                    .isLessThan(32 * delays.nanosFor(SHA1));
        } finally {
            threads.shutdownNow();
        }
    }
}
