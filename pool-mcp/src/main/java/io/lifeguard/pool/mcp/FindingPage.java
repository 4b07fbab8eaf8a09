package io.lifeguard.pool.mcp;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The page of a finding in the documentation, by its sections. Immutable. */
final class FindingPage {

    private static final Pattern ID = Pattern.compile("[a-z][a-z-]{0,60}");
    private static final Pattern ROW = Pattern.compile("\\| (`[^|]*) \\| ([^|]*) \\|");
    private static final Pattern NAME = Pattern.compile("`([^`]+)`");

    private final Map<String, String> sections = new LinkedHashMap<>(); // by title

    private FindingPage(String text) {
        for (String section : text.split("\n## ", -1)) {
            int end = section.indexOf('\n');
            if (end > 0) {
                sections.put(section.substring(0, end), section.substring(end).strip());
            }
        }
    }

    /** {@return the page of a finding; empty when there is none, as for a rule of a user's own} */
    static Optional<FindingPage> of(String id) {
        if (!ID.matcher(id).matches()) {
            return Optional.empty();
        }
        try (InputStream page = FindingPage.class.getResourceAsStream("findings/" + id + ".md")) {
            return page == null
                    ? Optional.empty()
                    : Optional.of(new FindingPage(new String(page.readAllBytes(), StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException("a page of this jar cannot be read", e);
        }
    }

    /** {@return a section without markup for people's eyes, in one line; empty when the page has none of that title} */
    String section(String title) {
        return plain(sections.getOrDefault(title, ""));
    }

    /** {@return what the names in the evidence mean, as far as the page says} */
    Map<String, String> meanings(Set<String> names) {
        Map<String, String> meanings = new LinkedHashMap<>();
        Matcher row = ROW.matcher(sections.getOrDefault("The evidence", ""));
        while (row.find()) {
            Matcher name = NAME.matcher(row.group(1));
            boolean isAny = false;
            while (name.find()) {
                isAny |= names.contains(name.group(1));
            }
            if (isAny) {
                meanings.put(row.group(1).replace("`", ""), plain(row.group(2)));
            }
        }
        return meanings;
    }

    private static String plain(String text) {
        return text.replaceAll("(?m)^!\\[.*$", "")
                .replaceAll("\\[([^\\]]*)]\\([^)]*\\)", "$1")
                .replaceAll("\\s+", " ")
                .strip();
    }
}
