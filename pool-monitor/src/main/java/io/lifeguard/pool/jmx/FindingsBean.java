package io.lifeguard.pool.jmx;

import io.lifeguard.pool.diagnosis.PoolMonitor;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** Shows the findings of a monitor. Thread-safe. */
final class FindingsBean implements FindingsMXBean {

    private static final String SUFFIX = ".jfr";

    private final PoolMonitor monitor;

    FindingsBean(PoolMonitor monitor) {
        this.monitor = monitor;
    }

    @Override
    public int getCount() {
        return monitor.findings().size();
    }

    @Override
    public String getWorstSeverity() {
        return monitor.findings().stream()
                .findFirst()
                .map(finding -> finding.severity().name())
                .orElse("NONE");
    }

    @Override
    public List<FindingData> getFindings() {
        return monitor.findings().stream().map(FindingData::of).toList();
    }

    /** Refuses other names and existing files, as the JDK does for heap dumps: a client must not overwrite files. */
    @Override
    public String dump(String file) throws IOException {
        Path path = Path.of(file).toAbsolutePath();
        if (!file.endsWith(SUFFIX)) {
            throw new IllegalArgumentException("file must end with " + SUFFIX + " (was \"" + file + "\")");
        }
        try (OutputStream out = Files.newOutputStream(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            monitor.dump(out);
        } catch (FileAlreadyExistsException e) { // also a link to a file that does not exist
            throw new IllegalArgumentException("file must not exist (was \"" + path + "\")", e);
        }
        return path.toString();
    }
}
