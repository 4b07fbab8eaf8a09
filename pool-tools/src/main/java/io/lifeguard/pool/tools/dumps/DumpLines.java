package io.lifeguard.pool.tools.dumps;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Recognises the lines of dumps in text, so that what is around them can be told apart. Stateless. */
final class DumpLines {

    static final String BEGIN = "Full thread dump";
    static final String BEGIN_ANDROID = "DALVIK THREADS";
    static final String STATE = "java.lang.Thread.State:";
    static final String END = "JNI global ref";

    /** No prefix of a line is longer. */
    private static final int LONGEST_PREFIX = 400;

    /** No frame has a longer name. */
    private static final int LONGEST_FRAME = 1_000;

    /** How many quotes of a line are tried as the beginning of a thread's name. */
    private static final int MOST_QUOTES = 24;

    /** Words with which other lines of a dump begin. */
    private static final String[] WORDS = String.join("|", BEGIN, BEGIN_ANDROID, LabelledLines.BEGIN, STATE, END)
            .concat("|- locked|- waiting |- parking |- eliminated |- blocked on |-  locked |-  blocked on |- None|"
                    + "- <0x|- <no |Locked ownable synchronizers:|Number of locked synchronizers|"
                    + "Carrying virtual thread #|Mounted virtual thread #|No compile task|"
                    + "Java stack information for the thread|Found one Java-level deadlock|Found a total of |"
                    + "No deadlocks found|which is held by |in JNI, which is held by |waiting to lock monitor |"
                    + "waiting to lock Monitor@|waiting for ownable synchronizer |Deadlock Detection:|"
                    + "JavaThread state: ")
            .split("\\|");

    private static final Pattern HEADER = Pattern.compile(
            "\"(.{0,500}?)\"(?:@\\d+)? ?(?:#\\d|\\[\\d|daemon[ ,]|prio=|os_prio=|group=|cpu=|tid=|nid=|Id=\\d|id=\\d|- Thread t@"
                    + "|waiting for monitor|J9VMThread:|java\\.lang\\.Thread\\.State|virtual )",
            Pattern.DOTALL);

    /** The same behind a prefix, where a quote in the name would be one of the prefix. */
    private static final Pattern QUOTED_HEADER =
            Pattern.compile(HEADER.pattern().replace(".{0,500}?", "[^\"]{1,300}"));

    private static final Pattern FILE_HEADER =
            Pattern.compile("#\\d{1,18} \".{0,500}\"(?: virtual| [A-Z_]{3,13}\\b|$)", Pattern.DOTALL);

    private static final Pattern COUNTED = Pattern.compile("Found (?:\\d{1,6}|a total of \\d{1,6}) deadlocks?\\.");

    /** A line of jstack -F: {@code - java.lang.Thread.run() @bci=11, line=840 (Interpreted frame)}. */
    private static final Pattern SERVICEABILITY_FRAME =
            Pattern.compile("- [\\w.$<>/+]{3,600}\\([^()]{0,2000}\\) @bci=-?\\d");

    private static final Pattern SERVICEABILITY_HEADER =
            Pattern.compile("Thread (?:t@)?\\d{1,18}: \\(state = [A-Z_]+\\)");
    private static final Pattern JAVACORE = Pattern.compile("[0-9][A-Z]{2}[A-Z0-9]{3,20}(?:\\s|$)|NULL(?:\\s|$)");
    private static final Pattern DEBUGGER = Pattern.compile(
            "(?:blocks .{1,300}@\\d|waiting for .{1,300} to release lock on <)|- (?:locked|waiting on) <",
            Pattern.DOTALL);

    private static final Pattern OPEN_LOCK =
            Pattern.compile("- (?:waiting(?: to(?: lock)?| on)?|parking(?: to(?: wait(?: for)?)?)?|locked)");

    /** The end of a header that says what the thread waits for, or who holds it, only in the next line. */
    private static final Pattern OPEN_OWNER = Pattern.compile(" (?:on|owned|owned by(?: \"[^\"]{0,500}\"?)?)$");

    private DumpLines() {}

    /** Returns the index at which a line of a dump begins; -1 where there is none. What is before it is a prefix. */
    static int start(String line) {
        int first = firstNonBlank(line, 0);
        if (first == line.length()) {
            return -1;
        }
        if (isStart(line, first) && !isTable(line, first)) {
            return first;
        }
        int quotes = 0;
        int last = Math.min(line.length(), LONGEST_PREFIX);
        for (int i = first + 1; i < last; i++) {
            char previous = line.charAt(i - 1);
            if (Character.isLetterOrDigit(previous) || line.charAt(i) == ' ') {
                continue;
            }
            if (line.charAt(i) == '"' && ++quotes > MOST_QUOTES) {
                return -1;
            }
            if (line.startsWith("by ", i - 3)) {
                continue; // the quote names the holder of a lock
            }
            if (line.charAt(i) == '"' ? matches(QUOTED_HEADER, line, i) || isListed(line, i) : isStart(line, i)) {
                return i;
            }
        }
        return -1;
    }

    /** Whether what looks like a name in quotes is several values, each in quotes. */
    private static boolean isTable(String line, int first) {
        int end = Math.min(line.length(), LONGEST_PREFIX);
        int comma = line.indexOf("\",", first);
        int equals = line.indexOf("=\"", first);
        return line.charAt(first) == '"' && ((comma > 0 && comma < end) || (equals > 0 && equals < end));
    }

    static int firstNonBlank(String line, int from) {
        int i = from;
        while (i < line.length() && line.charAt(i) <= ' ') {
            i++;
        }
        return i;
    }

    private static boolean isStart(String line, int at) {
        return switch (line.charAt(at)) {
            case '"' -> matches(HEADER, line, at) || isListed(line, at);
            case 'a' -> line.startsWith("at ", at) && isFrame(line, at + 3);
            case '-' -> hasWord(line, at) || matches(SERVICEABILITY_FRAME, line, at);
            case '#' -> matches(FILE_HEADER, line, at);
            case 'F' -> hasWord(line, at) || matches(COUNTED, line, at);
            case 'T' -> matches(SERVICEABILITY_HEADER, line, at);
            case 'N' -> hasWord(line, at) || matches(JAVACORE, line, at);
            case '0', '1', '2', '3', '4', '5' -> matches(JAVACORE, line, at);
            case 'b' -> matches(DEBUGGER, line, at);
            case 'w' -> hasWord(line, at) || matches(DEBUGGER, line, at);
            default -> hasWord(line, at);
        };
    }

    /** {@code a.B.c(B.java:1)}: a class with its package, a method, and a place in brackets. */
    private static boolean isFrame(String line, int from) {
        int last = Math.min(line.length(), from + LONGEST_FRAME);
        boolean hasDot = false;
        for (int i = from; i < last; i++) {
            char next = line.charAt(i);
            if (next == '(') {
                return hasDot && i > from;
            }
            hasDot |= next == '.';
            if (next == '"' || next == ',' || next == '=' || next == ':') {
                return false;
            }
        }
        return false;
    }

    static boolean isHeader(String line) {
        return line.startsWith("\"") && matches(HEADER, line, 0);
    }

    /** In the JVM's list of deadlocks, a thread is its name and a colon. */
    static boolean isListed(String line, int at) {
        int end = line.stripTrailing().length();
        return end - at > 3
                && end - at < 500
                && line.charAt(at) == '"'
                && line.charAt(end - 1) == ':'
                && line.indexOf('"', at + 1) == end - 2; // a name with quotes would be mistaken for a prefix
    }

    private static boolean hasWord(String line, int at) {
        for (String word : WORDS) {
            if (line.startsWith(word, at)) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(Pattern pattern, String line, int at) {
        Matcher matcher = pattern.matcher(line);
        matcher.region(at, line.length());
        return matcher.lookingAt();
    }

    /** Returns whether a line of a dump goes on in the next line, because a mail or a terminal wrapped it. */
    static boolean isOpen(String line) {
        return switch (line.charAt(0)) {
            case '"' -> isOpenHeader(line);
            case 'a' -> line.equals("at") || (line.startsWith("at ") && line.indexOf(')') < 0);
            case '-' ->
                line.indexOf('<') >= 0
                        ? isUnbalanced(line) || line.indexOf('>') < 0
                        : OPEN_LOCK.matcher(line).matches();
            case 'j' -> line.equals(STATE) || (line.startsWith(STATE) && isUnbalanced(line));
            case 'F' -> line.equals("Found one") || line.equals("Found one Java-level");
            case 'w', 'i' ->
                line.endsWith("which is held by")
                        || line.equals("which is held")
                        || line.equals("which is")
                        || ((line.startsWith("waiting to lock") || line.startsWith("waiting for ownable"))
                                && (isUnbalanced(line) || !line.contains("0x")));
            default -> false;
        };
    }

    private static boolean isOpenHeader(String line) {
        if (line.indexOf('"', 1) < 0) {
            return line.length() > 1;
        }
        if (OPEN_OWNER.matcher(line).find()) {
            return true;
        }
        boolean isHotspot = line.contains("os_prio=") || (line.contains(" prio=") && !line.contains("Id="));
        return isHotspot && !line.contains("nid=") && !line.endsWith(":");
    }

    private static boolean isUnbalanced(String line) {
        int open = 0;
        for (int i = 0; i < line.length(); i++) {
            char next = line.charAt(i);
            open += next == '(' ? 1 : next == ')' ? -1 : 0;
        }
        return open > 0;
    }
}
