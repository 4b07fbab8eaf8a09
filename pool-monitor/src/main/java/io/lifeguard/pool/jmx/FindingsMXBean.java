package io.lifeguard.pool.jmx;

import java.io.IOException;
import java.util.List;

/** The findings of all pools as JMX clients see them, and the black box. */
public interface FindingsMXBean {

    /** {@return how many findings are raised} */
    int getCount();

    /** {@return the most severe severity; {@code NONE} without findings} */
    String getWorstSeverity();

    /** {@return the raised findings, worst first, each as pool, severity, id, summary and advice in one line} */
    List<String> getFindings();

    /**
     * Writes what happened in the last minute as a flight recording.
     *
     * @param file where to write, on the machine of this JVM; ends with {@code .jfr}, and must not exist
     * @return the absolute path of the file
     * @throws IOException if it cannot be written
     * @throws IllegalArgumentException if the name does not end with {@code .jfr}, or the file exists
     */
    String dump(String file) throws IOException;
}
