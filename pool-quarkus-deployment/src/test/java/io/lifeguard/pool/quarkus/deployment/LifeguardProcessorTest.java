package io.lifeguard.pool.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.deployment.Capabilities;
import io.quarkus.deployment.Capability;
import io.quarkus.devui.spi.page.CardPageBuildItem;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LifeguardProcessorTest {

    private static final String ROOT = "quarkus.http.root-path";

    @AfterEach
    void forget() {
        System.clearProperty(ROOT);
    }

    @Test
    void card_withAHealthCheck_leadsToItWhereverItIs() {
        assertThat(card(Set.of(Capability.SMALLRYE_HEALTH))).isEqualTo("/q/health/well");

        System.setProperty(ROOT, "/shop");
        assertThat(card(Set.of(Capability.SMALLRYE_HEALTH))).isEqualTo("/shop/q/health/well");
    }

    @Test
    void card_withoutAHealthCheck_isNone() {
        assertThat(card(Set.of())).isEmpty();
    }

    private static String card(Set<String> capabilities) {
        List<CardPageBuildItem> cards = new ArrayList<>();
        new LifeguardProcessor().card(new Capabilities(capabilities), cards::add);
        return cards.stream()
                .flatMap(card -> card.getPages().stream())
                .map(page -> page.build().getMetadata().get("externalUrl"))
                .findFirst()
                .orElse("");
    }
}
