package io.lifeguard.pool.tools.dumps;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON (RFC 8259) that may break off. Where the text ends or is not JSON, the value is what was read until there.
 * Objects become maps, arrays become lists, and everything else becomes a string. Not thread-safe.
 */
final class TolerantJson {

    /** Deeper nesting is refused, so that a forged file cannot overflow the stack. A dump nests 7 levels. */
    private static final int DEEPEST = 100;

    private final String text;
    private final int firstLine;
    private int at; // the index of the next character
    private int depth;
    private @Nullable String problem;
    private int problemLine;

    private TolerantJson(String text, int firstLine) {
        this.text = text;
        this.firstLine = firstLine;
    }

    /**
     * What was read.
     *
     * @param value a map, a list or a string
     * @param problem the first error; empty when the text is correct
     * @param line the line of that error
     */
    record Result(Object value, Optional<String> problem, int line) {}

    static Result read(String text, int firstLine) {
        TolerantJson json = new TolerantJson(text, firstLine);
        Object value = json.value();
        return new Result(value, Optional.ofNullable(json.problem), json.problemLine);
    }

    /** Returns the first line of each string, by the string without escapes. */
    static Map<String, Integer> linesOfStrings(String text, int firstLine) {
        TolerantJson json = new TolerantJson(text, firstLine);
        Map<String, Integer> lines = new HashMap<>();
        int line = firstLine;
        while (json.at < text.length()) {
            char next = text.charAt(json.at);
            if (next == '"') {
                lines.putIfAbsent(json.string(), line); // a string ends within its line
            } else {
                line += next == '\n' ? 1 : 0;
                json.at++;
            }
        }
        return lines;
    }

    /**
     * Reads a value of any kind. Each method below begins at {@code at} and leaves {@code at} behind what it has read.
     */
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

    /** Skips the closing bracket and returns true, or skips the comma before the next element and returns false. */
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
                break; // a correct string has no line break
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
        } catch (RuntimeException e) {
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

    /** Skips white space and returns the next character, or 0 at the end. */
    private char peek() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at < text.length() ? text.charAt(at) : 0;
    }

    /** Remembers the first error with its line. Returns the empty value. */
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
