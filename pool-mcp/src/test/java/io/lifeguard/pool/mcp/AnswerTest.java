package io.lifeguard.pool.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** However much was seen, an answer is short. */
class AnswerTest {

    @Test
    void text_shortAnswer_isWhole() {
        assertThat(Answer.text(Map.of("a", List.of(1, 2.5, true, "b")))).isEqualTo("{\"a\":[1,2.5,true,\"b\"]}");
    }

    @Test
    void text_manyLongTexts_isShortenedAndSaysSo() {
        Map<String, Object> pool = Map.of("name", "x".repeat(5000), "more", Collections.nCopies(50, "y".repeat(300)));

        String text = Answer.text(Map.of("pools", Collections.nCopies(500, pool)));

        assertThat(text).hasSizeLessThanOrEqualTo(Answer.MOST_BYTES).contains("\"shortened\":\"at most ");
    }

    /** Each character of another alphabet takes six bytes in ASCII. */
    @Test
    void text_otherAlphabets_countInBytes() {
        assertThat(Answer.text(Map.of("names", Collections.nCopies(20, "\u6c60".repeat(600)))))
                .hasSizeLessThanOrEqualTo(Answer.MOST_BYTES);
    }

    @Test
    void text_invisibleCharacters_areEscaped() {
        assertThat(Answer.text(Map.of("name", "a\u202eb\nc"))).isEqualTo("{\"name\":\"a\\\\u202eb\\\\u000ac\"}");
    }

    @Test
    void text_tooManyFields_isRefused() {
        Map<String, Object> many = new HashMap<>();
        for (int i = 0; i < 1000; i++) {
            many.put("field" + i, i);
        }
        assertThat(Answer.text(many)).contains("refused");
    }
}
