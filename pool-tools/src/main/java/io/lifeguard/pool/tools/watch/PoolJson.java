package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.diagnosis.window.Bottleneck;
import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.schema.Document;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Makes the JSON of pools that were looked at from outside: the part {@code pool} of the schema. Stateless. */
public final class PoolJson {

    private static final double DIGITS = 1e4; // of a number of threads; more would be noise

    private PoolJson() {}

    /** {@return a pool, without its findings} */
    public static Map<String, Object> of(PoolView pool) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", pool.name());
        json.put("kind", Document.word(pool.kind()));
        json.put("judged", pool.kind().isJudged());
        json.put("threads", pool.workers());
        json.put("dumps", pool.looks());
        pool.window()
                .ifPresent(window -> json.put(
                        "window",
                        window(window.seconds(), each -> pool.threads(each).orElse(Double.NaN), window.bottleneck())));
        json.put("unknown", List.copyOf(pool.missing()));
        return json;
    }

    /**
     * {@return the part {@code window} of a pool}
     *
     * @param threads how many threads did something on average; those that are not finite are left out
     */
    public static Map<String, Object> window(double seconds, ToDoubleFunction<Doing> threads, Bottleneck limit) {
        Map<String, Object> doing = new LinkedHashMap<>();
        for (Doing each : Doing.values()) {
            double number = threads.applyAsDouble(each);
            if (Double.isFinite(number)) {
                doing.put(Document.word(each), rounded(number));
            }
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("lengthSeconds", rounded(seconds));
        json.put("doing", doing);
        if (limit != Bottleneck.UNKNOWN) {
            json.put("limit", Document.word(limit));
        }
        return json;
    }

    /** {@return a number of threads or seconds to four digits behind the point} */
    public static double rounded(double number) {
        return Math.round(number * DIGITS) / DIGITS;
    }
}
