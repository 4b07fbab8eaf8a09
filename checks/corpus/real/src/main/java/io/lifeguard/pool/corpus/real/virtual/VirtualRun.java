package io.lifeguard.pool.corpus.real.virtual;

import com.fasterxml.jackson.databind.JsonNode;
import io.lifeguard.pool.corpus.looks.Course;
import io.lifeguard.pool.corpus.looks.Look;
import io.lifeguard.pool.corpus.looks.Standing;
import io.lifeguard.pool.corpus.looks.Watcher;
import io.lifeguard.pool.corpus.real.systems.Stage;
import io.lifeguard.pool.corpus.work.HttpService;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import io.lifeguard.workbench.ChildJvm;
import io.lifeguard.workbench.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A run of a program, with what was said of it. Immutable.
 *
 * @param course the findings from beginning to end, and what else was printed
 * @param exitCode the exit code of the watcher; empty from inside
 */
record VirtualRun(Course course, OptionalInt exitCode) {

    /** How many requests of a program the service handles at a time. */
    private static final int SERVED = 256;

    private static final Duration STARTS_WITHIN = Duration.ofMinutes(4); // twelve JVMs start at once
    private static final Duration LIMIT_BEYOND_LENGTH = Duration.ofSeconds(60);

    /** Longer than the watcher needs on a busy machine, so that it never sees the end. */
    private static final Duration MARGIN = Duration.ofSeconds(40);

    /** {@return what a monitor in the program's JVM said} */
    static VirtualRun inside(VirtualProgram program, String java, Duration length) {
        return play(program, VirtualForkMain.INSIDE, java, length, jvm -> {
            jvm.await(length.plus(LIMIT_BEYOND_LENGTH));
            return new VirtualRun(Course.parse(jvm.output()), OptionalInt.empty());
        });
    }

    /**
     * {@return what {@code lifeguard watch} said of a program without the library}
     *
     * @param sick how long the program has been sick when the watcher is started
     */
    static VirtualRun outside(VirtualProgram program, String java, Duration sick, Duration length) {
        Duration played = sick.plus(length).plus(MARGIN);
        return play(program, VirtualForkMain.OUTSIDE, java, played, jvm -> {
            Waiting.nanos(sick.toNanos());
            return watch(jvm, length);
        });
    }

    private static VirtualRun watch(ChildJvm jvm, Duration length) throws IOException {
        long began = System.currentTimeMillis();
        List<Look> looks = new ArrayList<>();
        List<String> log = new ArrayList<>();
        try (Watcher watcher = Watcher.start(ChildJvm.java(), jvm.pid(), length)) {
            watcher.forEachLine(line -> {
                if (Watcher.isWindow(line)) {
                    looks.add(look(Watcher.parse(line), began));
                } else {
                    log.add(line);
                }
            });
            log.addAll(jvm.output());
            return new VirtualRun(new Course(looks, log), OptionalInt.of(watcher.exitCode()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the program was watched", e);
        }
    }

    private static Look look(JsonNode window, long began) {
        List<Standing> standing = new ArrayList<>();
        for (JsonNode pool : window.get("pools")) {
            for (JsonNode finding : pool.get("findings")) {
                standing.add(new Standing(
                        finding.get("id").asText(),
                        pool.get("name").asText(),
                        finding.has("recommendedSize")
                                ? OptionalInt.of(finding.get("recommendedSize").asInt())
                                : OptionalInt.empty(),
                        OptionalInt.of(pool.get("threads").asInt()),
                        finding.get("summary").asText() + " | "
                                + finding.path("advice").asText()));
            }
        }
        return new Look(Instant.parse(window.get("time").asText()).toEpochMilli() - began, standing);
    }

    private static VirtualRun play(VirtualProgram program, String side, String java, Duration length, Beside beside) {
        try (HttpService service = HttpService.start(SERVED);
                OldDatabase database = OldDatabase.start();
                Stage clients = new Stage(PoolMonitor.global());
                ChildJvm jvm = ChildJvm.start(
                        List.of(java),
                        options(side, service, database),
                        VirtualForkMain.class,
                        List.of(program.name(), side, Long.toString(length.toMillis())))) {
            awaitPlaying(jvm, clients, program);
            return beside.happen(jvm);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run " + program.name() + ": " + e.getMessage(), e);
        }
    }

    private static List<String> options(String side, HttpService service, OldDatabase database) {
        String address = service.url(0).toString().replaceFirst("[^/]*$", "");
        List<String> options = new ArrayList<>(List.of(
                "-D" + VirtualStage.SERVICE + "=" + address,
                "-D" + VirtualStage.DATABASE + "=" + database.port(),
                "--enable-native-access=ALL-UNNAMED"));
        if (side.equals(VirtualForkMain.OUTSIDE)) {
            options.add("-Dlifeguard.monitor=off");
        }
        return options;
    }

    /** Starts the clients as soon as the program asks for them, because it cannot work before. */
    private static void awaitPlaying(ChildJvm jvm, Stage clients, VirtualProgram program) throws IOException {
        Set<String> asked = new HashSet<>();
        long deadline = System.nanoTime() + STARTS_WITHIN.toNanos();
        while (true) {
            List<String> lines = jvm.output();
            for (String line : lines) {
                if (line.startsWith(VirtualStage.CLIENTS) && asked.add(line)) {
                    String[] words = line.split(" ", -1);
                    clients.visitors(
                            Integer.parseInt(words[3]),
                            Double.parseDouble(words[4]),
                            Integer.parseInt(words[1]),
                            words[2]);
                }
            }
            if (lines.contains(VirtualForkMain.PLAYING)) {
                return;
            }
            if (System.nanoTime() > deadline || lines.stream().anyMatch(line -> line.startsWith("\tat "))) {
                throw new IOException(program.name() + " does not start:\n" + String.join("\n", lines));
            }
            Waiting.millis(20);
        }
    }

    /** What happens while a program runs. */
    @FunctionalInterface
    private interface Beside {
        VirtualRun happen(ChildJvm jvm) throws IOException;
    }
}
