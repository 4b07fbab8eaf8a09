package io.lifeguard.examples.jaraudit;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;

/** The reports of one run, one for each jar. It notices a jar that was audited twice or not at all. Thread-safe. */
final class ResultSheet {

    private final List<Jar> jars;
    private final AtomicReferenceArray<JarReport> reports;
    private final AtomicInteger filled = new AtomicInteger();
    private final AtomicInteger repeated = new AtomicInteger();

    ResultSheet(List<Jar> jars) {
        this.jars = jars;
        this.reports = new AtomicReferenceArray<>(jars.size());
    }

    void record(int index, JarReport report) {
        if (reports.compareAndSet(index, null, report)) {
            filled.incrementAndGet();
        } else {
            repeated.incrementAndGet();
        }
    }

    int size() {
        return jars.size();
    }

    /** Returns the number of jars that have been audited so far. */
    int filled() {
        return filled.get();
    }

    /** Returns the reports that exist so far, in the order of the jars. */
    List<JarReport> reports() {
        return indices().mapToObj(reports::get).filter(report -> report != null).toList();
    }

    /** Returns a difference between this sheet and another one about the same jars, or what is missing, if anything. */
    Optional<String> differenceTo(ResultSheet other) {
        if (repeated.get() > 0) {
            return Optional.of(Printable.count(repeated.get(), "jar") + " audited more than once");
        }
        if (filled.get() < size()) {
            return Optional.of(Printable.count(size() - filled.get(), "jar") + " not audited");
        }
        return indices()
                .filter(i -> !reports.get(i).equals(other.reports.get(i)))
                .mapToObj(i -> jars.get(i).name() + " gave different results: "
                        + reports.get(i).findings() + "; before: "
                        + (other.reports.get(i) == null
                                ? "nothing"
                                : other.reports.get(i).findings()))
                .findFirst();
    }

    private IntStream indices() {
        return IntStream.range(0, size());
    }
}
