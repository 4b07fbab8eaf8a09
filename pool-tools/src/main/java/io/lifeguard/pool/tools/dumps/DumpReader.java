package io.lifeguard.pool.tools.dumps;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a source line by line. Passes dumps in text form to {@link TextDumpReader} and dumps in JSON to
 * {@link JsonDumpReader}. Not thread-safe.
 */
final class DumpReader {

    /** Lines of a text dump are shorter. The rest of a longer line is ignored. */
    private static final int LONGEST_LINE = 20_000;

    private static final String JSON = "\"threadDump\"";

    private final String source;
    private final BufferedReader in;
    private final ReadProblems problems;
    private final StackCache cache = new StackCache();
    private final List<ThreadDump> dumps = new ArrayList<>();
    private final TextDumpReader text;
    private int line;
    private final Deque<String> ahead = new ArrayDeque<>(2); // lines that were read but not yet consumed

    DumpReader(String source, Reader in, ReadProblems problems) {
        this.source = source;
        this.in = new BufferedReader(in);
        this.problems = problems;
        this.text = new TextDumpReader(source, problems, cache, dumps);
    }

    /** Decodes bytes by their byte order mark, as Windows writes it. Without a mark they are UTF-8. */
    static Reader decoded(InputStream bytes) throws IOException {
        BufferedInputStream in = new BufferedInputStream(bytes);
        in.mark(3);
        String begin = HexFormat.of().formatHex(in.readNBytes(3));
        in.reset();
        Charset charset = StandardCharsets.UTF_8;
        if (begin.startsWith("fffe")) {
            charset = StandardCharsets.UTF_16LE;
        } else if (begin.startsWith("feff")) {
            charset = StandardCharsets.UTF_16BE;
        }
        boolean isMarked = !charset.equals(StandardCharsets.UTF_8) || begin.equals("efbbbf");
        in.skipNBytes(isMarked ? "\ufeff".getBytes(charset).length : 0);
        return new InputStreamReader(in, charset);
    }

    List<ThreadDump> read() throws IOException {
        for (String next = next(); next != null; next = next()) {
            if (beginsJson(next)) {
                readJson(next);
            } else {
                text.read(line, next.length() <= LONGEST_LINE ? next : next.substring(0, LONGEST_LINE));
            }
        }
        text.end("the file ends");
        return dumps;
    }

    /**
     * Returns whether a line begins a dump in JSON. A line break may follow the first bracket, so this may look at the
     * next line.
     */
    private boolean beginsJson(String candidate) throws IOException {
        if (candidate.isEmpty() || (candidate.charAt(0) != '{' && !Character.isWhitespace(candidate.charAt(0)))) {
            return false;
        }
        String begin = candidate.strip();
        if (!begin.startsWith("{")) {
            return false;
        }
        String rest = begin.substring(1).strip();
        if (!rest.isEmpty()) {
            return rest.startsWith(JSON);
        }
        String following = peek();
        return following != null && following.strip().startsWith(JSON);
    }

    /** Reads until all brackets are closed. Where the JSON breaks off, reads until another dump begins. */
    private void readJson(String first) throws IOException {
        text.end("another dump begins");
        int firstLine = line;
        StringBuilder all = new StringBuilder();
        int open = 0;
        for (String next = first; next != null; next = next()) {
            if (line > firstLine && (next.startsWith(TextDumpReader.BEGIN) || beginsJson(next))) {
                ahead.addFirst(next);
                line--;
                break;
            }
            all.append(next).append('\n');
            open += opened(next);
            if (open <= 0) {
                break;
            }
        }
        dumps.addAll(new JsonDumpReader(source, firstLine, problems, cache).read(all.toString()));
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
