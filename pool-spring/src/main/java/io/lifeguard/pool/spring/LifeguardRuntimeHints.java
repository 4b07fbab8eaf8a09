package io.lifeguard.pool.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;

/** What an image compiled ahead of time has to keep: the properties, what the endpoint returns, and the monitor's starter. Stateless. */
final class LifeguardRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        BindableRuntimeHintsRegistrar.forTypes(LifeguardProperties.class).registerHints(hints);
        new BindingReflectionHintsRegistrar()
                .registerReflectionHints(
                        hints.reflection(),
                        PoolViews.Overview.class,
                        PoolViews.Detail.class,
                        PoolViews.Findings.class,
                        PoolViews.Threads.class,
                        PoolViews.Resized.class);
        hints.reflection()
                .registerTypeIfPresent(
                        classLoader,
                        "io.lifeguard.pool.diagnosis.start.MonitorStarter",
                        MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS);
        hints.resources().registerPattern("META-INF/services/io.lifeguard.pool.*");
    }
}
