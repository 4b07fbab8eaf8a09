package io.lifeguard.pool.tools.dumps;

import java.util.regex.Pattern;

/**
 * Puts lines together that a mail or a terminal wrapped, and takes away empty lines that were put between all others.
 * Not thread-safe.
 */
final class UnwrappedLines {

    /** No line of a dump is wrapped into more. */
    private static final int MOST_PARTS = 6;

    private static final Pattern MAY_BE_OPEN = Pattern.compile("\"|at$|- |Found one|waiting |which is");
    private static final Pattern ENDS_WORD = Pattern.compile("^(?:at$|- |Found )|(?:[:,]|by|\\(a| to|\\(object)$");
    private static final Pattern OTHER_HEADER = Pattern.compile("#\\d+ \"|Thread \\d+ \\(|Name: ");

    /** With this, a thread goes on after its header. */
    private static final Pattern BODY = Pattern.compile("at |java\\.lang\\.Thread\\.State:|[|] |State: ");

    private final TextDumpReader reader;
    private final Taken taken;
    private String open = ""; // a line of a dump that goes on in the next
    private int openNumber;
    private int parts;
    private int empty; // empty lines since the last other one
    private int usual; // how many empty lines there are between a thread's header and its state
    private boolean afterHeader;

    UnwrappedLines(TextDumpReader reader, Taken taken) {
        this.reader = reader;
        this.taken = taken;
    }

    void end(String why) {
        flush();
        reader.end(why);
    }

    /**
     * Reads a line.
     *
     * @param isOfDump whether it begins with something that only dumps have
     */
    void read(int number, String line, boolean isOfDump) {
        if (line.isEmpty()) {
            flush();
            empty++;
            return;
        }
        if (!open.isEmpty()) {
            boolean goesOn = open.endsWith(" owned by") || (!isOfDump && !line.startsWith("\""));
            if (goesOn && empty == 0 && parts < MOST_PARTS) {
                parts++;
                open = joined(open, line);
                if (!DumpLines.isOpen(open)) {
                    taken.add("wrapping");
                    flush();
                }
                return;
            }
            flush();
        }
        passEmpty(number, line);
        if (isOfDump || MAY_BE_OPEN.matcher(line).lookingAt()) {
            if (DumpLines.isOpen(line)) {
                open = line;
                openNumber = number;
                parts = 1;
                return;
            }
        }
        pass(number, line);
    }

    /** Between the header of a thread and its state there is no empty line, unless somebody has put them everywhere. */
    private void passEmpty(int number, String line) {
        if (afterHeader && BODY.matcher(line).lookingAt()) {
            usual = empty;
        }
        if (empty > usual) {
            reader.read(number - 1, "");
        } else if (empty > 0) {
            taken.add("empty lines between others");
        }
        empty = 0;
    }

    private void pass(int number, String line) {
        afterHeader = DumpLines.isHeader(line)
                || ("#TN".indexOf(line.charAt(0)) >= 0
                        && OTHER_HEADER.matcher(line).lookingAt());
        reader.read(number, line);
    }

    private void flush() {
        if (!open.isEmpty()) {
            String line = open;
            open = "";
            pass(openNumber, line);
        }
    }

    /** A mail wraps between words, and a terminal anywhere. */
    private static String joined(String first, String second) {
        String together = first + second;
        boolean isWord = first.startsWith("\"")
                ? !first.endsWith("=") && !second.matches("^[0-9a-fx]{1,16}( .*|$)")
                : ENDS_WORD.matcher(first).find();
        boolean isMiddle = first.endsWith("(") || first.endsWith("/") || first.endsWith(".") || first.endsWith("<");
        return isWord && !isMiddle ? first + " " + second : together;
    }
}
