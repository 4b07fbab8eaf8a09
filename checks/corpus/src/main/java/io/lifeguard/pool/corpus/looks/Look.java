package io.lifeguard.pool.corpus.looks;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * All findings that stood at one moment. Immutable.
 *
 * @param millis milliseconds since the workload became sick; negative before
 * @param findings what stood, of all pools
 */
public record Look(long millis, List<Standing> findings) {

    private static final String MARK = "@look";
    private static final String EACH = "@standing";

    /** Copies the list. */
    public Look {
        findings = List.copyOf(findings);
    }

    /** Whether one of these findings stands. */
    boolean shows(Set<String> ids) {
        return findings.stream().anyMatch(finding -> ids.contains(finding.id()));
    }

    /**
     * Whether two of the findings contradict each other, or one of them contradicts a finding that is known as right.
     */
    boolean isContradictory(List<Standing> right) {
        return findings.stream()
                .anyMatch(one -> findings.stream().anyMatch(one::contradicts)
                        || right.stream().anyMatch(one::contradicts));
    }

    /** The lines that a fork prints. */
    List<String> lines() {
        List<String> lines = new ArrayList<>(List.of(MARK + "\t" + millis));
        for (Standing finding : findings) {
            lines.add(String.join(
                    "\t",
                    EACH,
                    finding.id(),
                    printable(finding.pool()),
                    number(finding.recommendedSize()),
                    number(finding.size()),
                    printable(finding.text())));
        }
        return lines;
    }

    /** Parses the looks in a fork's output. What is no look goes to {@code others}. */
    static List<Look> parse(List<String> lines, List<String> others) {
        List<Look> looks = new ArrayList<>();
        for (String line : lines) {
            String[] parts = line.split("\t", -1);
            if (parts[0].equals(MARK)) {
                looks.add(new Look(Long.parseLong(parts[1]), List.of()));
            } else if (parts[0].equals(EACH) && !looks.isEmpty()) {
                Look look = looks.remove(looks.size() - 1);
                List<Standing> findings = new ArrayList<>(look.findings);
                findings.add(new Standing(parts[1], parts[2], number(parts[3]), number(parts[4]), parts[5]));
                looks.add(new Look(look.millis, findings));
            } else {
                others.add(line);
            }
        }
        return looks;
    }

    private static String number(OptionalInt number) {
        return number.isPresent() ? Integer.toString(number.getAsInt()) : "";
    }

    private static OptionalInt number(String text) {
        return text.isEmpty() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(text));
    }

    private static String printable(String text) {
        return text.replaceAll("\\p{Cc}", " ");
    }
}
