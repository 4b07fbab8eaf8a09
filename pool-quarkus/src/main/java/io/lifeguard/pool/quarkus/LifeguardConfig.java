package io.lifeguard.pool.quarkus;

import io.quarkus.runtime.annotations.ConfigPhase;
import io.quarkus.runtime.annotations.ConfigRoot;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** The properties below {@code quarkus.lifeguard}. All are read when the application starts. Immutable. */
@ConfigMapping(prefix = "quarkus.lifeguard")
@ConfigRoot(phase = ConfigPhase.RUN_TIME)
public interface LifeguardConfig {

    /** {@return whether the monitor watches this application} */
    @WithDefault("true")
    boolean enabled();

    /** {@return how long windows are at most; one second if it is not set} */
    Optional<Duration> window();

    /** {@return how often the log repeats a finding that lasts; one minute if it is not set} */
    Optional<Duration> logReminder();

    /** {@return where the minute before a critical finding is written; nowhere if it is not set} */
    Optional<Path> blackBoxDirectory();

    /** {@return which findings are on, by their ids; all others are on} */
    Map<String, Boolean> rules();

    /** {@return numbers that rules compare with, by their keys} */
    Map<String, Double> thresholds();
}
