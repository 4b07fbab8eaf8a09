package io.lifeguard.pool.tools.dumps;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Real dumps of five JDKs, each with two deadlocks and each of a healthy program, in the forms in which people post
 * them: all are read as the plain dump is.
 */
class DumpFormsTest {

    private static final List<String> JDKS = List.of("8", "11", "17", "21", "25");

    private static final Map<String, UnaryOperator<String>> FORMS = new LinkedHashMap<>();

    static {
        FORMS.put("plain", text -> text);
        FORMS.put("indented", each(line -> "    " + line));
        FORMS.put("indentation lost", each(String::strip));
        FORMS.put("tabs as spaces", text -> text.replace("\t", "        "));
        FORMS.put("quoted", each(line -> "> " + line));
        FORMS.put("quoted twice", each(line -> line.isEmpty() ? ">>" : ">> " + line));
        FORMS.put("kubectl", each(line -> "2026-03-02T10:15:00.123456789Z " + line));
        FORMS.put("kubectl with pods", each(line -> "[pod/shop-7d9f/app] " + line));
        FORMS.put("container runtime", each(line -> "2026-03-02T10:15:00.123456789Z stdout F " + line));
        FORMS.put("compose", each(line -> "shop-app-1  | " + line));
        FORMS.put("journald", each(line -> "Mar 02 10:15:00 host java[4711]: " + line));
        FORMS.put("syslog", each(line -> "<14>1 2026-03-02T10:15:00Z host shop 4711 - - " + line));
        FORMS.put(
                "docker",
                each(line -> "{\"log\":\"" + escaped(line) + "\\n\",\"stream\":\"stdout\",\"time\":\"2026\"}"));
        FORMS.put("sbt", each(line -> "[info] " + line));
        FORMS.put("Maven", each(line -> line.isEmpty() ? "[INFO]" : "[INFO] " + line));
        FORMS.put("CI", each(line -> "2026-03-02T10:15:00.1234567Z " + line));
        FORMS.put("logger", each(line -> "10:15:00.123 [main] INFO  com.example.Dumper - " + line));
        FORMS.put("logger's first line", text -> "10:15:00.123 INFO  com.example.Dumper - " + text);
        FORMS.put("HTML", DumpFormsTest::html);
        FORMS.put("HTML twice", text -> html(html(text)));
        FORMS.put("HTML page", text -> "<html><body><pre>" + html(text) + "</pre></body></html>");
        FORMS.put("line breaks of HTML", text -> html(text).replace("\n", "<br/>\n"));
        FORMS.put("paragraphs of HTML", each(line -> "<p>" + html(line) + "</p>"));
        FORMS.put("spans of HTML", each(line -> "<span class=\"line\">" + html(line) + "</span>"));
        FORMS.put("Windows twice", text -> text.replace("\n", "\r\r\n"));
        FORMS.put("empty lines doubled", text -> text.replace("\n", "\n\n"));
        FORMS.put("empty lines lost", text -> text.replaceAll("\n\n+", "\n"));
        FORMS.put("wrapped by mail", each(line -> wrapped(line, 76, "")));
        FORMS.put("wrapped in a quote", each(line -> "> " + wrapped(line, 74, "> ")));
        FORMS.put("one line", text -> text.replaceAll("\\s*\n\\s*", " "));
        FORMS.put("escaped", text -> "{\"time\": 1, \"value\": \"" + escaped(text) + "\"}");
        FORMS.put("escaped in a log", text -> "2026-03-02 INFO dump=\"" + escaped(text) + "\"");
        FORMS.put("source code", each(line -> "        \"" + escaped(line) + "\\n\" +"));
        FORMS.put("logfmt", each(line -> "time=\"2026-03-02T10:15:00Z\" level=info msg=\"" + escaped(line) + "\""));
        FORMS.put(
                "messages in a list",
                text -> text.lines()
                        .map(line -> "{\"id\":1,\"message\":\"" + escaped(line) + "\"}")
                        .collect(Collectors.joining(",\n", "[", "]")));
        FORMS.put(
                "messages in a list of several lines",
                text -> text.lines()
                        .map(line -> "  {\n    \"textPayload\": \"" + escaped(line) + "\"\n  }")
                        .collect(Collectors.joining(",\n", "[\n", "\n]\n")));
        FORMS.put("\"at\" lost", text -> text.replaceAll("(?m)^\tat ", "\t"));
        FORMS.put("colours", each(line -> "\u001b[32m" + line + "\u001b[0m"));
        FORMS.put(
                "hard spaces",
                text -> text.replace("    ", "\u00a0\u00a0\u00a0\u00a0").replace("\t", "\u00a0 "));
        FORMS.put("typographic quotes", text -> text.replaceAll("\"([^\"\n]*)\"", "\u201c$1\u201d"));
        FORMS.put("bullets", text -> text.replaceAll("(?m)^\t- ", "\u2022 "));
        FORMS.put("line numbers", numbered("%6d  %s"));
        FORMS.put("grep", numbered("console.log:%d:%s"));
        FORMS.put("diff", each(line -> "+" + line));
        FORMS.put("fence", text -> "It hangs:\n```\n" + text + "\n```\nWhy?");
        FORMS.put("table of values", each(line -> "\"2026-03-02\",\"" + line.replace("\"", "\"\"") + "\""));
        FORMS.put("quoted-printable", each(line -> line.replace("=", "=3D").replace("\t", "=09")));
        FORMS.put("zero bytes", text -> "dump.txt\0\0\0\0" + "0000644\0ustar\0\0\0" + text);
    }

    static Stream<String> forms() {
        return FORMS.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("forms")
    void parse_form_isReadAsThePlainDump(String form) throws IOException {
        List<String> wrong = new ArrayList<>();
        for (String jdk : JDKS) {
            for (String health : List.of("sick", "healthy")) {
                String text = FORMS.get(form).apply(dump(health, jdk));
                ThreadDumps dumps = ThreadDumps.parse(form, text);
                int deadlocks = health.equals("sick") ? 2 : 0;
                if (dumps.deadlocks().size() != deadlocks
                        || !dumps.doubts().isEmpty()
                        || dumps.dumps().size() != 1) {
                    wrong.add(jdk + " " + health + ": " + dumps.deadlocks().size() + " deadlocks, "
                            + dumps.dumps().size() + " dumps, " + dumps.doubts() + ", "
                            + dumps.problems().stream().limit(3).toList());
                }
            }
        }

        assertThat(wrong).isEmpty();
    }

    @Test
    void parse_twoProgramsInOneLog_areTwoDumps() throws IOException {
        List<String> one = each(line -> "shop-app-1  | " + line)
                .apply(dump("sick", "17"))
                .lines()
                .toList();
        List<String> two = each(line -> "shop-db-1   | " + line)
                .apply(dump("healthy", "25"))
                .lines()
                .toList();
        StringBuilder log = new StringBuilder();
        for (int i = 0; i < Math.max(one.size(), two.size()); i++) {
            log.append(i < one.size() ? one.get(i) + "\n" : "").append(i < two.size() ? two.get(i) + "\n" : "");
        }

        ThreadDumps dumps = ThreadDumps.parse("log", log.toString());

        assertThat(dumps.dumps()).hasSize(2);
        assertThat(dumps.deadlocks()).hasSize(2);
        assertThat(dumps.doubts()).isEmpty();
    }

    @Test
    void read_encodingsAndArchives_areUnpacked() throws IOException {
        String text = dump("sick", "17");
        for (Charset charset : List.of(StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)) {
            assertThat(read(text.getBytes(charset)).deadlocks())
                    .as(charset.name())
                    .hasSize(2);
        }
        String tar = "dump.txt" + "\0".repeat(120) + "0000644" + "\0".repeat(377) + text;
        assertThat(read(tar.getBytes(StandardCharsets.UTF_8)).deadlocks()).hasSize(2);
        ByteArrayOutputStream gzip = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(gzip)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        assertThat(read(gzip.toByteArray()).deadlocks()).hasSize(2);
        ByteArrayOutputStream zip = new ByteArrayOutputStream();
        try (ZipOutputStream out = new ZipOutputStream(zip)) {
            for (String name : List.of("a/1.txt", "a/2.txt")) {
                out.putNextEntry(new ZipEntry(name));
                out.write(text.getBytes(StandardCharsets.UTF_8));
            }
        }
        assertThat(read(zip.toByteArray()).dumps())
                .extracting(ThreadDump::source)
                .containsExactly("x!a/1.txt:2", "x!a/2.txt:2");
    }

    private static ThreadDumps read(byte[] bytes) throws IOException {
        return ThreadDumps.read("x", new ByteArrayInputStream(bytes));
    }

    static String dump(String health, String jdk) throws IOException {
        return ThreadDumpsTest.text(health + "-jdk" + jdk + ".txt");
    }

    private static UnaryOperator<String> each(UnaryOperator<String> line) {
        return text -> text.lines().map(line).collect(Collectors.joining("\n", "", "\n"));
    }

    private static UnaryOperator<String> numbered(String format) {
        return text -> {
            StringBuilder all = new StringBuilder();
            int[] number = new int[1];
            text.lines()
                    .forEach(line ->
                            all.append(String.format(format, ++number[0], line)).append('\n'));
            return all.toString();
        };
    }

    private static String html(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\")
                .replace("\"", "\\\"")
                .replace("\t", "\\t")
                .replace("\n", "\\n");
    }

    /** Wraps a line between words, as a mail program does. */
    private static String wrapped(String line, int width, String prefix) {
        StringBuilder all = new StringBuilder();
        String rest = line;
        while (rest.length() > width && rest.lastIndexOf(' ', width) > 0) {
            int end = rest.lastIndexOf(' ', width);
            all.append(rest, 0, end).append('\n').append(prefix);
            rest = rest.substring(end + 1);
        }
        return all.append(rest).toString();
    }
}
