package io.lifeguard.pool.jmx;

import java.util.List;

/**
 * One pool as JMX clients see it. Counts are since the pool was created; a negative count is unknown. Times are in
 * milliseconds, NaN when unknown.
 */
@Description("A pool of this JVM. Counts are since the pool was created; a negative count is not known. Times are in"
        + " milliseconds, NaN when not known.")
public interface PoolMXBean {

    /** {@return the pool's name} */
    @Description("the pool's name")
    String getName();

    /** {@return how many workers are alive} */
    @Description("how many workers are alive")
    int getSize();

    /** {@return how many workers run a task} */
    @Description("how many workers run a task")
    int getActive();

    /** {@return the core pool size} */
    @Description("the core pool size")
    int getCoreSize();

    /** {@return the largest number of workers} */
    @Description("the largest number of workers")
    int getMaximumSize();

    /** {@return how many tasks wait in the queue} */
    @Description("how many tasks wait in the queue")
    int getQueued();

    /** {@return how many tasks more the queue takes; {@link Integer#MAX_VALUE} when it has no bound} */
    @Description("how many tasks more the queue takes; MAX_VALUE when it has no bound")
    int getQueueRemaining();

    /** {@return how many tasks were accepted} */
    @Description("how many tasks were accepted")
    long getSubmitted();

    /** {@return how many tasks workers ran to their end} */
    @Description("how many tasks workers ran to their end")
    long getCompleted();

    /** {@return how many tasks ended with an exception} */
    @Description("how many tasks ended with an exception")
    long getFailed();

    /** {@return how many tasks were refused} */
    @Description("how many tasks were refused")
    long getRejected();

    /** {@return how many tasks their submitters ran} */
    @Description("how many tasks their submitters ran")
    long getCallerRuns();

    /** {@return how many submitters wait for room now} */
    @Description("how many submitters wait for room now")
    int getBlockedSubmitters();

    /** {@return the mean queue wait} */
    @Description("the mean queue wait, in milliseconds")
    double getQueueWaitMean();

    /** {@return the 99th percentile of the queue wait} */
    @Description("the 99th percentile of the queue wait, in milliseconds")
    double getQueueWaitP99();

    /** {@return the mean service time} */
    @Description("the mean service time, in milliseconds")
    double getServiceTimeMean();

    /** {@return the 99th percentile of the service time} */
    @Description("the 99th percentile of the service time, in milliseconds")
    double getServiceTimeP99();

    /** {@return why it is unknown which threads are the workers, so that nobody looks at them; empty if it is known} */
    @Description("why it is unknown which threads are the workers, so that nobody looks at them; empty if it is known")
    String getBlind();

    /** {@return the raised findings, worst first, by the names of the published schema} */
    @Description("the raised findings, worst first, by the names of the published schema")
    List<FindingData> getFindings();
}
