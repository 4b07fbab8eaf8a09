package io.lifeguard.pool.tools.dumps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Damages real dumps at random: whatever is lost, reading ends, and a deadlock that is still readable is never missing
 * without a word.
 */
class DamagedDumpsTest {

    private static final List<String> JDKS = List.of("8", "11", "17", "21", "25");

    /** The JVM's list of its two deadlocks, and the number of them. */
    private static final String LIST = "Found one Java-level deadlock:";

    @Test
    void parse_someDamagedDumps_areNeverCalledHealthy() throws IOException {
        damage(400, 40);
    }

    @Test
    @Tag("slow")
    void parse_threeThousandDamagedDumps_areNeverCalledHealthy() throws IOException {
        damage(3_000, 41);
    }

    private static void damage(int times, long seed) throws IOException {
        Random random = new Random(seed);
        List<String> originals = new ArrayList<>();
        for (String jdk : JDKS) {
            originals.add(DumpFormsTest.dump("sick", jdk));
            originals.add(DumpFormsTest.dump("healthy", jdk));
        }
        int readable = 0;
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            String original = originals.get(i % originals.size());
            String damaged = original;
            for (int n = random.nextInt(4); n >= 0; n--) {
                damaged = damaged(damaged, random);
            }
            String text = damaged;
            ThreadDumps dumps = assertTimeoutPreemptively(Duration.ofSeconds(30), () -> {
                ThreadDumps read = ThreadDumps.parse("damaged", text);
                assertThat(read.toText(20)).isNotEmpty();
                return read;
            });
            boolean saysNothing = !dumps.dumps().isEmpty()
                    && dumps.deadlocks().isEmpty()
                    && dumps.doubts().isEmpty();
            if (isReadable(original, text)) {
                readable++;
                if (saysNothing) {
                    wrong.add("seed " + seed + ", number " + i);
                }
            }
        }

        assertThat(wrong).isEmpty();
        assertThat(readable).as("dumps in which the deadlock is left").isBetween(times / 10, times / 2);
    }

    /** Whether the JVM's list is left, or the whole stacks of both threads. */
    private static boolean isReadable(String original, String damaged) {
        int list = original.indexOf(LIST);
        if (list < 0) {
            return false;
        }
        String first = original.substring(list, original.indexOf("Java stack information", list));
        return damaged.contains(first)
                || (damaged.contains(paragraph(original, "\"monitors-1\" "))
                        && damaged.contains(paragraph(original, "\"monitors-2\" ")));
    }

    private static String paragraph(String text, String begin) {
        int at = text.indexOf("\n" + begin);
        return text.substring(at, text.indexOf("\n\n", at) + 2);
    }

    private static String damaged(String text, Random random) {
        int length = text.length();
        int from = random.nextInt(length + 1);
        int to = Math.min(length, from + random.nextInt(random.nextBoolean() ? 3 : 600));
        List<String> lines = new ArrayList<>(text.lines().toList());
        return switch (random.nextInt(9)) {
            case 0 -> text.substring(0, from);
            case 1 -> text.substring(from);
            case 2, 3 -> text.substring(0, from) + text.substring(to); // bytes lost
            case 4 -> text.substring(0, to) + text.substring(from); // bytes twice
            case 5 -> text.substring(0, from) + (char) random.nextInt(256) + text.substring(from);
            case 6 -> text.substring(0, from) + "\"<- (a:\\&=#{[".repeat(random.nextInt(3_000)) + text.substring(from);
            case 7 -> {
                swap(lines, random);
                yield String.join("\n", lines) + "\n";
            }
            default -> {
                int first = random.nextInt(lines.size() + 1);
                lines.subList(first, Math.min(lines.size(), first + 1 + random.nextInt(20)))
                        .clear();
                yield String.join("\n", lines) + "\n";
            }
        };
    }

    private static void swap(List<String> lines, Random random) {
        for (int i = random.nextInt(20); i >= 0 && lines.size() > 1; i--) {
            Collections.swap(lines, random.nextInt(lines.size()), random.nextInt(lines.size()));
        }
    }
}
