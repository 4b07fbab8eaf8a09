package io.lifeguard.pool.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.tools.watch.Child;
import io.lifeguard.pool.tools.watch.JvmList;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.condition.OS;

/** What ps prints of one JVM among those that happen to run. */
@EnabledOnOs(OS.LINUX)
class PsCommandTest {

    private static final String STORY = "io.lifeguard.pool.tools.watch.Story";

    @Test
    void call_poolWithAQueueForALock_isSuspicious() throws Exception {
        try (Child child = Child.tell("monitor")) {
            Pattern row = Pattern.compile("^ *" + child.pid() + " +1 +\\d+  " + STORY + "$", Pattern.MULTILINE);
            String suspicion = "threads of pool 'orders' waiting for lock at " + STORY + ".underMonitor(Story.java:";
            Awaitility.await()
                    .atMost(Duration.ofMinutes(2))
                    .pollInSameThread()
                    .untilAsserted(() -> assertThat(ps()).containsPattern(row).contains(suspicion));
        }
    }

    /** They are not judged, so this is not "nothing is suspicious". */
    @Test
    void call_threadsOfNoKnownPoolInLine_saysThatTheyWereNotLookedAt() throws Exception {
        try (Child child = Child.tell("line-without-a-pool")) {
            Awaitility.await()
                    .atMost(Duration.ofMinutes(2))
                    .pollInSameThread()
                    .untilAsserted(() -> assertThat(linesFrom(child))
                            .anyMatch(line -> line.startsWith(
                                    "          ? busy threads belong to no known pool and are not" + " judged: "))
                            .anyMatch(line -> line.contains(" of 8 'crawler' wait in line at ")));
        }
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void call_virtualThreadsCompute_saysThatTheyWereNotLookedAt() throws Exception {
        try (Child child = Child.tell("virtual-computing")) {
            Awaitility.await()
                    .atMost(Duration.ofMinutes(2))
                    .pollInSameThread()
                    .untilAsserted(() -> assertThat(linesFrom(child))
                            .anyMatch(line -> line.matches(" {10}- of \\d+ carriers?, \\d+ ha(s|ve) a virtual thread"
                                    + ".* do was not looked at: 'lifeguard watch " + child.pid() + "' does that")));
        }
    }

    /** Egyptians write other digits, which no shell and no kill reads. */
    @Test
    void call_idlePoolAndLocaleWithOtherDigits_isNotSuspiciousAndHasTheUsualDigits() throws Exception {
        Locale before = Locale.getDefault(Locale.Category.FORMAT);
        Locale.setDefault(Locale.Category.FORMAT, Locale.forLanguageTag("ar-EG"));
        try (Child child = Child.tell("idle")) {
            List<String> lines = Awaitility.await()
                    .atMost(Duration.ofMinutes(2))
                    .pollInSameThread()
                    .until(() -> linesFrom(child), from -> from.get(0).matches(" *\\d+ +1 +\\d+  " + STORY));
            assertThat(lines.stream().skip(1).limit(1)).noneMatch(line -> line.contains("!"));
        } finally {
            Locale.setDefault(Locale.Category.FORMAT, before);
        }
    }

    /** Each takes a second or more, and mostly waits: 19 of them took 102 s one after the other. */
    @Test
    void call_severalJvms_areLookedAtSideBySide() throws Exception {
        AtomicLong most = new AtomicLong();
        AtomicBoolean isOver = new AtomicBoolean();
        Thread observer = new Thread(() -> {
            while (!isOver.get()) {
                long looking = Thread.getAllStackTraces().values().stream()
                        .filter(stack -> Arrays.stream(stack).anyMatch(PsCommandTest::isLook))
                        .count();
                most.accumulateAndGet(looking, Math::max);
            }
        });
        try (Child first = Child.tell("idle");
                Child second = Child.tell("idle")) {
            observer.start();
            assertThat(ps()).contains(first.pid() + " ", second.pid() + " ");
        } finally {
            isOver.set(true);
            observer.join();
        }
        assertThat(most.get()).isBetween(2L, 4L);
    }

    private static boolean isLook(StackTraceElement frame) {
        return frame.getClassName().equals(JvmList.class.getName())
                && frame.getMethodName().equals("look");
    }

    /** The row of a JVM, and what follows; one empty line when it is not there. */
    private static List<String> linesFrom(Child child) throws InterruptedException {
        List<String> lines = ps().lines()
                .dropWhile(line -> !line.strip().startsWith(child.pid() + " "))
                .toList();
        return lines.isEmpty() ? List.of("") : lines;
    }

    /** Others may run here that cannot be looked at, so the exit code says nothing. */
    private static String ps() throws InterruptedException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream errors = new PrintStream(ByteArrayOutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        new PsCommand(new PrintStream(out, true, StandardCharsets.UTF_8), errors).call();
        return out.toString(StandardCharsets.UTF_8);
    }
}
