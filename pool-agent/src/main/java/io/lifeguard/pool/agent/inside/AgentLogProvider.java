package io.lifeguard.pool.agent.inside;

import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/** The provider of the SLF4J inside the agent: all loggers are {@link AgentLog}s. Stateless. */
public final class AgentLogProvider implements SLF4JServiceProvider {

    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final MDCAdapter mdc = new NOPMDCAdapter();

    /** Makes the provider, for {@link java.util.ServiceLoader}. */
    public AgentLogProvider() {}

    @Override
    public ILoggerFactory getLoggerFactory() {
        return AgentLog::new;
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return mdc;
    }

    @Override
    public @Nullable String getRequestedApiVersion() {
        return "2.0.99";
    }

    @Override
    public void initialize() {}
}
