package io.lifeguard.pool.diagnosis;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes findings to the log. Confined to the monitor's thread. */
final class FindingLog implements FindingListener {

    private static final Logger LOG = LoggerFactory.getLogger("io.lifeguard.pool.diagnosis");

    @Override
    public void raised(Finding finding) {
        LOG.warn("pool '{}': {}. {}. [{}]", finding.pool(), finding.summary(), finding.advice(), finding.id());
    }

    @Override
    public void resolved(Finding finding) {
        LOG.info("pool '{}': resolved [{}]", finding.pool(), finding.id());
    }
}
