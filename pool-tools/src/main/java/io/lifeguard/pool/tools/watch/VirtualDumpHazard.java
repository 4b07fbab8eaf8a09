package io.lifeguard.pool.tools.watch;

import io.lifeguard.pool.diagnosis.evidence.stack.JvmHazards;
import io.lifeguard.pool.text.LogText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tells whether a dump of the virtual threads of another JVM can crash it. Stateless. */
final class VirtualDumpHazard {

    /** The first line of the answer to {@code VM.version}. */
    private static final Pattern VERSION = Pattern.compile("^(.+) version (\\S+)$", Pattern.MULTILINE);

    /** A lock of the JVM that came with the repair of JDK-8364343, and whose name the library of the JVM has. */
    private static final String MARK = "VThreadTransition_lock";

    private static final int BUFFER = 1 << 20;

    private VirtualDumpHazard() {}

    /** {@return why such a dump could crash it, as a clause; empty when it is safe} */
    static String of(String answer, Path proc) {
        Matcher version = VERSION.matcher(answer);
        if (!version.find()) {
            return "whether a dump of virtual threads can crash this JVM is not known";
        }
        try {
            return LogText.clean(JvmHazards.ofVirtualDump(
                    version.group(1), Runtime.Version.parse(version.group(2)), () -> hasMark(library(proc))));
        } catch (IllegalArgumentException e) {
            return "whether a dump of virtual threads can crash Java " + LogText.name(version.group(2))
                    + " is not known";
        }
    }

    /** The library of the JVM, by the system's list of the files that it has mapped. */
    private static Path library(Path proc) {
        try {
            return Files.readAllLines(proc.resolve("maps")).stream()
                    .filter(line -> line.endsWith("/libjvm.so"))
                    .map(line -> Path.of(proc + "/root" + line.substring(line.indexOf('/'))))
                    .findFirst()
                    .orElse(proc.resolve("none"));
        } catch (IOException e) { // it has ended
            return proc.resolve("none");
        }
    }

    /** {@return whether a file has the name of the lock} Takes 10 ms for the 24 MB of the library. */
    static boolean hasMark(Path library) {
        byte[] buffer = new byte[BUFFER];
        int kept = 0; // bytes of the part before, in which the name may begin
        try (InputStream in = Files.newInputStream(library)) {
            for (int count = in.read(buffer); count > 0; count = in.read(buffer, kept, BUFFER - kept)) {
                int length = kept + count;
                if (new String(buffer, 0, length, StandardCharsets.ISO_8859_1).contains(MARK)) {
                    return true;
                }
                kept = Math.min(length, MARK.length());
                System.arraycopy(buffer, length - kept, buffer, 0, kept);
            }
            return false;
        } catch (IOException e) { // unknown, so it counts as not repaired
            return false;
        }
    }
}
