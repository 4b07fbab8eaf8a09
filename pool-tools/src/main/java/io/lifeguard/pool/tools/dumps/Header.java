package io.lifeguard.pool.tools.dumps;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The first line of a thread in a dump, in the forms that begin with the thread's name.
 *
 * @param thread the thread, with its name and its ids
 * @param state the thread's state where this line says it; otherwise empty
 * @param waitsFor what the thread waits for, as a line of its own would say it; empty where this line does not
 * @param isOfJvm whether the JVM itself wrote the line, which also says where the dump ends
 */
record Header(ThreadDraft thread, String state, String waitsFor, boolean isOfJvm) {

    private static final Pattern NATIVE_ID = Pattern.compile("\\bnid=\\S");

    /** A carrier has its native id in front: {@code "ForkJoinPool-1-worker-1" #23 [14864] daemon … tid=0x… [0x…]}. */
    private static final Pattern CARRIER_ID = Pattern.compile("\\btid=0x");

    private static final Pattern CARRIER_NUMBER = Pattern.compile("^.?\" #\\d{1,18} \\[(\\d{1,18})\\] ");

    private static final Pattern NUMBER = Pattern.compile("\\bnid=(0x[0-9a-f]{1,15}|[1-9][0-9]{0,17}|0)\\b");

    /** {@code "orders-1" - Thread t@21}, of VisualVM and Spring Boot's actuator. */
    private static final Pattern NUMBERED = Pattern.compile("^\"(.*)\" - Thread t@(\\d{1,18})$", Pattern.DOTALL);

    private static final Pattern INFO_STATE =
            Pattern.compile("(?:state=| )(NEW|RUNNABLE|BLOCKED|WAITING|TIMED_WAITING|TERMINATED)\\b");

    private static final Pattern INFO_LOCK = Pattern.compile(" on (?:lock=)?([\\w.$\\[;/]+@[0-9a-f]+)");
    private static final Pattern INFO_OWNER =
            Pattern.compile(" owned by \"?(.*?)\"?(?: [Ii]d=(\\d{1,18})|$)", Pattern.DOTALL);
    // "orders-1" daemon prio=5 Id=21 BLOCKED on com.example.Orders@4f663fa0 owned by "orders-2" Id=22
    private static final Pattern INFO_ID =
            Pattern.compile("^\"(.{0,500}?)\" ?.{0,60}?\\b[Ii]d=(\\d{1,18})\\b", Pattern.DOTALL);

    /** {@code "orders-1@1234" prio=5 tid=0x15 nid=NA waiting for monitor entry}, of debuggers. */
    private static final Pattern DEBUGGED = Pattern.compile("^(.*)@\\d{1,18}$", Pattern.DOTALL);

    private static final Pattern OTHER = Pattern.compile(
            "^\"(.{0,500}?)\"(?= (?:#\\d|daemon|prio=|os_prio=|group=|cpu=|tid=|waiting for|virtual|java\\.lang\\.Thread\\.State))",
            Pattern.DOTALL);

    /** {@code "main" prio=5 tid=1 Blocked}, of Android. */
    private static final Pattern ANDROID = Pattern.compile(
            "^\"(.{0,500}?)\" (?:daemon )?(?:prio=\\d{1,2} )?tid=(\\d{1,9}) ([A-Z][A-Za-z_]{2,40})(?: .*)?$",
            Pattern.DOTALL);

    /** Returns the header; empty where the line is none, or is one of a form whose locks cannot be read. */
    static Optional<Header> of(String text) {
        if (text.contains("\" id=") && text.contains(" idx=0x")) { // JRockit's
            return Optional.empty();
        }
        Matcher numbered = NUMBERED.matcher(text);
        if (numbered.matches()) {
            return Optional.of(known(numbered.group(1), numbered.group(2), "", ""));
        }
        if (!text.contains(" nid=")) {
            Matcher info = INFO_ID.matcher(text);
            if (info.find()) {
                return Optional.of(info(text, info));
            }
            Matcher android = ANDROID.matcher(text);
            if (android.matches()) {
                return Optional.of(known(android.group(1), android.group(2), androidState(android.group(3)), ""));
            }
        }
        String name = nameIn(text);
        if (name == null) {
            return other(text);
        }
        String rest = text.substring(name.length() + 2);
        if (rest.contains("nid=NA")) {
            return Optional.of(debugged(name, rest));
        }
        ThreadDraft draft = new ThreadDraft(name, true);
        draft.header = rest;
        nativeId(text.substring(name.length())).ifPresent(draft::nativeId);
        return Optional.of(new Header(draft, "", "", true));
    }

    private static Header known(String name, String id, String state, String waitsFor) {
        ThreadDraft draft = new ThreadDraft(name, false);
        draft.id = Optional.of(id);
        return new Header(draft, state, waitsFor, false);
    }

    /** Android has two generations of words for what its threads do. */
    private static String androidState(String word) {
        return switch (word.replace("_", "").toUpperCase(Locale.ROOT)) {
            case "MONITOR", "BLOCKED" -> "BLOCKED";
            case "WAIT", "WAITING" -> "WAITING";
            case "TIMEDWAIT", "TIMEDWAITING", "SLEEPING" -> "TIMED_WAITING";
            default -> "RUNNABLE"; // among them Native, and Suspended while the dump was made
        };
    }

    private static Header info(String text, Matcher info) {
        String rest = text.substring(info.end());
        Matcher state = INFO_STATE.matcher(rest);
        String found = state.find() ? state.group(1) : "";
        Matcher lock = INFO_LOCK.matcher(rest);
        Matcher owner = INFO_OWNER.matcher(rest);
        String waitsFor = "";
        if (lock.find()) {
            waitsFor = (found.equals("BLOCKED") ? "- blocked on " : "- waiting on ") + lock.group(1);
        }
        Header header = known(info.group(1), info.group(2), found, waitsFor);
        if (owner.find()) {
            header.thread.heldBy = Optional.of(owner.group(2) != null ? owner.group(2) : owner.group(1));
        }
        return header;
    }

    private static Header debugged(String name, String rest) {
        Matcher numbered = DEBUGGED.matcher(name);
        Header header = known(numbered.matches() ? numbered.group(1) : name, name, "", "");
        header.thread.header = rest;
        return header;
    }

    /** A line that begins with a name, from which the ids are missing. */
    private static Optional<Header> other(String text) {
        Matcher matcher = OTHER.matcher(text);
        if (!matcher.find() || text.contains("os_prio=") || text.contains(" #")) {
            return Optional.empty();
        }
        String rest = text.substring(matcher.end());
        Header header = debugged(matcher.group(1), rest);
        header.thread.id = Optional.of(matcher.group(1));
        return Optional.of(header);
    }

    /**
     * Returns the text between the first quote and the last quote before the thread's native id, because a name may
     * contain quotes. Returns null where the line is not a header. One pattern for the whole line would try each quote
     * with each id, and take seconds for some lines.
     */
    private static @Nullable String nameIn(String header) {
        int nativeId = last(NATIVE_ID, header);
        int id = nativeId < 0 ? last(CARRIER_ID, header) : nativeId;
        int end = id < 0 ? -1 : header.lastIndexOf("\" ", id - 2);
        return end < 1 ? null : header.substring(1, end);
    }

    private static int last(Pattern pattern, String text) {
        int start = -1;
        for (Matcher each = pattern.matcher(text); each.find(); ) {
            start = each.start();
        }
        return start;
    }

    /** Reads the native id behind a name: {@code nid=0x1a2b} until JDK 20, {@code nid=6699} later. */
    private static OptionalLong nativeId(String header) {
        OptionalLong id = OptionalLong.empty();
        for (Matcher each = NUMBER.matcher(header); each.find(); ) {
            try {
                id = OptionalLong.of(Long.decode(each.group(1)));
            } catch (NumberFormatException ignored) { // too large for a number of a thread
                id = OptionalLong.empty();
            }
        }
        Matcher carrier = CARRIER_NUMBER.matcher(header);
        return id.isEmpty() && carrier.find() ? OptionalLong.of(Long.parseLong(carrier.group(1))) : id;
    }
}
