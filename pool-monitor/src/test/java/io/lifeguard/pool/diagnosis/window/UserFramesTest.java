package io.lifeguard.pool.diagnosis.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UserFramesTest {

    private static final StackTraceElement OWN = new StackTraceElement("com.example.Shop", "basket", "Shop.java", 81);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "com.example.Stock$$QuarkusRestClientInterface",
                "com.example.Itself$Intercepted",
                "com.example.$Shop$Definition$Exec"
            })
    void place_generatedClassAboveTheUsersOwn_isTheUsersOwn(String generated) {
        StackTraceElement above = new StackTraceElement(generated, "stock", null, -1);

        assertThat(UserFrames.place(List.of(above, OWN))).isEqualTo("com.example.Shop.basket(Shop.java:81)");
    }
}
