package io.lifeguard.pool.micrometer;

import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.step.StepMeterRegistry;
import io.micrometer.core.instrument.step.StepRegistryConfig;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A registry that publishes in steps, on a clock that a test advances. */
final class StepRegistry extends StepMeterRegistry {

    private final Duration step;
    private final MockClock clock;

    StepRegistry(Duration step) {
        this(step, new MockClock());
    }

    private StepRegistry(Duration step, MockClock clock) {
        super(new Config(step), clock);
        this.step = step;
        this.clock = clock;
    }

    /**
     * Does what a real registry does by itself: reads all counts, begins the next step, and reads again to close the
     * last.
     */
    void endStep() {
        readCounts();
        clock.add(step);
        readCounts();
    }

    private void readCounts() {
        getMeters()
                .forEach(meter -> meter.match(
                        each -> 0.0,
                        each -> each.count(),
                        each -> 0.0,
                        each -> 0.0,
                        each -> 0.0,
                        each -> 0.0,
                        each -> each.count(),
                        each -> each.count(),
                        each -> 0.0));
    }

    @Override
    protected void publish() {}

    @Override
    protected TimeUnit getBaseTimeUnit() {
        return TimeUnit.MILLISECONDS;
    }

    private record Config(Duration step) implements StepRegistryConfig {
        @Override
        public String prefix() {
            return "test";
        }

        @Override
        public String get(String key) {
            return null;
        }
    }
}
