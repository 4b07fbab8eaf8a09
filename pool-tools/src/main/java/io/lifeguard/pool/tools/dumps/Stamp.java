package io.lifeguard.pool.tools.dumps;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is said of the process and the time of a dump before its first thread. Not thread-safe. */
final class Stamp {

    /** The time of a dump is a line of its own. A log may have put another time in front. */
    private static final Pattern TIME =
            Pattern.compile("(\\d{4})[-/](\\d\\d)[-/](\\d\\d)(?: at |[ T])(\\d\\d:\\d\\d:\\d\\d)(?:[.:]\\d+)?Z?$");

    private static final Pattern PROCESS =
            Pattern.compile("^(?:1CIPROCESSID +Process ID: )?(\\d{1,10})(?::?$| \\(0x.*)");

    /** JDK 8 lists the JVM's first thread last, and later ones list it after {@code main}. */
    private static final Pattern ADDRESS = Pattern.compile("\\btid=0x0*([0-9a-f]+) ");

    private static final String FIRST = "Reference Handler";

    private String process = "";
    private String time = "";

    /** Reads a line before a dump. */
    void read(String line) {
        if (line.isEmpty() || !Character.isDigit(line.charAt(0)) || line.length() > 200) {
            return; // as nearly all lines
        }
        Matcher when = TIME.matcher(line);
        if (when.find()) {
            time = when.group(1) + "-" + when.group(2) + "-" + when.group(3) + " " + when.group(4);
            return;
        }
        Matcher number = PROCESS.matcher(line);
        if (number.matches()) {
            process = number.group(1);
        }
    }

    String time() {
        return time;
    }

    /** Returns what all dumps of the process have in common. Several containers may call theirs the same number. */
    String process(List<ThreadDraft> threads) {
        Optional<Matcher> address = threads.stream()
                .filter(thread -> thread.name.equals(FIRST))
                .map(thread -> ADDRESS.matcher(thread.header))
                .filter(Matcher::find)
                .findFirst();
        return process + address.map(found -> "@" + found.group(1)).orElse("");
    }
}
