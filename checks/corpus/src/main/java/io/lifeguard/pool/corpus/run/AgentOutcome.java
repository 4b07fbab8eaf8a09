package io.lifeguard.pool.corpus.run;

import io.lifeguard.pool.corpus.workloads.Workload;
import io.modelcontextprotocol.json.McpJsonDefaults;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What an agent was told of one workload. Immutable.
 *
 * @param workload the workload
 * @param verdict the look's verdict
 * @param found the ids of all findings, worst first
 * @param finding the first finding that the label requires; empty when none was told
 * @param unknowns how many things the answer says cannot be known
 * @param calls how many calls were made
 * @param bytes of all answers
 * @param seconds from the first question to the last answer
 * @param dumpBytes of one plain thread dump of the same program
 * @param notRun why it was not run; empty when it was
 */
public record AgentOutcome(
        Workload workload,
        String verdict,
        List<String> found,
        Optional<Map<?, ?>> finding,
        int unknowns,
        int calls,
        int bytes,
        double seconds,
        int dumpBytes,
        String notRun) {

    static AgentOutcome notRun(Workload workload, String why) {
        return new AgentOutcome(workload, "", List.of(), Optional.empty(), 0, 0, 0, 0, 0, why);
    }

    static AgentOutcome of(Workload workload, List<String> answers, double seconds, int dumpBytes) throws IOException {
        Map<?, ?> look = McpJsonDefaults.getMapper().readValue(answers.get(0), Map.class);
        List<?> findings = list(look, "findings");
        List<String> ids = new ArrayList<>();
        findings.forEach(each -> ids.add(String.valueOf(((Map<?, ?>) each).get("id"))));
        Optional<Map<?, ?>> right = findings.isEmpty()
                ? Optional.empty()
                : Optional.<Map<?, ?>>of(preferred(workload, findings))
                        .filter(each -> workload.must().contains(String.valueOf(each.get("id"))));
        return new AgentOutcome(
                workload,
                String.valueOf(look.get("verdict")),
                ids,
                right,
                list(look, "cannotBeKnown").size(),
                answers.size(),
                answers.stream()
                        .mapToInt(answer -> answer.getBytes(StandardCharsets.UTF_8).length)
                        .sum(),
                seconds,
                dumpBytes,
                "");
    }

    private static List<?> list(Map<?, ?> look, String name) {
        return look.get(name) instanceof List<?> list ? list : List.of();
    }

    /** The first finding that the label requires, otherwise the first one. */
    static Map<?, ?> preferred(Workload workload, List<?> findings) {
        for (Object each : findings) {
            if (each instanceof Map<?, ?> finding && workload.must().contains(String.valueOf(finding.get("id")))) {
                return finding;
            }
        }
        return (Map<?, ?>) findings.get(0);
    }

    /** Whether the place that the label gives is told; empty when it gives none. */
    public Optional<Boolean> isPlaceRight() {
        return workload.place()
                .map(place -> finding.map(Object::toString)
                        .filter(text -> text.contains(place))
                        .isPresent());
    }
}
