package io.lifeguard.pool.recording;

import io.lifeguard.pool.recording.Observation.Curve;
import io.lifeguard.pool.recording.Observation.Point;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Writes the parts of an event that are lists as lines of text, and reads them back. Stateless. */
final class EventText {

    private static final String SEPARATOR = " = ";

    private EventText() {}

    /** Escapes line breaks, so that one line holds one entry whatever users' names contain. */
    static String ofEvidence(Map<String, String> evidence) {
        StringBuilder lines = new StringBuilder();
        for (Map.Entry<String, String> each : evidence.entrySet()) {
            String value = each.getValue();
            lines.append(each.getKey())
                    .append(SEPARATOR)
                    .append(value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r"))
                    .append('\n');
        }
        return lines.toString();
    }

    static Map<String, String> evidence(String lines) {
        Map<String, String> evidence = new LinkedHashMap<>();
        for (String line : lines.split("\n", -1)) {
            int at = line.indexOf(SEPARATOR);
            if (at > 0) {
                evidence.put(line.substring(0, at), unescaped(line.substring(at + SEPARATOR.length())));
            }
        }
        return evidence;
    }

    private static String unescaped(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 1 < text.length()) {
                char next = text.charAt(++i);
                out.append(next == 'n' ? '\n' : next == 'r' ? '\r' : next);
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    static String ofCurve(Curve curve) {
        StringBuilder lines = new StringBuilder();
        for (Point point : curve.points()) {
            lines.append(point.size())
                    .append(' ')
                    .append((float) point.throughput())
                    .append(' ')
                    .append((float) point.low())
                    .append(' ')
                    .append((float) point.high())
                    .append(' ')
                    .append(point.serviceNanos())
                    .append('\n');
        }
        return lines.toString();
    }

    static Optional<Curve> curve(String text, int size, OptionalInt recommendedSize) {
        List<Point> points = new ArrayList<>();
        for (String line : text.lines().toList()) {
            String[] parts = line.split(" ", -1);
            if (parts.length < 5) {
                continue;
            }
            try {
                points.add(new Point(
                        Integer.parseInt(parts[0]),
                        Double.parseDouble(parts[1]),
                        Double.parseDouble(parts[2]),
                        Double.parseDouble(parts[3]),
                        Long.parseLong(parts[4])));
            } catch (NumberFormatException ignored) {
                return Optional.empty(); // written by something else
            }
        }
        return points.isEmpty() ? Optional.empty() : Optional.of(new Curve(size, recommendedSize, points));
    }
}
