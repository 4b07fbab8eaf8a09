package io.lifeguard.pool.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The SDK's own client, with a server in a process of its own. */
final class Client implements AutoCloseable {

    private final McpSyncClient client;

    Client() {
        ServerParameters server = ServerParameters.builder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString())
                .args(
                        "-XX:TieredStopAtLevel=1", // it lives for seconds
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LifeguardMcp.class.getName())
                .build();
        client = McpClient.sync(new StdioClientTransport(server, McpJsonDefaults.getMapper()))
                .requestTimeout(Duration.ofMinutes(2))
                .initializationTimeout(Duration.ofMinutes(2))
                .build();
        client.initialize();
    }

    String instructions() {
        return client.getServerInstructions();
    }

    List<Tool> tools() {
        return client.listTools().tools();
    }

    /** Calls a tool that answers. */
    Map<?, ?> call(String tool, Map<String, Object> arguments) throws IOException {
        CallToolResult result = client.callTool(request(tool, arguments));
        assertThat(result.isError()).as(text(result)).isFalse();
        return McpJsonDefaults.getMapper().readValue(text(result), Map.class);
    }

    /** Calls a tool that refuses, and returns why. */
    String refusal(String tool, Map<String, Object> arguments) throws IOException {
        CallToolResult result = client.callTool(request(tool, arguments));
        assertThat(result.isError()).as(text(result)).isTrue();
        return text(result);
    }

    private static CallToolRequest request(String tool, Map<String, Object> arguments) {
        return CallToolRequest.builder(tool).arguments(arguments).build();
    }

    private static String text(CallToolResult result) {
        assertThat(result.content()).hasSize(1);
        String text = ((TextContent) result.content().get(0)).text();
        assertThat(text.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(Answer.MOST_BYTES);
        return text;
    }

    @Override
    public void close() {
        assertThat(client.closeGracefully()).isTrue();
    }
}
