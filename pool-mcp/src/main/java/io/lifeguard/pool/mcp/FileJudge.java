package io.lifeguard.pool.mcp;

import io.lifeguard.pool.tools.analyze.Analysis;
import io.lifeguard.pool.tools.analyze.AnalysisJson;
import io.lifeguard.pool.tools.dumps.ThreadDumps;
import io.lifeguard.pool.tools.jvm.CannotLookException;
import io.lifeguard.pool.tools.watch.JvmList;
import io.lifeguard.pool.tools.watch.PsJson;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Judges a flight recording, or a file of thread dumps. Stateless. */
final class FileJudge {

    private static final byte[] RECORDING = "FLR\0".getBytes(StandardCharsets.US_ASCII); // how such a file begins
    private static final int FEWEST_DUMPS = 3; // of which a suspicion is more than chance

    private FileJudge() {}

    /** {@return what is wrong in it} */
    static Map<String, Object> judge(Path file) throws CannotLookException {
        try {
            return isRecording(file) ? recording(file) : dumps(file);
        } catch (NoSuchFileException e) {
            throw new CannotLookException("there is no file '" + file + "' on the machine of this server");
        } catch (IOException e) {
            throw new CannotLookException("'" + file + "' cannot be read: " + e);
        }
    }

    private static boolean isRecording(Path file) throws IOException, CannotLookException {
        if (Files.exists(file) && !Files.isRegularFile(file)) { // a pipe or a device may have no end
            throw new CannotLookException("'" + file + "' is no file that can be read to its end");
        }
        try (InputStream in = Files.newInputStream(file)) {
            return Arrays.equals(in.readNBytes(RECORDING.length), RECORDING);
        }
    }

    private static Map<String, Object> recording(Path file) throws CannotLookException {
        Analysis analysis = Analysis.of(file);
        AnalysisJson all = new AnalysisJson();
        all.add(analysis);
        analysis.obstacle().ifPresent(why -> all.cannotLook(file, why));
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("kind", "flight recording");
        json.put("verdict", verdict(analysis.hasFindings(), analysis.obstacle().isPresent()));
        json.putAll(all.map());
        return json;
    }

    private static String verdict(boolean isFound, boolean isUnsure) {
        if (isFound) {
            return "found";
        }
        return isUnsure ? "not known: too little was recorded" : "nothing found";
    }

    /** A dump is one moment, so its cause is a suspicion only. A deadlock is certain. */
    private static Map<String, Object> dumps(Path file) throws IOException, CannotLookException {
        ThreadDumps dumps = ThreadDumps.read(file);
        int count = dumps.dumps().size();
        if (count == 0) {
            throw new CannotLookException("'" + file + "' is no flight recording and holds no thread dump");
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("kind", "thread dumps");
        json.put("dumps", count);
        json.put("deadlocks", parts(dumps, "deadlocks"));
        JvmList.suspicion(dumps.dumps()).ifPresent(suspicion -> {
            json.put("suspicion", PsJson.suspicion(suspicion));
            json.put(
                    "certainty",
                    count < FEWEST_DUMPS
                            ? "guess: " + count + " of at least " + FEWEST_DUMPS + " dumps; it may be one moment"
                            : "estimate: the same threads' group waits in all " + count + " dumps");
        });
        boolean isFound = !dumps.deadlocks().isEmpty() || json.containsKey("suspicion");
        json.put("verdict", verdict(isFound, true));
        json.put("locks", parts(dumps, "locks"));
        json.put("groups", parts(dumps, "groups"));
        List<String> unknown = new ArrayList<>(List.of(
                "sizes and gains: dumps count no tasks and no time",
                "how many tasks are queued",
                "CPU times and waits for a CPU"));
        unknown.addAll(dumps.doubts());
        unknown.addAll(dumps.problems());
        json.put("cannotBeKnown", unknown);
        return json;
    }

    private static Object parts(ThreadDumps dumps, String name) {
        return dumps.toMap().getOrDefault(name, List.of());
    }
}
