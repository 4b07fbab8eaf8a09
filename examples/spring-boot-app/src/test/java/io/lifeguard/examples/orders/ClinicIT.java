package io.lifeguard.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** One sickness, and what is to be seen of a healthy application. */
class ClinicIT {

    private static Clinic clinic;

    @BeforeAll
    static void open() {
        clinic = Clinic.open("clinic");
    }

    @AfterAll
    static void close() {
        clinic.close();
    }

    @Test
    void order_placed_isConfirmedByBootsOwnPool() {
        RunningApplication shop = clinic.application();

        assertThat(shop.post("/orders", "{\"request\":\"one\",\"item\":\"buoy\",\"quantity\":1}")
                        .body())
                .contains("\"request\":\"one\"");

        assertThat(shop.get("/orders/1/delivery").body()).contains("\"calculatedBy\":\"task-");
        if (!System.getProperty("app.args", "").contains("spring.threads.virtual.enabled=true")) {
            assertThat(shop.get("/actuator/threadpools/applicationTaskExecutor").statusCode())
                    .isEqualTo(200);
            assertThat(shop.get("/actuator/prometheus").body())
                    .containsPattern("executor_completed_tasks_total\\{[^}]*name=\"applicationTaskExecutor\"");
        }
    }

    @Test
    void sickness_begunAndCured_isSeenInLogEndpointMetricsAndHealth() {
        clinic.infect("dispatcher-runs-tasks");
        clinic.cure("dispatcher-runs-tasks");
    }

    @Test
    void sickness_unknown_isNotFound() {
        assertThat(clinic.application().post("/sickness/flu", "").statusCode()).isEqualTo(404);
    }
}
