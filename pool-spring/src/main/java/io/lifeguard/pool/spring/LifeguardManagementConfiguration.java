package io.lifeguard.pool.spring;

import io.lifeguard.pool.spring.web.WebServerCustomizers;
import io.lifeguard.pool.spring.web.WebServerPools;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextType;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Import;

/**
 * Watches the request threads of the server behind {@code management.server.port} too. The context of that server does
 * not use the customizers of the application's context.
 */
@ManagementContextConfiguration(value = ManagementContextType.CHILD, proxyBeanMethods = false)
@ConditionalOnBean(WebServerPools.class)
@Import(WebServerCustomizers.class)
class LifeguardManagementConfiguration {}
