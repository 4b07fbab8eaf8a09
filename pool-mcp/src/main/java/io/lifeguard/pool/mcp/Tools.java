package io.lifeguard.pool.mcp;

import io.lifeguard.pool.diagnosis.Finding;
import io.lifeguard.pool.tools.jvm.CannotLookException;
import io.lifeguard.pool.tools.watch.JvmList;
import io.lifeguard.pool.tools.watch.JvmLooks;
import io.lifeguard.pool.tools.watch.PsJson;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What an agent can ask. Thread-safe.
 *
 * <p>No answer changes, starts or writes anything in a watched JVM, but for what any {@code jcmd} leaves: the JVM's own
 * socket for such requests and the thread that serves it.
 */
final class Tools {

    /** For all together. A quick look at each takes half a second, and more where CPUs are short. */
    private static final Duration LONGEST_LIST = Duration.ofSeconds(10);

    private final Looks looks = new Looks();

    /** Answers a question. */
    @FunctionalInterface
    interface Question {
        Map<String, Object> answer(Arguments arguments) throws CannotLookException, InterruptedException;
    }

    Map<String, Object> listJvms(Arguments arguments) throws CannotLookException, InterruptedException {
        String name = arguments.text("name", "");
        PsJson found = new PsJson();
        List<JvmList.Jvm> named =
                JvmList.all().stream().filter(jvm -> jvm.name().contains(name)).toList();
        JvmLooks.at(named, LONGEST_LIST, found::add);
        return found.sickestFirst();
    }

    Map<String, Object> lookAtJvm(Arguments arguments) throws CannotLookException, InterruptedException {
        long pid = arguments.number("pid", 1, Integer.MAX_VALUE);
        int seconds = Math.toIntExact(
                arguments.number("seconds", Looks.FEWEST_SECONDS, Looks.MOST_SECONDS, Looks.USUAL_SECONDS));
        return LookJson.of(looks.look(pid, seconds));
    }

    Map<String, Object> explainFinding(Arguments arguments) throws CannotLookException {
        Look look = looks.find(arguments.text("look"));
        String id = arguments.text("finding");
        String pool = arguments.text("pool", "");
        Finding finding = look.findings().stream()
                .filter(each ->
                        each.id().equals(id) && (pool.isEmpty() || each.pool().equals(pool)))
                .findFirst()
                .orElseThrow(() -> new CannotLookException("in " + look.name() + " there is no finding '" + id + "'"
                        + (pool.isEmpty() ? "" : " of pool '" + pool + "'") + ", only: "
                        + look.findings().stream().map(Finding::id).distinct().toList()));
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("look", look.name());
        json.put("finding", LookJson.longForm(finding));
        json.put("openQuestions", LookJson.openQuestions(finding));
        FindingPage.of(id).ifPresent(page -> {
            json.put("namesInTheEvidence", page.meanings(finding.evidence().keySet()));
            json.put("whatItMeans", page.section("What it means"));
            json.put("whatToDo", page.section("What to do"));
            json.put("whenItIsWrong", page.section("When it is wrong"));
        });
        return json;
    }

    Map<String, Object> judgeFile(Arguments arguments) throws CannotLookException {
        String file = arguments.text("path");
        try {
            return FileJudge.judge(Path.of(file));
        } catch (InvalidPathException e) {
            throw new CannotLookException("path is no path: " + e.getMessage());
        }
    }

    Map<String, Object> compareLooks(Arguments arguments) throws CannotLookException {
        return LookJson.comparison(looks.find(arguments.text("first")), looks.find(arguments.text("second")));
    }

    /** The arguments of a call, checked one by one. */
    record Arguments(Map<String, Object> values) {

        String text(String name) throws CannotLookException {
            String text = text(name, "");
            if (text.isEmpty()) {
                throw new CannotLookException(name + " must be given, as text");
            }
            return text;
        }

        String text(String name, String otherwise) throws CannotLookException {
            Object value = values.getOrDefault(name, otherwise);
            if (!(value instanceof String text)) {
                throw new CannotLookException(name + " must be text (was " + value + ")");
            }
            return text;
        }

        long number(String name, long least, long most) throws CannotLookException {
            if (!values.containsKey(name)) {
                throw new CannotLookException(name + " must be given, from " + least + " to " + most);
            }
            return number(name, least, most, least);
        }

        long number(String name, long least, long most, long otherwise) throws CannotLookException {
            Object value = Objects.requireNonNullElse(values.get(name), otherwise);
            if (!(value instanceof Number number)
                    || number.doubleValue() != number.longValue()
                    || number.longValue() < least
                    || number.longValue() > most) {
                throw new CannotLookException(
                        name + " must be a whole number from " + least + " to " + most + " (was " + value + ")");
            }
            return number.longValue();
        }
    }
}
