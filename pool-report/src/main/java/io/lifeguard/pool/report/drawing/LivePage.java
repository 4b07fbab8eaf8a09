package io.lifeguard.pool.report.drawing;

import io.lifeguard.pool.recording.Observation;
import io.lifeguard.pool.schema.Json;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The page that shows a running program: its files, which never change, and the data that it asks for. Has no state.
 *
 * <p>All addresses in the page are names of files beside it, so it works below every path.
 */
public final class LivePage {

    /** The name of the file with the page itself. */
    public static final String NAME = "live";

    /** The content security policy of the page, for the header of that name. */
    public static final String POLICY = Page.LIVE_POLICY;

    private LivePage() {}

    /**
     * {@return a file of the page; null when there is none of that name}
     *
     * @param name its name, for instance {@link #NAME}
     */
    public static @Nullable PageFile file(String name) {
        return Files.BY_NAME.get(name);
    }

    /**
     * {@return the data of a part of the picture}
     *
     * <p>The page replaces what it knows from {@code fromNanos} on. Before that moment it only adds what it did not
     * know.
     *
     * @param instance a name of this process, which no other process has
     * @param nowNanos the present moment, in nanoseconds since 1970
     * @param beginNanos from when on there are observations, in nanoseconds since 1970
     * @param fromNanos from when on they tell all, in nanoseconds since 1970; 0 when the page shall forget what it
     *     knows
     */
    public static PageFile data(
            String title,
            String instance,
            long nowNanos,
            long beginNanos,
            long fromNanos,
            List<Observation> observations) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("version", PageData.VERSION);
        data.put("title", title);
        data.put("instance", instance);
        data.put("now", nowNanos / 1_000_000);
        data.put("begin", beginNanos / 1_000_000);
        data.put("from", fromNanos / 1_000_000);
        data.put("recordings", List.of(RecordingColumns.of(new Part("", observations), PageData.MOST_SEGMENTS)));
        return PageFile.of("application/json", Json.forPage(data));
    }

    /** Read when the first viewer comes. */
    private static final class Files {

        static final Map<String, PageFile> BY_NAME = read();

        private static Map<String, PageFile> read() {
            String style = Page.style();
            String script = Page.script("growing.js", "live.js");
            String version =
                    HexFormat.of().formatHex(Page.digest(style + script)).substring(0, 12);
            return Map.of(
                    NAME,
                    PageFile.of("text/html;charset=UTF-8", Page.live(version)),
                    "page.css",
                    PageFile.of("text/css;charset=UTF-8", style),
                    "chart.js",
                    PageFile.of("text/javascript;charset=UTF-8", Page.resource(Page.LIBRARY)),
                    "page.js",
                    PageFile.of("text/javascript;charset=UTF-8", script),
                    "icon.svg",
                    PageFile.of("image/svg+xml", Page.resource("icon.svg")));
        }
    }
}
