package io.lifeguard.pool.spring;

import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextType;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Import;

/**
 * Has the request threads of the server behind {@code management.server.port} watched too: its context takes no customizers from the
 * application's.
 */
@ManagementContextConfiguration(value = ManagementContextType.CHILD, proxyBeanMethods = false)
@ConditionalOnBean(WebServerPools.class)
@Import({
    LifeguardWebServerAutoConfiguration.Boot3Tomcat.class,
    LifeguardWebServerAutoConfiguration.Boot4Tomcat.class,
    LifeguardWebServerAutoConfiguration.Boot3Jetty.class,
    LifeguardWebServerAutoConfiguration.Boot4Jetty.class
})
class LifeguardManagementConfiguration {}
