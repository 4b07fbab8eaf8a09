package io.lifeguard.pool.tools.watch;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the scheduler of virtual threads tells since JDK 24. Immutable.
 *
 * @param parallelism how many carriers it uses
 * @param queued how many virtual threads wait for a carrier
 */
record SchedulerState(int parallelism, int queued) {

    private static final Pattern PARALLELISM = Pattern.compile("parallelism = (\\d{1,9})\\b");
    private static final Pattern WAITING = Pattern.compile("(?:tasks|submissions) = (\\d{1,9})\\b");

    /**
     * {@return the state; empty where the text has none}
     *
     * @param text the JVM's answer, whose line with the parallelism is about the carriers
     */
    static Optional<SchedulerState> parse(String text) {
        String pool = text.lines()
                .filter(line -> line.contains("parallelism"))
                .findFirst()
                .orElse("");
        Matcher size = PARALLELISM.matcher(pool);
        if (!size.find()) {
            return Optional.empty();
        }
        int queued = 0;
        for (Matcher waiting = WAITING.matcher(pool); waiting.find(); ) {
            queued += Integer.parseInt(waiting.group(1));
        }
        return Optional.of(new SchedulerState(Integer.parseInt(size.group(1)), queued));
    }
}
