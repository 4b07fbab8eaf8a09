package io.lifeguard.pool.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON (RFC 8259) as far as it goes: where the text breaks off or stops making sense, what was read until then is the value. Objects are maps,
 * arrays are lists, all else is a string. Not thread-safe.
 */
final class Json {

    private static final int DEEPEST = 100;

    private final String text;
    private final int firstLine;
    private int at;
    private int depth;
    private @Nullable String problem;
    private int problemLine;

    private Json(String text, int firstLine) {
        this.text = text;
        this.firstLine = firstLine;
    }

    /**
     * What was read.
     *
     * @param value a map, a list or a string
     * @param problem what was wrong; empty when nothing was
     * @param line the line at which it went wrong
     */
    record Reading(Object value, Optional<String> problem, int line) {}

    static Reading read(String text, int firstLine) {
        Json json = new Json(text, firstLine);
        Object value = json.value();
        return new Reading(value, Optional.ofNullable(json.problem), json.problemLine);
    }

    /** At which line each string stands first, in one pass. Strings are compared as they are read, not as they are written. */
    static Map<String, Integer> linesOfStrings(String text, int firstLine) {
        Json json = new Json(text, firstLine);
        Map<String, Integer> lines = new HashMap<>();
        int line = firstLine;
        while (json.at < text.length()) {
            char next = text.charAt(json.at);
            if (next == '"') {
                lines.putIfAbsent(json.string(), line); // ends before the next line at the latest
            } else {
                line += next == '\n' ? 1 : 0;
                json.at++;
            }
        }
        return lines;
    }

    private Object value() {
        char first = peek();
        if (depth >= DEEPEST) {
            return fail("nested too deeply");
        }
        depth++;
        Object value = switch (first) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            default -> word();
        };
        depth--;
        return value;
    }

    private Map<String, Object> object() {
        Map<String, Object> members = new LinkedHashMap<>();
        at++;
        while (problem == null && !closes('}', members.isEmpty())) {
            if (peek() != '"') {
                fail("a name was expected");
                break;
            }
            String name = string();
            if (problem != null || peek() != ':') {
                fail("a colon was expected");
                break;
            }
            at++;
            members.put(name, value());
        }
        return members;
    }

    private List<Object> array() {
        List<Object> elements = new ArrayList<>();
        at++;
        while (problem == null && !closes(']', elements.isEmpty())) {
            elements.add(value());
        }
        return elements;
    }

    /** Passes the closing bracket, or the comma before the next element. */
    private boolean closes(char bracket, boolean first) {
        char next = peek();
        if (next == bracket) {
            at++;
            return true;
        }
        if (!first && next == ',') {
            at++;
        } else if (!first) {
            fail("a comma or " + bracket + " was expected");
            return true;
        }
        return false;
    }

    private String string() {
        StringBuilder content = new StringBuilder();
        for (at++; at < text.length(); at++) {
            char next = text.charAt(at);
            if (next == '"') {
                at++;
                return content.toString();
            }
            if (next == '\n') {
                break; // within a string it would be escaped
            }
            content.append(next == '\\' ? escaped() : next);
        }
        fail("the text ends within a string");
        return content.toString();
    }

    private char escaped() {
        at++;
        char letter = at < text.length() ? text.charAt(at) : '\\';
        return switch (letter) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' -> unicode();
            default -> letter;
        };
    }

    private char unicode() {
        try {
            char read = (char) Integer.parseInt(text.substring(at + 1, at + 5), 16);
            at += 4;
            return read;
        } catch (RuntimeException noDigits) {
            return '\uFFFD';
        }
    }

    /** A number, {@code true}, {@code false} or {@code null}. */
    private String word() {
        int begin = at;
        while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return at == begin
                ? fail(at >= text.length() ? "the text ends here" : "a value was expected")
                : text.substring(begin, at);
    }

    /** The next character that is no space; 0 at the end. */
    private char peek() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at < text.length() ? text.charAt(at) : 0;
    }

    private String fail(String what) {
        if (problem == null) {
            problem = what;
            problemLine = firstLine
                    + (int) text.substring(0, Math.min(at, text.length()))
                            .stripTrailing()
                            .chars()
                            .filter(next -> next == '\n')
                            .count();
        }
        return "";
    }
}
