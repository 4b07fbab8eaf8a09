package io.lifeguard.pool.spring;

import io.lifeguard.pool.spring.properties.LifeguardProperties;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;

/** Tells a native image to keep the properties, the monitor's starter and the parts of a report. Stateless. */
final class LifeguardRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        BindableRuntimeHintsRegistrar.forTypes(LifeguardProperties.class).registerHints(hints);
        hints.reflection()
                .registerTypeIfPresent(
                        classLoader,
                        "io.lifeguard.pool.diagnosis.start.MonitorStarter",
                        MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS);
        hints.resources().registerPattern("META-INF/services/io.lifeguard.pool.*");
        hints.resources().registerPattern("io/lifeguard/pool/report/drawing/*");
    }
}
