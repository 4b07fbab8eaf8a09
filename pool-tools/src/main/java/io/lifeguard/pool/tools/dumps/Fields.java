package io.lifeguard.pool.tools.dumps;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes a message out of its quotes, where a log has put it into a line of logfmt or of a table. Stateless. */
final class Fields {

    /** The names that logs give to the text of a message. */
    static final Set<String> MESSAGES =
            Set.of("log", "message", "msg", "MESSAGE", "textPayload", "@message", "line", "body", "text", "_raw");

    private static final Pattern KEY = Pattern.compile("(?:^|[\\s,{])([@\\w.]{1,60})=\"");

    private Fields() {}

    /** Returns the line without the quotes around its message; the same line where it has none. */
    static String unquoted(String line) {
        return line.startsWith("\"") ? cell(line) : logfmt(line);
    }

    /** {@code "2026-03-02","""orders-1"" prio=5"}: the last cell is the message. */
    private static String cell(String line) {
        int open = 0; // the quote that begins the current cell
        while (open < line.length() && line.charAt(open) == '"') {
            int end = end(line, open + 1, '"');
            if (end == line.length() - 1 && open > 0) {
                return line.substring(0, open).replace("\"", "")
                        + line.substring(open + 1, end).replace("\"\"", "\"");
            }
            if (end < 0 || !line.startsWith("\",\"", end)) {
                return line;
            }
            open = end + 2;
        }
        return line;
    }

    /** {@code time="2026-03-02" level=info msg="\"orders-1\" prio=5"}. */
    private static String logfmt(String line) {
        Matcher key = KEY.matcher(line);
        int from = 0;
        while (key.find(from)) {
            int begin = key.end();
            int end = end(line, begin, '\\');
            if (end < 0) {
                return line;
            }
            if (MESSAGES.contains(key.group(1))) {
                String message = line.substring(begin, end);
                return message.contains("\\n") ? line : line.substring(0, begin - 1) + Unescaped.unescaped(message);
            }
            from = end;
        }
        return line;
    }

    /** Returns the index of the quote that ends a value; a quote behind an escape, or two quotes, do not. */
    private static int end(String line, int from, char escape) {
        for (int i = from; i < line.length(); i++) {
            char next = line.charAt(i);
            if (next == escape && (escape != '"' || line.startsWith("\"", i + 1))) {
                i++;
            } else if (next == '"') {
                return i;
            }
        }
        return -1;
    }
}
