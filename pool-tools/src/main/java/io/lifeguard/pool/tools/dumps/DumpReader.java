package io.lifeguard.pool.tools.dumps;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a source line by line. Passes text through the {@link Cleaner} to {@link TextDumpReader}, and JSON to
 * {@link JsonDumpReader}, {@link ThreadInfoJson}, or, where it holds text, to the cleaner as well. Not thread-safe.
 */
final class DumpReader {

    /** Lines of a text dump are shorter. The rest of a longer line is ignored. */
    private static final int LONGEST_LINE = 20_000;

    /** A whole dump may be in one line, where its line ends were escaped or lost. */
    private static final int LONGEST_ESCAPED_LINE = 50_000_000;

    /** More text than this is not gathered as one value of JSON. */
    private static final int LONGEST_JSON = 500_000_000;

    /** A name and its value in JSON, or a value that begins with a quote. */
    private static final Pattern STRING = Pattern.compile("^\"(?:[\\w@. -]{1,60}\" ?: ?[\"\\[{\\d]|\\\\\")");

    private final String source;
    private final BufferedReader in;
    private final ReadProblems problems;
    private final StackCache cache;
    private final List<ThreadDump> dumps = new ArrayList<>();
    private final Taken taken = new Taken();
    private final Cleaner text;
    private int line;
    private final Deque<String> ahead = new ArrayDeque<>(2); // lines that were read but not yet consumed

    DumpReader(String source, Reader in, ReadProblems problems, StackCache cache) {
        this.source = source;
        this.cache = cache;
        this.in = new BufferedReader(in);
        this.problems = problems;
        this.text = new Cleaner(() -> new TextDumpReader(source, problems, cache, dumps), taken);
    }

    List<ThreadDump> read() throws IOException {
        for (String next = next(); next != null; next = next()) {
            if (beginsJson(next)) {
                readJson(next);
            } else {
                readText(line, next);
            }
        }
        text.end("the file ends");
        return dumps;
    }

    /** Returns what was taken away from around the dumps. */
    List<String> taken() {
        return text.taken().stream().map(kind -> source + ": " + kind).toList();
    }

    private void readText(int number, String read) {
        boolean mayBeMany = read.length() > LONGEST_LINE && (read.contains("\\n") || read.contains("at "));
        int longest = mayBeMany ? LONGEST_ESCAPED_LINE : LONGEST_LINE;
        text.read(number, read.length() <= longest ? read : read.substring(0, longest));
    }

    /** Returns whether a line may begin a value of JSON: an object, or a list of them. */
    private boolean beginsJson(String candidate) throws IOException {
        int first = DumpLines.firstNonBlank(candidate, 0);
        if (first == candidate.length()) {
            return false;
        }
        char begin = candidate.charAt(first);
        if (begin != '{' && begin != '[') {
            return false;
        }
        int second = DumpLines.firstNonBlank(candidate, first + 1);
        if (second < candidate.length()) {
            char next = candidate.charAt(second);
            return begin == '{' ? next == '"' || next == '}' : next == '{';
        }
        String following = peek();
        String begun = following == null ? "" : following.strip();
        return begin == '{' ? begun.startsWith("\"") : begun.startsWith("{");
    }

    /** Reads until all brackets are closed. Where the JSON breaks off, reads until a dump in text begins. */
    private void readJson(String first) throws IOException {
        int firstLine = line;
        List<String> gathered = new ArrayList<>();
        long length = 0;
        int open = 0;
        for (String next = first; next != null; next = next()) {
            if (line > firstLine && (beginsDump(next) || length > LONGEST_JSON)) {
                ahead.addFirst(next);
                line--;
                break;
            }
            gathered.add(next);
            length += next.length();
            open += opened(next);
            if (open <= 0) {
                break;
            }
        }
        if (!readJson(firstLine, String.join("\n", gathered))) {
            for (int i = 0; i < gathered.size(); i++) {
                readText(firstLine + i, gathered.get(i));
            }
        }
    }

    private boolean beginsDump(String candidate) {
        int first = DumpLines.firstNonBlank(candidate, 0);
        String begin = candidate.substring(first);
        return begin.startsWith(DumpLines.BEGIN)
                || begin.startsWith(DumpLines.STATE)
                || begin.startsWith("{\"threadDump\"")
                || (first == 0 && begin.equals("{")) // a value within another one is indented
                || (DumpLines.isHeader(begin) && !STRING.matcher(begin).find());
    }

    /** Reads a value of JSON. Returns false where it says nothing of threads, and may be text. */
    private boolean readJson(int firstLine, String json) {
        ReadProblems own = new ReadProblems(source);
        Object value = TolerantJson.read(json, firstLine, own);
        DumpDraft dump = new DumpDraft(source, firstLine);
        if (JsonDumpReader.isDump(value)) {
            new JsonDumpReader(dump, own, cache).read(value);
        } else {
            List<Map<?, ?>> threads = ThreadInfoJson.threadsIn(value);
            if (threads.isEmpty()) {
                if (json.contains("\"threadDump\"")) {
                    problems.addAll(own);
                }
                return readMessages(firstLine, value, "");
            }
            ThreadInfoJson.read(threads, dump, own, cache);
            dump.completeness.mustHaveAll();
        }
        text.end("another dump begins");
        problems.addAll(own);
        ThreadDump read = dump.build(cache);
        dump.completeness.doubts(read).forEach(problems::doubt);
        dumps.add(read);
        return true;
    }

    /** Reads the lines of dumps that are strings of JSON. */
    private boolean readMessages(int firstLine, Object value, String key) {
        boolean isRead = false;
        if (value instanceof Map<?, ?> members) {
            for (Map.Entry<?, ?> member : members.entrySet()) {
                isRead |= readMessages(firstLine, member.getValue(), String.valueOf(member.getKey()));
            }
        } else if (value instanceof List<?> elements) {
            for (Object element : elements) {
                isRead |= readMessages(firstLine, element, key);
            }
        } else if (value instanceof String message && (Fields.MESSAGES.contains(key) || holdsDump(message))) {
            String lines = message.endsWith("\n") ? message.substring(0, message.length() - 1) : message;
            lines.lines().forEach(each -> text.read(firstLine, each));
            if (lines.isEmpty()) {
                text.read(firstLine, "");
            }
            isRead = true;
            taken.add("JSON around lines");
        }
        return isRead;
    }

    private static boolean holdsDump(String message) {
        return message.contains(DumpLines.BEGIN)
                || message.contains(DumpLines.STATE)
                || message.contains("\tat ")
                || DumpLines.start(message) >= 0;
    }

    /** Returns how many more brackets a line opens than it closes. A string ends within its line. */
    private static int opened(String line) {
        int open = 0;
        boolean string = false;
        for (int i = 0; i < line.length(); i++) {
            char next = line.charAt(i);
            if (next == '"') {
                string = !string;
            } else if (string && next == '\\') {
                i++;
            } else if (!string && (next == '{' || next == '[')) {
                open++;
            } else if (!string && (next == '}' || next == ']')) {
                open--;
            }
        }
        return open;
    }

    private @Nullable String next() throws IOException {
        String next = peek();
        ahead.poll();
        line += next == null ? 0 : 1;
        return next;
    }

    private @Nullable String peek() throws IOException {
        if (ahead.isEmpty()) {
            String read = in.readLine();
            if (read == null) {
                return null;
            }
            ahead.add(read);
        }
        return ahead.peek();
    }
}
