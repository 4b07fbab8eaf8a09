package io.lifeguard.pool.jmx;

import java.io.IOException;
import java.util.List;

/** The findings of all pools as JMX clients see them, and the black box. */
@Description("What Lifeguard has found in the pools of this JVM. Sends a notification when a finding is found, changes,"
        + " is resolved or becomes unknown.")
public interface FindingsMXBean {

    /** {@return how many findings are raised} */
    @Description("how many findings are raised")
    int getCount();

    /** {@return the most severe severity; {@code NONE} without findings} */
    @Description("INFO, WARNING or CRITICAL; NONE without findings")
    String getWorstSeverity();

    /** {@return the raised findings, worst first, by the names of the published schema} */
    @Description("the raised findings, worst first")
    List<FindingData> getFindings();

    /**
     * Writes what happened in the last minute as a flight recording.
     *
     * @param file where to write, on the machine of this JVM; ends with {@code .jfr}, and must not exist
     * @return the absolute path of the file
     * @throws IOException if it cannot be written
     * @throws IllegalArgumentException if the name does not end with {@code .jfr}, or the file exists
     */
    @Description("writes what happened in the last minute as a flight recording, and returns where")
    String dump(
            @Description(
                            name = "file",
                            value = "where to write, on the machine of this JVM; ends with .jfr, and must not exist")
                    String file)
            throws IOException;
}
