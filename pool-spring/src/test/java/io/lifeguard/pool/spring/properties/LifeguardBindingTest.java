package io.lifeguard.pool.spring.properties;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Properties are bound unless none is set. */
class LifeguardBindingTest {

    private static LifeguardProperties of(PropertySource<?> source) {
        StandardEnvironment environment = new StandardEnvironment();
        MutablePropertySources sources = environment.getPropertySources();
        sources.forEach(each -> sources.remove(each.getName()));
        sources.addFirst(source);
        return LifeguardBinding.of(new DefaultListableBeanFactory(), environment);
    }

    @Test
    void of_noProperty_equalsBoundDefaults() {
        LifeguardProperties properties =
                of(new MapPropertySource("others", Map.of("spring.application.name", "orders")));
        assertThat(properties)
                .isSameAs(LifeguardProperties.DEFAULTS)
                .isEqualTo(LifeguardBinding.bind(new StandardEnvironment()));
    }

    @Test
    void of_property_isBound() {
        assertThat(of(new MapPropertySource("lifeguard", Map.of("lifeguard.metrics.kinds", "7")))
                        .metrics()
                        .kinds())
                .isEqualTo(7);
    }

    @Test
    void of_environmentVariable_isBound() {
        assertThat(of(new SystemEnvironmentPropertySource("systemEnvironment", Map.of("LIFEGUARD_METRICS_KINDS", "7")))
                        .metrics()
                        .kinds())
                .isEqualTo(7);
    }

    /** A source whose keys cannot be listed, such as JNDI. */
    @Test
    void of_sourceThatCannotBeListed_isBound() {
        PropertySource<Object> source = new PropertySource<>("unlisted", new Object()) {
            @Override
            public Object getProperty(String name) {
                return name.equals("lifeguard.metrics.kinds") ? "7" : null;
            }
        };
        assertThat(of(source).metrics().kinds()).isEqualTo(7);
    }
}
