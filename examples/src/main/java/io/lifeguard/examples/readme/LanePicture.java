package io.lifeguard.examples.readme;

import io.lifeguard.examples.readme.Lane.Span;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * An SVG picture of two runs side by side: one lane for each thread, and time from left to right. Immutable.
 *
 * <p>Both panels show the same seconds, after the start-up of the pool. The numbers in their headings cover the same
 * seconds.
 */
final class LanePicture {

    /** The first 0.5 s are left out, because the workers start in them. */
    private static final double FROM_SECONDS = 0.5;

    private static final double SHOWN_SECONDS = 1.5;
    private static final double MEASURED_SECONDS = 3;

    private static final int WIDTH = 880;
    private static final double MIN_WIDTH = 0.5;
    private static final double GAP = 0.6;
    private static final int PANEL_WIDTH = 374;
    private static final int PANEL_GAP = 28;
    private static final int LABEL_WIDTH = 92;
    private static final int HEADING_HEIGHT = 52;
    private static final int DISPATCHER_HEIGHT = 16;
    private static final int LANE_PITCH = 9;
    private static final int LANE_HEIGHT = 7;
    private static final int WORKERS_TOP = HEADING_HEIGHT + DISPATCHER_HEIGHT + 8;
    private static final int WORKERS_HEIGHT = LaneRun.WORKERS * LANE_PITCH;
    private static final int LEGEND_TOP = WORKERS_TOP + WORKERS_HEIGHT + 22;
    private static final int HEIGHT = LEGEND_TOP + 16;

    private final List<Lane> callerRuns;
    private final List<Lane> waiting;

    LanePicture(List<Lane> callerRuns, List<Lane> waiting) {
        this.callerRuns = List.copyOf(callerRuns);
        this.waiting = List.copyOf(waiting);
    }

    /** The colours for one kind of page. */
    enum Theme {
        LIGHT("#1f2328", "#59636e", "#2a78d6", "#d4551c", "#8c959f", "#e6eaef"),
        DARK("#e6edf3", "#9198a1", "#4a90e8", "#f0793f", "#7d8590", "#21262d");

        private final String text;
        private final String mutedText;
        private final String task;
        private final String ownTask;
        private final String wait;
        private final String idle;

        Theme(String text, String mutedText, String task, String ownTask, String wait, String idle) {
            this.text = text;
            this.mutedText = mutedText;
            this.task = task;
            this.ownTask = ownTask;
            this.wait = wait;
            this.idle = idle;
        }

        String fileSuffix() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Returns the picture as the text of an SVG file. */
    String svg(Theme theme) {
        StringBuilder svg = new StringBuilder();
        append(
                svg,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                        + " role=\"img\""
                        + " font-family=\"-apple-system,'Segoe UI',Helvetica,Arial,sans-serif\" font-size=\"14\">%n",
                WIDTH,
                HEIGHT,
                WIDTH,
                HEIGHT);
        append(
                svg,
                "<title>The dispatcher runs tasks: %s. The dispatcher waits: %s.</title>%n",
                measured(callerRuns),
                measured(waiting));
        labels(svg, theme);
        panel(svg, theme, LABEL_WIDTH, "The dispatcher runs tasks", callerRuns);
        panel(svg, theme, LABEL_WIDTH + PANEL_WIDTH + PANEL_GAP, "The dispatcher waits", waiting);
        legend(svg, theme);
        return svg.append("</svg>\n").toString();
    }

    private static void labels(StringBuilder svg, Theme theme) {
        int dispatcher = HEADING_HEIGHT + DISPATCHER_HEIGHT / 2 + 5;
        int workers = WORKERS_TOP + WORKERS_HEIGHT / 2 + 5;
        text(svg, theme.text, LABEL_WIDTH - 12, dispatcher, "end", "dispatcher");
        text(svg, theme.text, LABEL_WIDTH - 12, workers, "end", LaneRun.WORKERS + " workers");
    }

    private static void panel(StringBuilder svg, Theme theme, int left, String heading, List<Lane> lanes) {
        append(
                svg,
                "<text x=\"%d\" y=\"18\" fill=\"%s\" font-size=\"16\" font-weight=\"600\">%s</text>%n",
                left,
                theme.text,
                heading);
        text(svg, theme.mutedText, left, 39, "start", measured(lanes));
        text(svg, theme.mutedText, left + PANEL_WIDTH, 39, "end", SHOWN_SECONDS + " s");
        int dispatcher = HEADING_HEIGHT + DISPATCHER_HEIGHT / 2;
        spans(svg, theme.wait, 4, left, List.of(lanes.get(0)), Lane::waiting, index -> dispatcher);
        spans(svg, theme.ownTask, DISPATCHER_HEIGHT, left, List.of(lanes.get(0)), Lane::running, index -> dispatcher);
        List<Lane> workers = lanes.subList(1, lanes.size());
        Function<Integer, Integer> worker = index -> WORKERS_TOP + index * LANE_PITCH + LANE_PITCH / 2;
        StringBuilder idle = new StringBuilder();
        for (int i = 0; i < workers.size(); i++) {
            append(idle, "M%d %dh%d", left, worker.apply(i), PANEL_WIDTH);
        }
        path(svg, theme.idle, LANE_HEIGHT, idle);
        spans(svg, theme.task, LANE_HEIGHT, left, workers, Lane::running, worker);
    }

    private static void spans(
            StringBuilder svg,
            String colour,
            int height,
            int left,
            List<Lane> lanes,
            Function<Lane, List<Span>> part,
            Function<Integer, Integer> middle) {
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < lanes.size(); i++) {
            for (Span span : part.apply(lanes.get(i))) {
                Span shown = span.within(FROM_SECONDS, FROM_SECONDS + SHOWN_SECONDS);
                double width = shown.length() / SHOWN_SECONDS * PANEL_WIDTH;
                if (width >= MIN_WIDTH) {
                    double x = left + (shown.start() - FROM_SECONDS) / SHOWN_SECONDS * PANEL_WIDTH;
                    // The gap separates a task from the next one.
                    append(path, "M%.1f %dh%.1f", x, middle.apply(i), Math.max(MIN_WIDTH, width - GAP));
                }
            }
        }
        if (path.length() > 0) {
            path(svg, colour, height, path);
        }
    }

    private static void legend(StringBuilder svg, Theme theme) {
        int x = LABEL_WIDTH;
        x = legend(svg, theme, x, theme.task, LANE_HEIGHT, "a worker runs a task", 172);
        x = legend(svg, theme, x, theme.idle, LANE_HEIGHT, "a worker is idle", 144);
        x = legend(svg, theme, x, theme.ownTask, 12, "the dispatcher runs a task", 214);
        legend(svg, theme, x, theme.wait, 4, "the dispatcher waits", 170);
    }

    private static int legend(
            StringBuilder svg, Theme theme, int x, String colour, int height, String meaning, int width) {
        path(svg, colour, height, String.format(Locale.ROOT, "M%d %dh18", x, LEGEND_TOP));
        text(svg, theme.mutedText, x + 25, LEGEND_TOP + 5, "start", meaning);
        return x + width;
    }

    private static String measured(List<Lane> lanes) {
        double to = FROM_SECONDS + MEASURED_SECONDS;
        double tasks = lanes.stream()
                .flatMap(lane -> lane.running().stream())
                .filter(span -> span.end() > FROM_SECONDS && span.end() <= to)
                .count();
        double busy = lanes.stream()
                        .skip(1)
                        .mapToDouble(lane -> lane.runningSeconds(FROM_SECONDS, to))
                        .sum()
                / MEASURED_SECONDS;
        return String.format(
                Locale.ROOT,
                "%.0f of %d workers busy, %.0f tasks per second",
                busy,
                LaneRun.WORKERS,
                tasks / MEASURED_SECONDS);
    }

    private static void path(StringBuilder svg, String colour, int height, CharSequence data) {
        append(svg, "<path stroke=\"%s\" stroke-width=\"%d\" d=\"%s\"/>%n", colour, height, data);
    }

    private static void text(StringBuilder svg, String colour, int x, int y, String anchor, String text) {
        append(svg, "<text x=\"%d\" y=\"%d\" fill=\"%s\" text-anchor=\"%s\">%s</text>%n", x, y, colour, anchor, text);
    }

    private static void append(StringBuilder text, String format, Object... arguments) {
        text.append(String.format(Locale.ROOT, format.replace("%n", "\n"), arguments));
    }
}
