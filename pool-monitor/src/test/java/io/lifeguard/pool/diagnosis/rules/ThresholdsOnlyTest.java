package io.lifeguard.pool.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A threshold is a number that users may change, so its page documents it. All other numbers are constants, and each
 * says beside it what it is and where it comes from. Lengths of time that are looked at stand in each rule's Javadoc as
 * its window.
 */
class ThresholdsOnlyTest {

    private static final Path DIAGNOSIS = Path.of("src", "main", "java", "io", "lifeguard", "pool", "diagnosis");

    private static final int MOST_CONSTANTS = 366;

    private static final Pattern CONSTANT = Pattern.compile("static final (?:int|long|double|float) ([A-Z_0-9]+) =");
    private static final Pattern ESTIMATE =
            Pattern.compile("static final (?:int|long|double|float|Duration) ([A-Z_0-9]+) = ");
    private static final Pattern DURATION = Pattern.compile("static final Duration ([A-Z_0-9]+) =");
    private static final Pattern REASON = Pattern.compile("(?:\\w+\\W+){3}\\w");

    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|//[^\n]*", Pattern.DOTALL);
    private static final Pattern TEXT = Pattern.compile("\"(?:\\\\.|[^\"\\\\])*\"");
    private static final Pattern THRESHOLD =
            Pattern.compile("static final Threshold ([A-Z_]+) =\\s*(?:new Threshold|add)\\(.*?\\);", Pattern.DOTALL);
    private static final Pattern NUMBER = Pattern.compile("(?<![\\w.])\\d[\\d_]*(?:\\.\\d+)?(?:e-?\\d+)?(?![\\w.])");

    /** Numbers of formulas and units. */
    private static final Set<String> PLAIN =
            Set.of("0", "0.0", "1", "1.0", "2", "2.0", "4", "1e9", "1e-9", "1e6", "1000");

    /** A length of time is part of a rule's window, or how far back its windows are looked at. */
    @Test
    void duration_ofARuleOrBottleneck_isTheLengthOfAWindow() throws IOException {
        List<String> others = new ArrayList<>();
        for (Path file : sources("rules", "bottleneck")) {
            String code = COMMENT.matcher(Files.readString(file)).replaceAll("");
            Matcher duration = DURATION.matcher(code);
            while (duration.find()) {
                String name = duration.group(1);
                boolean isWindow = Pattern.compile("(?:\\.last\\(|grown\\(latest, )" + name + "\\)")
                        .matcher(code)
                        .find();
                if (!isWindow) {
                    others.add(type(file) + "." + name);
                }
            }
        }
        assertThat(others)
                .as("make it a Threshold in seconds, unless it is the length of a window")
                .containsExactly("Backlog.LONGER"); // how far back windows are looked at
    }

    /** A new one is a decision. */
    @Test
    void constants_ofTheDiagnosis_areNoMoreThanNow() throws IOException {
        int count = 0;
        for (Path file : sources("", "rules", "bottleneck", "evidence", "sizing", "window")) {
            Matcher constant = CONSTANT.matcher(Files.readString(file));
            while (constant.find()) {
                count++;
            }
        }
        assertThat(count).as("bare constants of the diagnosis").isLessThanOrEqualTo(MOST_CONSTANTS);
    }

    /** Of rules and bottlenecks the class says which time each looks at. */
    @Test
    void constant_ofTheDiagnosis_saysWhereItComesFrom() throws IOException {
        List<String> silent = new ArrayList<>(silent(CONSTANT, "rules", "bottleneck"));
        silent.addAll(silent(ESTIMATE, "", "evidence", "sizing", "window"));
        assertThat(silent)
                .as("say in a comment what it is, its unit, and its source or derivation")
                .isEmpty();
    }

    private static List<String> silent(Pattern pattern, String... rooms) throws IOException {
        List<String> silent = new ArrayList<>();
        for (Path file : sources(rooms)) {
            String source = Files.readString(file);
            List<String> lines = source.lines().toList();
            for (int i = 0; i < lines.size(); i++) {
                Matcher constant = pattern.matcher(lines.get(i));
                if (constant.find() && !saysWhy(source, lines, i, constant.group(1))) {
                    silent.add(type(file) + "." + constant.group(1));
                }
            }
        }
        return silent;
    }

    /** Whether a comment above a constant, behind it, or of its class that gives its value has some words. */
    private static boolean saysWhy(String source, List<String> lines, int index, String name) {
        int behind = lines.get(index).indexOf("//");
        if (behind >= 0) {
            return REASON.matcher(lines.get(index).substring(behind)).find();
        }
        if (!lines.get(index - 1).endsWith("*/")) {
            return source.contains("{@value #" + name + "}");
        }
        int first = index - 1;
        while (!lines.get(first).contains("/*")) {
            first--;
        }
        return REASON.matcher(String.join(" ", lines.subList(first, index))).find();
    }

    @Test
    void code_ofRulesBottlenecksAndSizing_hasNoBareNumber() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : sources("rules", "bottleneck", "sizing")) {
            String code = COMMENT.matcher(Files.readString(file)).replaceAll("");
            code = TEXT.matcher(code).replaceAll("");
            code = THRESHOLD.matcher(code).replaceAll("");
            for (String line : code.lines().toList()) {
                Matcher number = NUMBER.matcher(line.contains("static final") ? "" : line);
                while (number.find()) {
                    found.add(type(file) + ": " + number.group() + " in " + line.strip());
                }
            }
        }
        found.removeIf(each -> PLAIN.contains(each.split(" ", 3)[1]));
        assertThat(found)
                .allMatch(each -> each.startsWith("BlockedOnIo: 0.01 ") // less than 1 % in a text
                        || each.contains(".stack().stream().limit(16)") // lines of a stack
                        || each.startsWith("DownstreamSaturated: 200 ")); // per cent, in a text
    }

    @Test
    void threshold_ofARule_isOneOfThoseThatUsersMayChange() throws IOException {
        for (Path file : sources("rules")) {
            String source = Files.readString(file);
            Matcher threshold = THRESHOLD.matcher(source);
            while (threshold.find()) {
                assertThat(source).containsPattern("super\\([^;]*\\b" + threshold.group(1) + "\\b[^;]*\\);");
            }
        }
    }

    private static List<Path> sources(String... rooms) throws IOException {
        List<Path> all = new ArrayList<>();
        for (String room : rooms) {
            int depth = room.isEmpty() ? 1 : Integer.MAX_VALUE; // the engine has its rules and rooms below it
            try (Stream<Path> files = Files.walk(DIAGNOSIS.resolve(room), depth)) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(all::add);
            }
        }
        assertThat(all).hasSizeGreaterThan(30);
        return all;
    }

    private static String type(Path file) {
        return file.getFileName().toString().replace(".java", "");
    }
}
