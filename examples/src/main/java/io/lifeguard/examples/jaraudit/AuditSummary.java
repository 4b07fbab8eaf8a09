package io.lifeguard.examples.jaraudit;

import java.util.List;

/** The text that says what was audited, and which jars are bad. Immutable. */
record AuditSummary(JarList list, List<JarReport> reports) {

    AuditSummary {
        reports = List.copyOf(reports);
    }

    String render() {
        StringBuilder text = new StringBuilder();
        total(text);
        checksums(text);
        bad(text);
        notes(text);
        return text.toString();
    }

    private void total(StringBuilder text) {
        text.append(String.format(
                "Audited %s (%s; %s, %s inflated)%n",
                subject(),
                Printable.bytes(reports.stream().mapToLong(JarReport::bytes).sum()),
                Printable.count(reports.stream().mapToLong(JarReport::entries).sum(), "file"),
                Printable.bytes(
                        reports.stream().mapToLong(JarReport::inflatedBytes).sum())));
        if (jars() < list.found()) {
            text.append(String.format(
                    "  a sample, spread evenly, of the %s there; --limit sets its size%n",
                    Printable.count(list.found(), "jar")));
        }
    }

    private String subject() {
        String jars = Printable.count(jars(), "jar") + " in "
                + Printable.text(list.directory().toString());
        String packages = Printable.count(list.packages(), "package") + " of this JDK";
        if (list.packages() == 0) {
            return jars;
        }
        return jars() == 0 ? packages : jars + " and " + packages;
    }

    private int jars() {
        return reports.size() - list.packages();
    }

    private void checksums(StringBuilder text) {
        text.append(String.format(
                "Checksums of the jars: %s right, %s wrong, %s without a .sha1 file, %s unreadable%n",
                Printable.count(number(JarReport.Comparison.SAME)),
                Printable.count(number(JarReport.Comparison.DIFFERENT)),
                Printable.count(number(JarReport.Comparison.NO_CHECKSUM) - list.packages()), // which have none
                Printable.count(number(JarReport.Comparison.UNKNOWN))));
    }

    private long number(JarReport.Comparison kind) {
        return reports.stream().filter(report -> report.checksum() == kind).count();
    }

    private void bad(StringBuilder text) {
        List<JarReport> bad = reports.stream().filter(JarReport::isBad).toList();
        if (bad.isEmpty()) {
            text.append(String.format("Bad jars: none%n"));
            return;
        }
        text.append(String.format("Bad jars: %s%n", Printable.count(bad.size())));
        for (JarReport report : bad) {
            text.append(String.format("  %s%n", report.jar().name()));
            report.problems().forEach(problem -> text.append(String.format("      %s%n", problem)));
        }
    }

    private void notes(StringBuilder text) {
        long silent = reports.stream().filter(JarReport::lacksCatalogue).count();
        if (silent > 0) {
            text.append(String.format("The catalogue did not answer for %s%n", Printable.count(silent, "jar")));
        }
        if (list.links() > 0) {
            text.append(
                    String.format("%s to jars that are in the audit already%n", Printable.count(list.links(), "link")));
        }
        list.unreadable().forEach(place -> text.append(String.format("Could not look into %s%n", place)));
    }
}
