package io.lifeguard.pool.diagnosis.seen;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
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

    @Test
    void place_unknownFrameworkAboveTheApplication_isTheApplications() {
        StackTraceElement framework = new StackTraceElement("org.unknown.Flow", "step", "Flow.java", 402);
        StackTraceElement neighbour = new StackTraceElement("com.example.stock.Cache", "get", "Cache.java", 7);
        assertThat(UserFrames.place(List.of(framework, OWN))).startsWith("org.unknown.Flow");

        UserFrames.addApplication(List.of("com.example.shop"));

        assertThat(UserFrames.place(List.of(framework, OWN))).isEqualTo("com.example.Shop.basket(Shop.java:81)");
        assertThat(UserFrames.place(List.of(neighbour, framework, OWN))).startsWith("com.example.stock.Cache");
        assertThat(UserFrames.place(List.of(framework))).startsWith("org.unknown.Flow");
        assertThat(UserFrames.place(List.of(framework, new StackTraceElement("org.springframework.A", "b", null, 1))))
                .startsWith("org.unknown.Flow");
    }
}
