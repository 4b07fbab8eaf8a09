package io.lifeguard.pool.report;

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
import java.util.zip.GZIPOutputStream;

/**
 * Puts style, scripts and data into the page. Has no state.
 *
 * <p>The scripts are ES modules. They become one inline module: imports of each other and the word {@code export} are
 * removed. So their top-level names must differ, which the browser checks.
 */
final class Page {

    /** The modules, each behind those that it imports. */
    static final List<String> MODULES = List.of(
            "causes.js",
            "words.js",
            "data.js",
            "axis.js",
            "lanes.js",
            "strips.js",
            "curve.js",
            "findings.js",
            "main.js");

    static final String LIBRARY = "uPlot-1.6.32.iife.min.js";
    static final String LIBRARY_STYLE = "uPlot-1.6.32.min.css";

    private static final Pattern IMPORT = Pattern.compile("(?m)^import [^;]* from '\\./[a-z]+\\.js';\n");
    private static final Pattern EXPORT = Pattern.compile("(?m)^export ");
    private static final Pattern HOLE = Pattern.compile("\\$\\{([a-z]+)}");

    private Page() {}

    /** {@return the page with this JSON in it} */
    static String of(String json) {
        String style = resource(LIBRARY_STYLE) + "\n" + resource("page.css");
        String library = resource(LIBRARY);
        StringBuilder script = new StringBuilder();
        MODULES.forEach(module -> script.append(inlined(resource(module))).append('\n'));
        String policy = "default-src 'none'; base-uri 'none'; form-action 'none'; script-src " + hash(library) + " "
                + hash(script.toString()) + "; style-src " + hash(style);
        Map<String, String> parts = Map.of(
                "policy", policy,
                "style", style,
                "library", library,
                "script", script.toString(),
                "recording", packed(json));
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
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
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
