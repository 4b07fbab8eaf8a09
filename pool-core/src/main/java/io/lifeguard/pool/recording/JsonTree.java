package io.lifeguard.pool.recording;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parses JSON to maps, lists, strings, booleans, {@link Long}, {@link Double} and null. Used once, by one thread.
 *
 * <p>Every error is an {@link IllegalArgumentException} that names the place.
 */
final class JsonTree {

    /** Windows nest about ten deep. A file that nests deeper must not overflow the stack. */
    private static final int DEEPEST = 64;

    private final String text;
    private int at;
    private int depth;

    private JsonTree(String text) {
        this.text = text;
    }

    /** {@return the value that a text without blanks holds} */
    static @Nullable Object parse(String text) {
        JsonTree tree = new JsonTree(text);
        Object value = tree.value();
        if (tree.at != text.length()) {
            throw tree.unexpected("the end");
        }
        return value;
    }

    private @Nullable Object value() {
        return switch (next()) {
            case '{' -> object();
            case '[' -> list();
            case '"' -> string();
            default -> word();
        };
    }

    private Map<String, @Nullable Object> object() {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        enter();
        while (!leaves('}', object.isEmpty())) {
            String name = string();
            expect(':');
            object.put(name, value());
        }
        return object;
    }

    private List<@Nullable Object> list() {
        List<@Nullable Object> list = new ArrayList<>();
        enter();
        while (!leaves(']', list.isEmpty())) {
            list.add(value());
        }
        return list;
    }

    private void enter() {
        at++;
        if (++depth > DEEPEST) {
            throw unexpected("at most " + DEEPEST + " levels");
        }
    }

    /** Whether the closing bracket comes next; otherwise skips the comma before the next element. */
    private boolean leaves(char bracket, boolean isFirst) {
        if (next() == bracket) {
            at++;
            depth--;
            return true;
        }
        if (!isFirst) {
            expect(',');
        }
        return false;
    }

    private String string() {
        expect('"');
        StringBuilder out = new StringBuilder();
        while (next() != '"') {
            char c = text.charAt(at++);
            out.append(c == '\\' ? escaped() : c);
        }
        at++;
        return out.toString();
    }

    /** A backslash is followed by the character itself, or by {@code u} and four hexadecimal digits. */
    private char escaped() {
        char c = next();
        at++;
        if (c != 'u') {
            return c;
        }
        int end = Math.min(text.length(), at + 4);
        char meant = (char) Integer.parseInt(text.substring(at, end), 16);
        at = end;
        return meant;
    }

    private @Nullable Object word() {
        int from = at;
        while (at < text.length() && ",]}".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(from, at);
        return switch (word) {
            case "null" -> null;
            case "true" -> true;
            case "false" -> false;
            default -> number(word);
        };
    }

    private static Object number(String word) {
        boolean isWhole = word.indexOf('.') < 0 && word.indexOf('E') < 0;
        return isWhole ? (Object) Long.parseLong(word) : (Object) Double.parseDouble(word);
    }

    private char next() {
        if (at >= text.length()) {
            throw unexpected("more");
        }
        return text.charAt(at);
    }

    private void expect(char wanted) {
        if (next() != wanted) {
            throw unexpected("'" + wanted + "'");
        }
        at++;
    }

    private IllegalArgumentException unexpected(String wanted) {
        return new IllegalArgumentException("expected " + wanted + " at character " + at + " of " + text.length());
    }
}
