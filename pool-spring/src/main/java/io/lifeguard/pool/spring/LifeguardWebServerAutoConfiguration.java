package io.lifeguard.pool.spring;

import org.apache.coyote.AbstractProtocol;
import org.apache.coyote.ProtocolHandler;
import org.eclipse.jetty.server.Server;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Has the request threads of embedded servers watched. Boot's factories of servers have moved from 3.5 to 4: of each pair of nested
 * configurations the one whose type exists is used.
 */
@AutoConfiguration(after = LifeguardAutoConfiguration.class)
@ConditionalOnBean(value = BlindSpots.class, search = SearchStrategy.CURRENT) // not where Lifeguard is off, or excluded
@ConditionalOnSwitch("lifeguard.watch.web-server")
public final class LifeguardWebServerAutoConfiguration {

    /** Made by the container. */
    public LifeguardWebServerAutoConfiguration() {}

    @Bean
    WebServerPools lifeguardWebServerPools(BlindSpots blindSpots) {
        return new WebServerPools(blindSpots);
    }

    /** Boot 3.5, Tomcat. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(
            name = {
                "org.springframework.boot.web.embedded.tomcat.ConfigurableTomcatWebServerFactory",
                "org.apache.coyote.ProtocolHandler"
            })
    static class Boot3Tomcat {
        @Bean
        WebServerFactoryCustomizer<org.springframework.boot.web.embedded.tomcat.ConfigurableTomcatWebServerFactory>
                lifeguardTomcatCustomizer(WebServerPools pools) {
            return factory -> factory.addProtocolHandlerCustomizers(handler -> TomcatPools.willStart(pools, handler));
        }
    }

    /** Boot 4, Tomcat. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(
            name = {
                "org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory",
                "org.apache.coyote.ProtocolHandler"
            })
    static class Boot4Tomcat {
        @Bean
        WebServerFactoryCustomizer<org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory>
                lifeguardTomcatCustomizer(WebServerPools pools) {
            return factory -> factory.addProtocolHandlerCustomizers(handler -> TomcatPools.willStart(pools, handler));
        }
    }

    /** Boot 3.5, Jetty. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(
            name = {
                "org.springframework.boot.web.embedded.jetty.ConfigurableJettyWebServerFactory",
                "org.eclipse.jetty.server.Server"
            })
    static class Boot3Jetty {
        @Bean
        WebServerFactoryCustomizer<org.springframework.boot.web.embedded.jetty.ConfigurableJettyWebServerFactory>
                lifeguardJettyCustomizer(WebServerPools pools) {
            return factory -> factory.addServerCustomizers(server -> JettyPools.willStart(pools, server));
        }
    }

    /** Boot 4, Jetty. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(
            name = {
                "org.springframework.boot.jetty.ConfigurableJettyWebServerFactory",
                "org.eclipse.jetty.server.Server"
            })
    static class Boot4Jetty {
        @Bean
        WebServerFactoryCustomizer<org.springframework.boot.jetty.ConfigurableJettyWebServerFactory>
                lifeguardJettyCustomizer(WebServerPools pools) {
            return factory -> factory.addServerCustomizers(server -> JettyPools.willStart(pools, server));
        }
    }

    /** Apart, since a class cannot be introspected whose methods name types that are absent. */
    private static final class TomcatPools {
        private TomcatPools() {}

        static void willStart(WebServerPools pools, ProtocolHandler handler) {
            pools.willStart(() -> nameOf(handler), handler::getExecutor);
        }

        /** As the threads are called: without the quotes of an MBean's property, and without a port that was free when the server started. */
        private static String nameOf(ProtocolHandler handler) {
            if (!(handler instanceof AbstractProtocol<?> protocol)) {
                return "tomcat";
            }
            String name = protocol.getName().replace("\"", "");
            String freePort = "-" + protocol.getLocalPort();
            return protocol.getPort() == 0 && name.endsWith(freePort)
                    ? name.substring(0, name.length() - freePort.length())
                    : name;
        }
    }

    /** The same. */
    private static final class JettyPools {
        private JettyPools() {}

        static void willStart(WebServerPools pools, Server server) {
            pools.willStart(() -> "jetty", server::getThreadPool);
        }
    }
}
