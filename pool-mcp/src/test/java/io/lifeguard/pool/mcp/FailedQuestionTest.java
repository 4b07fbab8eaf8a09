package io.lifeguard.pool.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifeguard.pool.tools.jvm.CannotLookException;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An agent gets an answer to each question, also where the server fails. */
class FailedQuestionTest {

    /** The SDK takes such errors for the end of its thread, and never answers. */
    @Test
    void answer_memoryIsFull_isRefusedWithTheRemedy() {
        assertThat(refusal(new OutOfMemoryError("Java heap space"))).contains("memory", "-Xmx");
        assertThat(refusal(new StackOverflowError())).contains("StackOverflowError");
    }

    /** The text of an exception may come from a file or a JVM. */
    @Test
    void answer_questionThrows_isRefusedInABoundedAnswer() {
        String text = refusal(new IllegalStateException("a\u202eb".repeat(10_000)));

        assertThat(text).contains("IllegalStateException").doesNotContain("\u202e");
        assertThat(text.length()).isLessThanOrEqualTo(Answer.MOST_BYTES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/dev/zero", "/proc/self/fd"})
    @EnabledOnOs(OS.LINUX)
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void judge_noRegularFile_isRefusedUnread(String file) {
        assertThatThrownBy(() -> FileJudge.judge(Path.of(file)))
                .isInstanceOf(CannotLookException.class)
                .hasMessageContaining("is no file that can be read to its end");
    }

    private static String refusal(Throwable failure) {
        CallToolResult result = LifeguardMcp.answer(
                arguments -> throwing(failure), new CallToolRequest("a", Map.of()), Answer.MOST_BYTES);

        assertThat(result.isError()).isTrue();
        assertThat(result.content()).hasSize(1);
        return result.content().get(0).toString();
    }

    private static Map<String, Object> throwing(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) failure;
    }
}
