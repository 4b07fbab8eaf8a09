package io.lifeguard.pool.report.drawing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/**
 * Makes the page: with style, scripts and data in it, or as files of their own for a page that grows. Has no state.
 *
 * <p>The scripts are ES modules. They become one module: imports of each other and the word {@code export} are removed.
 * So their top-level names must differ, which the browser checks.
 */
final class Page {

    /** The modules of both pages, each behind those that it imports. */
    private static final List<String> COMMON = List.of(
            "causes.js",
            "words.js",
            "data.js",
            "axis.js",
            "sums.js",
            "lanes.js",
            "strips.js",
            "curve.js",
            "findings.js",
            "flame.js",
            "where.js",
            "export.js",
            "picture.js");

    static final String LIBRARY = "uPlot-1.6.32.iife.min.js";
    static final String LIBRARY_STYLE = "uPlot-1.6.32.min.css";

    private static final String REPORT_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; ";

    /** What the page that grows may load: files beside it. It has no inline script or style. */
    static final String LIVE_POLICY =
            REPORT_POLICY + "script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'";

    private static final Pattern IMPORT = Pattern.compile("(?m)^import [^;]* from '\\./[a-z]+\\.js';\n");
    private static final Pattern EXPORT = Pattern.compile("(?m)^export ");
    private static final Pattern HOLE = Pattern.compile("\\$\\{([a-z]+)}");

    private Page() {}

    static String of(String json) {
        String style = style();
        String library = resource(LIBRARY);
        String script = script("main.js");
        String policy =
                REPORT_POLICY + "script-src " + hash(library) + " " + hash(script) + "; style-src " + hash(style);
        return filled(
                policy,
                "<style>" + style + "</style>",
                "<script type=\"application/octet-stream\" id=\"recording\">" + packed(json) + "</script>\n<script>"
                        + library + "</script>\n<script type=\"module\">" + script + "</script>");
    }

    /**
     * {@return the page that loads its parts from files beside it}
     *
     * @param version what a browser that has other files of an older version cannot have
     */
    static String live(String version) {
        return filled(
                LIVE_POLICY,
                "<link rel=\"icon\" href=\"icon.svg\" type=\"image/svg+xml\">\n"
                        + "<link rel=\"stylesheet\" href=\"page.css?v="
                        + version + "\">",
                "<script src=\"chart.js?v=" + version + "\"></script>\n<script type=\"module\" src=\"page.js?v="
                        + version + "\"></script>");
    }

    static String style() {
        return resource(LIBRARY_STYLE) + "\n" + resource("page.css");
    }

    /** {@return all modules as one, with these behind those of both pages} */
    static String script(String... last) {
        StringBuilder script = new StringBuilder();
        Stream.concat(COMMON.stream(), Stream.of(last))
                .forEach(module -> script.append(inlined(resource(module))).append('\n'));
        return script.toString();
    }

    private static String filled(String policy, String style, String scripts) {
        Map<String, String> parts = Map.of("policy", policy, "style", style, "scripts", scripts);
        return HOLE.matcher(resource("page.html")).replaceAll(hole -> {
            String part = parts.get(hole.group(1));
            if (part == null) {
                throw new IllegalStateException("page.html names an unknown part: " + hole.group(1));
            }
            return Matcher.quoteReplacement(part);
        });
    }

    private static String inlined(String module) {
        return EXPORT.matcher(IMPORT.matcher(module).replaceAll("")).replaceAll("");
    }

    /** Base-64 text cannot hold markup, whatever the names in the JSON are. */
    private static String packed(String json) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(json.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory does not fail
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    private static String hash(String text) {
        return "'sha256-" + Base64.getEncoder().encodeToString(digest(text)) + "'";
    }

    static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    static String resource(String name) {
        try (InputStream in = Page.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the resource " + name + " is missing from the library");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
