package io.lifeguard.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.regex.Pattern;

/** What a member tells Prometheus. Immutable. */
record MetricsText(String body) {

    private static final Pattern PULLED_HISTOGRAM =
            Pattern.compile("(?m)^(# (HELP|TYPE) )?lifeguard_\\w+_histogram(_total)?[ {].*\\n");
    private static final Pattern COUNTER = Pattern.compile("(?m)^# TYPE (\\w+) counter$");

    static MetricsText read(URI page, String format) throws IOException, InterruptedException {
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(page).header("Accept", format).build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(answer.headers().firstValue("Content-Type").orElseThrow()).startsWith(format);
        return new MetricsText(answer.body());
    }

    /**
     * Without the histograms that a user may ask for. Micrometer has none that are pulled, so they are counters with a
     * label {@code le}, which is what {@code histogram_quantile} needs, and bad style in promtool's eyes.
     */
    MetricsText withoutPulledHistograms() {
        String without = PULLED_HISTOGRAM.matcher(body).replaceAll("");
        assertThat(without).isNotEqualTo(body).doesNotContain("le=\"");
        return new MetricsText(without);
    }

    /** In OpenMetrics the family of {@code x_total} is called {@code x}, in the older format {@code x_total}. */
    MetricsText withFamiliesAsInPrometheusText() {
        String text = body;
        for (String family : COUNTER.matcher(body)
                .results()
                .map(found -> found.group(1))
                .filter(name -> !name.endsWith("_total"))
                .toList()) {
            text = text.replaceAll("(?m)^# (HELP|TYPE) " + family + " ", "# $1 " + family + "_total ");
        }
        return new MetricsText(text);
    }
}
