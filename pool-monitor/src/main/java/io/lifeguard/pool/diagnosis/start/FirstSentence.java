package io.lifeguard.pool.diagnosis.start;

import io.lifeguard.pool.diagnosis.log.FullSentence;
import io.lifeguard.pool.diagnosis.seen.SaidFinding;
import io.lifeguard.pool.text.LogText;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * One line of the log about workers that wait, before the monitor has started. Beside hundreds of workers and few CPUs
 * the start may take ten seconds and more, because the monitor is one thread of many. Written by a thread of its own,
 * so that a slow log does not hold up the monitor. Immutable.
 */
final class FirstSentence implements Runnable {

    private final String text;
    private final @Nullable SaidFinding finding; // null where the sentence is no finding

    FirstSentence(String text) {
        this(text, null);
    }

    private FirstSentence(String text, @Nullable SaidFinding finding) {
        this.text = text;
        this.finding = finding;
    }

    /** Makes the sentence as the log has it of the finding. */
    static FirstSentence of(SaidFinding finding) {
        String text = finding.summary() + ". " + finding.advice();
        return new FirstSentence(
                "pool " + LogText.name(finding.pool()) + ": " + LogText.clean(text) + " [" + finding.id() + "]",
                finding);
    }

    /**
     * Makes the sentence about some workers of a pool.
     *
     * @param lined how many of them wait for the same object
     * @param what what they wait for, in plain words
     */
    static FirstSentence of(String pool, int lined, int busy, String what, StackTraceElement[] stack) {
        String place = FullSentence.placeOf(stack);
        return new FirstSentence("pool " + LogText.name(pool) + ": " + lined + " of " + busy + " busy workers wait for "
                + what + (place == null ? "" : ", at " + LogText.clean(place))
                + ", and tasks queue behind them. The monitor starts now, and will say what that costs");
    }

    String text() {
        return text;
    }

    @Override
    public void run() {
        SaidFinding said = finding;
        if (said != null && !SaidFinding.leave(said)) {
            return; // the monitor has started, and says it
        }
        Logger log = LoggerFactory.getLogger("io.lifeguard.pool.diagnosis");
        if (said == null) {
            log.warn(text);
            return;
        }
        LoggingEventBuilder event = (said.saysWhy() ? log.atWarn() : log.atInfo())
                .addKeyValue("pool", LogText.clean(said.pool()))
                .addKeyValue("finding", said.id())
                .addKeyValue("severity", said.saysWhy() ? "WARNING" : "INFO");
        for (Map.Entry<String, Object> part : said.evidence().entrySet()) {
            Object value = part.getValue();
            if (!(value instanceof List)) { // no stack
                event = event.addKeyValue(
                        part.getKey(), value instanceof String name ? LogText.shortened(name) : value);
            }
        }
        event.log(text);
    }
}
