package io.lifeguard.pool.tools.dumps;

import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Undoes what trackers, mails, shells and JSON do to the characters of a line: entities and tags of HTML, backslashes,
 * quoted-printable, colours, and typographic quotes and bullets. One line may become several. Stateless.
 */
final class Unescaped {

    private static final Map<String, String> ENTITIES =
            Map.of("lt", "<", "gt", ">", "quot", "\"", "amp", "&", "apos", "'", "nbsp", " ", "ndash", "-", "bull", "-");

    private static final Pattern ENTITY =
            Pattern.compile("&(?:#(\\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(lt|gt|quot|amp|apos|nbsp|ndash|bull));");

    private static final Pattern BREAK = Pattern.compile(
            "(?i)<(?:br|/?p|/?div|/?li|/?ul|/?ol|/?tr|/?pre|/?td|/?table|/?blockquote)(?: [^<>]{0,300})? ?/?>");

    private static final Pattern TAG =
            Pattern.compile("(?i)</?(?:span|a|code|font|b|i|em|strong|tt|samp|mark|html|body|u|s"
                    + "|small|kbd|h[1-6])(?: [a-z-]+ ?= ?[^<>]{0,300})?>");

    private static final Pattern COLOUR = Pattern.compile("\u001b\\[[0-9;?]{0,30}[A-Za-z]");
    private static final Pattern PRINTABLE = Pattern.compile("=(3D|09|20|3C|3E|22|0D|0A|C2=A0)");
    private static final Pattern BULLET = Pattern.compile(
            "[*\u2022\u00b7\u2023\u25e6\u2013\u2014\u2212-] ?(?=(?:locked|eliminated|waiting to lock|waiting on|waiting to"
                    + " re-lock|parking to wait) )");
    private static final Pattern CSV_NAME =
            Pattern.compile("\"\"([^\"]{1,300})\"\"(?= ?(?:#\\d|prio=|daemon|Id=|- Thread|os_prio|:))");

    /** Where another line of a dump begins within a line, because line ends were lost. */
    private static final Pattern TOKEN = Pattern.compile(
            "(?<=[\\s)>\\],:])(?<! by )(?="
                    + "at [\\w.$@/+-]{1,300}[\\w$<>]\\(|- (?:locked|waiting to lock|waiting on|waiting to re-lock|parking to wait|eliminated) "
                    + "|java\\.lang\\.Thread\\.State: |Locked ownable sync|- None|- <0x[0-9a-f]+> \\(a|JNI global ref|Full thread dump "
                    + "|Found one Java-level|Found \\d{1,6} deadlock|which is held by \"|waiting to lock monitor |waiting for ownable sync"
                    + "|Java stack information for|\"[^\"\\n]{1,200}\" (?:#\\d|prio=|os_prio=|daemon |Id=\\d|- Thread t@)|\"[^\"\\n]{1,200}\":\\s)");

    private Unescaped() {}

    /** Returns whether a line holds nothing that needs a change. Most lines do not, so this must be quick. */
    static boolean isPlain(String line) {
        for (int i = 0; i < line.length(); i++) {
            char next = line.charAt(i);
            if (next > '~' || next == '&' || next == '\\' || next == '=' || (next < ' ' && next != '\t')) {
                if (next != '=' || isPrintable(line, i)) {
                    return false;
                }
            } else if (next == '<' && i + 1 < line.length() && isTagStart(line, i + 1)) {
                return false;
            } else if (next == '"' && line.startsWith("\"\"", i)) {
                return false;
            } else if (next == '*' && i < 60) {
                return false;
            }
        }
        return line.length() < 300 || !TOKEN.matcher(line).find();
    }

    private static boolean isPrintable(String line, int at) {
        return at == line.length() - 1
                || PRINTABLE.matcher(line).region(at, line.length()).lookingAt();
    }

    private static boolean isTagStart(String line, int at) {
        return line.charAt(at) == '/'
                || BREAK.matcher(line).region(at - 1, line.length()).lookingAt()
                || TAG.matcher(line).region(at - 1, line.length()).lookingAt();
    }

    /** Returns the lines that a line stands for. Adds what was taken away. */
    static List<String> lines(String line, Taken taken) {
        String text = line;
        if (text.indexOf('\u001b') >= 0) {
            text = taken.ifChanged("colours", text, COLOUR.matcher(text).replaceAll(""));
        }
        text = entities(text, taken);
        if (text.indexOf('<') >= 0) {
            String without = TAG.matcher(BREAK.matcher(text).replaceAll("\n")).replaceAll("");
            text = taken.ifChanged("HTML", text, without);
        }
        text = taken.ifChanged("typography", text, typography(text));
        if (text.indexOf('\\') >= 0) {
            text = taken.ifChanged("backslashes", text, backslashes(text));
        }
        if (text.indexOf('=') >= 0 && isQuotedPrintable(text, taken)) {
            text = taken.ifChanged("quoted-printable", text, printable(text));
        }
        if (text.contains("\"\"")) {
            text = taken.ifChanged(
                    "doubled quotes", text, CSV_NAME.matcher(text).replaceAll("\"$1\""));
        }
        text = BULLET.matcher(text).replaceAll("- ");
        if (text.length() >= 150) {
            text = separated(text, taken);
        }
        return text.indexOf('\n') < 0 && text.indexOf('\0') < 0 && text.indexOf('\r') < 0
                ? List.of(text)
                : List.of(text.split("[\n\0\r]+", -1));
    }

    private static String entities(String line, Taken taken) {
        String text = line;
        for (int depth = 0; depth < 3 && text.indexOf('&') >= 0; depth++) { // trackers escape what is escaped already
            String before = text;
            text = taken.ifChanged("HTML", before, ENTITY.matcher(before).replaceAll(Unescaped::entity));
        }
        return text;
    }

    private static String entity(MatchResult entity) {
        if (entity.group(3) != null) {
            return Matcher.quoteReplacement(ENTITIES.getOrDefault(entity.group(3), ""));
        }
        int code = entity.group(1) != null ? Integer.parseInt(entity.group(1)) : Integer.parseInt(entity.group(2), 16);
        return Character.isValidCodePoint(code) ? Matcher.quoteReplacement(Character.toString(code)) : "";
    }

    private static String typography(String line) {
        StringBuilder text = null;
        for (int i = 0; i < line.length(); i++) {
            char next = line.charAt(i);
            if (next <= '~') {
                continue;
            }
            char plain = plain(next);
            if (plain != next) {
                text = text == null ? new StringBuilder(line) : text;
                text.setCharAt(i, plain);
            }
        }
        return text == null ? line : text.toString().replace("\u0001", "");
    }

    private static char plain(char character) {
        return switch (character) {
            case '\u201c', '\u201d', '\u201e', '\u201f', '\u00ab', '\u00bb', '\u2033' -> '"';
            case '\u2018', '\u2019' -> '\'';
            case '\u00a0', '\u2007', '\u202f', '\u2002', '\u2003', '\u2009', '\u3000' -> ' ';
            case '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff' -> '\u0001'; // takes no room
            case '\u2039' -> '<';
            case '\u203a' -> '>';
            default -> character;
        };
    }

    /** Undoes the escapes of JSON and of source code, in a line that has those of a dump. */
    private static String backslashes(String line) {
        String text = line;
        for (int depth = 0; depth < 3 && isEscaped(text); depth++) {
            text = unescaped(text);
        }
        return text;
    }

    /** Undoes one level of escapes. */
    static String unescaped(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        int i = 0;
        while (i < text.length()) {
            char next = text.charAt(i++);
            if (next != '\\' || i == text.length()) {
                plain.append(next);
                continue;
            }
            char escaped = text.charAt(i++);
            switch (escaped) {
                case 'n' -> plain.append('\n');
                case 't' -> plain.append('\t');
                case 'r' -> plain.append(' ');
                case 'u', 'x' -> i = unicode(text, i, plain);
                default -> plain.append(escaped);
            }
        }
        return plain.toString();
    }

    /** Reads the digits behind a "u" or "x". Returns the index behind them. */
    private static int unicode(String text, int from, StringBuilder plain) {
        int end = from + (text.charAt(from - 1) == 'u' ? 4 : 2);
        if (end <= text.length() && text.substring(from, end).matches("[0-9a-fA-F]+")) {
            plain.append((char) Integer.parseInt(text.substring(from, end), 16));
            return end;
        }
        plain.append('\\').append(text.charAt(from - 1));
        return from;
    }

    private static final Pattern ESCAPED = Pattern.compile(
            "\\\\{1,8}t(?:at |- )|\\\\{1,8}\"[^\"]{1,300}\\\\{1,8}\" ?(?:#\\d|prio=|daemon|Id=|- Th|os_prio|:)"
                    + "|\\\\{1,8}n(?:\\s|\\\\{1,8}t)*(?:at |\\\\*\"|- |java\\.lang\\.Th|JNI|Found|Full thread)|\\\\u00(?:3[cCeE]|22|09)|"
                    + DumpLines.STATE + ".{0,60}\\\\{1,8}[nr]|"
                    + DumpLines.BEGIN + ".{0,200}\\\\{1,8}[nr]|\\)\\\\{1,8}[nr]");

    private static boolean isEscaped(String text) {
        return text.indexOf('\\') >= 0 && ESCAPED.matcher(text).find();
    }

    /** An encoder writes each "=" as "=3D". Before the first of them, "Id=22" means 22. */
    private static boolean isQuotedPrintable(String text, Taken taken) {
        return (text.contains("=3D") || taken.has("quoted-printable"))
                && PRINTABLE.matcher(text).find();
    }

    private static String printable(String line) {
        return PRINTABLE.matcher(line.replace("=C2=A0", " ")).replaceAll(match -> {
            int code = Integer.parseInt(match.group(1), 16);
            return code == '\r' || code == '\n' ? "" : Matcher.quoteReplacement(Character.toString(code));
        });
    }

    /** Puts back the line ends that were lost, where several lines of a dump are in one. */
    private static String separated(String line, Taken taken) {
        boolean areSeveral = TOKEN.matcher(line).results().limit(2).count() == 2;
        return areSeveral
                ? taken.ifChanged("lost line ends", line, TOKEN.matcher(line).replaceAll("\n"))
                : line;
    }
}
