package io.lifeguard.pool.corpus.run;

import io.lifeguard.pool.corpus.workloads.Workload;
import io.lifeguard.pool.mcp.LifeguardMcp;
import io.lifeguard.workbench.ChildJvm;
import io.lifeguard.workbench.Machine;
import io.lifeguard.workbench.Waiting;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Plays sick workloads on the JDK's pools, each in a JVM of its own, and asks {@code lifeguard-mcp.jar} about it as an
 * agent would: a look, and an explanation of the first finding. One thread only.
 *
 * @param seconds how long a look lasts at most
 */
public record Agent(int seconds) {

    private static final Duration SET_UP_AT_MOST = Duration.ofSeconds(30);

    /** The raw dump comes before the look, and both may wait for a CPU. */
    private static final Duration MARGIN = Duration.ofSeconds(15);

    /** Runs a workload once. The server is there before, as an agent's is. */
    public AgentOutcome run(Workload workload) {
        Duration played = Duration.ofSeconds(seconds).plus(MARGIN);
        List<String> arguments = List.of(workload.name(), Long.toString(played.toMillis()));
        List<AgentOutcome> outcomes = new ArrayList<>();
        try (McpSyncClient client = client()) {
            client.initialize();
            boolean isRun = new WorkloadJvm(workload, OutsideMain.class, 0, Machine.UNCHANGED)
                    .runDuring(arguments, jvm -> outcomes.add(ask(client, workload, jvm)));
            return isRun ? outcomes.get(0) : AgentOutcome.notRun(workload, WorkloadJvm.NO_QUOTA);
        } catch (UncheckedIOException e) {
            return AgentOutcome.notRun(workload, "it ended before it was looked at, on a machine without CPU time");
        }
    }

    private AgentOutcome ask(McpSyncClient client, Workload workload, ChildJvm target) throws IOException {
        awaitSetUp(target);
        int dumpBytes = dump(target.pid()).length;
        long began = System.nanoTime();
        List<String> answers = new ArrayList<>();
        answers.add(call(client, "look_at_jvm", Map.of("pid", target.pid(), "seconds", seconds)));
        Map<?, ?> look = McpJsonDefaults.getMapper().readValue(answers.get(0), Map.class);
        if (look.containsKey("refused")) {
            throw new IOException(String.valueOf(look.get("refused")));
        }
        if (look.get("findings") instanceof List<?> findings && !findings.isEmpty()) {
            Map<?, ?> first = AgentOutcome.preferred(workload, findings);
            answers.add(call(
                    client,
                    "explain_finding",
                    Map.of("look", look.get("look"), "finding", first.get("id"), "pool", first.get("pool"))));
        }
        return AgentOutcome.of(workload, answers, (System.nanoTime() - began) / 1e9, dumpBytes);
    }

    private static McpSyncClient client() {
        ServerParameters server = ServerParameters.builder(ChildJvm.java())
                .args("-cp", System.getProperty("java.class.path"), LifeguardMcp.class.getName())
                .build();
        return McpClient.sync(new StdioClientTransport(server, McpJsonDefaults.getMapper()))
                .requestTimeout(Duration.ofMinutes(2))
                .initializationTimeout(Duration.ofMinutes(2))
                .build();
    }

    private static String call(McpSyncClient client, String tool, Map<String, Object> arguments) {
        return ((TextContent) client.callTool(CallToolRequest.builder(tool)
                                .arguments(arguments)
                                .build())
                        .content()
                        .get(0))
                .text();
    }

    private static void awaitSetUp(ChildJvm target) throws IOException {
        long deadline = System.nanoTime() + SET_UP_AT_MOST.toNanos();
        while (!target.output().contains(OutsideMain.PLAYING)) {
            if (System.nanoTime() > deadline) {
                throw new IOException("the workload is not set up:\n" + String.join("\n", target.output()));
            }
            Waiting.millis(20);
        }
    }

    /** What an agent would read otherwise. */
    private static byte[] dump(long pid) throws IOException {
        Process jcmd = new ProcessBuilder(
                        Path.of(ChildJvm.java()).resolveSibling("jcmd").toString(), Long.toString(pid), "Thread.print")
                .redirectErrorStream(true)
                .start();
        byte[] text = jcmd.getInputStream().readAllBytes();
        if (!new String(text, StandardCharsets.UTF_8).contains("Full thread dump")) {
            throw new IOException("no thread dump of " + pid + ": " + new String(text, StandardCharsets.UTF_8));
        }
        return text;
    }
}
