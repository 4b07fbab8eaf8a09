package io.lifeguard.torture;

import io.lifeguard.torture.Looker.Look;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One JVM under torture, from its start to its end. */
final class TortureRun {

    private static final int SECONDS_TO_END = 600; // it ends by itself when no task has ended for 120 s
    private static final int VIRTUAL_THREADS = 21; // in this Java and later
    private static final int NATIVE_DUMPS = 25; // which can crash this Java and later
    private static final int LATEST = 12; // lines of its output in a failure

    private TortureRun() {}

    /** {@return what failed} */
    static List<String> of(Looker looker, Torment torment, String java, int seconds)
            throws IOException, InterruptedException {
        String row = torment.name() + ", " + java;
        if (!torment.isFor(java)) {
            System.out.println("skipped: " + row + " has not that collector");
            return List.of();
        }
        long begun = System.nanoTime();
        Path output = Files.createTempFile("victim", ".log");
        Process victim = start(looker, torment, java, output);
        List<String> failures = new ArrayList<>();
        try {
            awaitBeat(victim, output);
            if (looker.dumps()) {
                victim.waitFor(seconds, TimeUnit.SECONDS);
            }
            List<Look> looks = looker.begin(victim.pid(), seconds);
            if (!looks.isEmpty()) {
                KilledWatchers.of(looker, victim.pid(), seconds, feature(java) < NATIVE_DUMPS)
                        .forEach(left -> failures.add(row + ": " + left));
            }
            for (Look look : looks) {
                look.failure(seconds).ifPresent(why -> failures.add(row + ": " + why));
            }
            try {
                victim.getOutputStream().write('\n');
                victim.getOutputStream().flush();
            } catch (IOException e) { // it has crashed, which its exit status tells
                Thread.onSpinWait();
            }
            boolean hasEnded = victim.waitFor(SECONDS_TO_END, TimeUnit.SECONDS);
            if (!hasEnded || victim.exitValue() != 0) {
                failures.add(row + ": the JVM " + (hasEnded ? "ended with " + victim.exitValue() : "hangs") + ": "
                        + latest(output));
            }
            System.out.printf(
                    "%-60s %s after %d s, %s%n",
                    row,
                    failures.isEmpty() ? "survived" : "FAILED",
                    TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun),
                    latest(output));
            failures.forEach(failure -> System.out.println("FAILED: " + failure));
            return failures;
        } finally {
            victim.destroyForcibly();
            if (failures.isEmpty()) {
                Files.delete(output);
            }
        }
    }

    private static Process start(Looker looker, Torment torment, String java, Path output) throws IOException {
        List<String> command = new ArrayList<>(List.of(java));
        command.addAll(torment.options());
        command.addAll(List.of(
                "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=" + output + ".crash",
                "-cp",
                looker.tools() + File.pathSeparator + System.getProperty("java.class.path"),
                Victim.class.getName(),
                Integer.toString(feature(java) >= VIRTUAL_THREADS ? torment.virtual() : 0),
                Integer.toString(torment.platform()),
                Boolean.toString(looker.dumps())));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }

    private static int feature(String java) throws IOException {
        Process version = new ProcessBuilder(java, "--version").start();
        String text = new String(version.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return Integer.parseInt(text.replaceFirst("(?s)^\\S+ (\\d+).*", "$1"));
    }

    private static void awaitBeat(Process victim, Path output) throws IOException, InterruptedException {
        for (int i = 0; i < SECONDS_TO_END * 10 && victim.isAlive(); i++) {
            if (Files.readString(output).contains("alive")) {
                return;
            }
            Thread.sleep(100);
        }
        throw new IOException("the JVM does not start: " + latest(output));
    }

    private static String latest(Path output) throws IOException {
        List<String> lines = Files.readAllLines(output).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("SLF4J"))
                .toList();
        boolean hasCrashed = lines.stream().anyMatch(line -> line.contains("Problematic frame"));
        List<String> some = hasCrashed
                ? lines.stream()
                        .filter(line -> line.startsWith("# V") || line.contains("SIG"))
                        .toList()
                : lines.subList(
                        Math.max(
                                0,
                                lines.size() - (lines.isEmpty() || last(lines).startsWith("lost") ? 1 : LATEST)),
                        lines.size());
        return String.join("; ", some);
    }

    private static String last(List<String> lines) {
        return lines.get(lines.size() - 1);
    }
}
