package io.lifeguard.pool.spring;

import org.apache.coyote.AbstractProtocol;
import org.apache.coyote.ProtocolHandler;
import org.eclipse.jetty.server.Server;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Has the request threads of embedded servers watched. What Boot calls its customizers has moved from 3.5 to 4: of each pair of nested configurations the one
 * whose type exists is used.
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(
        name = {"lifeguard.enabled", "lifeguard.watch.web-server"},
        matchIfMissing = true)
public final class LifeguardWebServerAutoConfiguration {

    /** Made by the container. */
    public LifeguardWebServerAutoConfiguration() {}

    @Bean
    WebServerPools lifeguardWebServerPools() {
        return new WebServerPools();
    }

    private static void tomcatWillStart(WebServerPools pools, ProtocolHandler handler) {
        pools.willStart(() -> nameOf(handler), handler::getExecutor);
    }

    private static String nameOf(ProtocolHandler handler) {
        // the name of an MBean's property, hence quoted; threads are called without
        return handler instanceof AbstractProtocol<?> protocol
                ? protocol.getName().replace("\"", "")
                : "tomcat";
    }

    private static void jettyWillStart(WebServerPools pools, Server server) {
        pools.willStart(() -> "jetty", server::getThreadPool);
    }

    /** Boot 3.5, Tomcat. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(
            name = {
                "org.springframework.boot.web.embedded.tomcat.TomcatProtocolHandlerCustomizer",
                "org.apache.coyote.ProtocolHandler"
            })
    static class Boot3Tomcat {
        @Bean
        org.springframework.boot.web.embedded.tomcat.TomcatProtocolHandlerCustomizer<ProtocolHandler>
                lifeguardTomcatCustomizer(WebServerPools pools) {
            return handler -> tomcatWillStart(pools, handler);
        }
    }

    /** Boot 4, Tomcat. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(
            name = {
                "org.springframework.boot.tomcat.TomcatProtocolHandlerCustomizer",
                "org.apache.coyote.ProtocolHandler"
            })
    static class Boot4Tomcat {
        @Bean
        org.springframework.boot.tomcat.TomcatProtocolHandlerCustomizer<ProtocolHandler> lifeguardTomcatCustomizer(
                WebServerPools pools) {
            return handler -> tomcatWillStart(pools, handler);
        }
    }

    /** Boot 3.5, Jetty. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(
            name = {
                "org.springframework.boot.web.embedded.jetty.JettyServerCustomizer",
                "org.eclipse.jetty.server.Server"
            })
    static class Boot3Jetty {
        @Bean
        org.springframework.boot.web.embedded.jetty.JettyServerCustomizer lifeguardJettyCustomizer(
                WebServerPools pools) {
            return server -> jettyWillStart(pools, server);
        }
    }

    /** Boot 4, Jetty. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(
            name = {"org.springframework.boot.jetty.JettyServerCustomizer", "org.eclipse.jetty.server.Server"})
    static class Boot4Jetty {
        @Bean
        org.springframework.boot.jetty.JettyServerCustomizer lifeguardJettyCustomizer(WebServerPools pools) {
            return server -> jettyWillStart(pools, server);
        }
    }
}
