package io.lifeguard.pool.spring.web;

import io.lifeguard.pool.InstrumentedPool;
import java.util.concurrent.Executor;
import org.apache.coyote.AbstractProtocol;
import org.apache.coyote.ProtocolHandler;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.thread.ThreadPool;
import org.eclipse.jetty.util.thread.VirtualThreadPool;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Tells {@link WebServerPools} of each embedded server. Boot's server factories have moved from 3.5 to 4, so there are
 * two nested configurations for each server. The one whose factory exists is used.
 */
@Configuration(proxyBeanMethods = false)
public class WebServerCustomizers {

    /** Tomcat in Boot 3.5. */
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
            return factory -> {
                RequestCounter requests = new RequestCounter();
                factory.addEngineValves(requests);
                factory.addProtocolHandlerCustomizers(handler -> TomcatPools.add(pools, handler, requests));
            };
        }
    }

    /** Tomcat in Boot 4. */
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
            return factory -> {
                RequestCounter requests = new RequestCounter();
                factory.addEngineValves(requests);
                factory.addProtocolHandlerCustomizers(handler -> TomcatPools.add(pools, handler, requests));
            };
        }
    }

    /** Jetty in Boot 3.5. */
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
            return factory -> factory.addServerCustomizers(server -> JettyPools.add(pools, server));
        }
    }

    /** Jetty in Boot 4. */
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
            return factory -> factory.addServerCustomizers(server -> JettyPools.add(pools, server));
        }
    }

    /** A class of its own: the container reads the methods of configurations, which must not name absent types. */
    private static final class TomcatPools {
        private TomcatPools() {}

        static void add(WebServerPools pools, ProtocolHandler handler, RequestCounter requests) {
            if (pools.isMeasuring() && handler.getExecutor() instanceof VirtualThreadExecutor) {
                handler.setExecutor(pools.virtualThreads(nameOf(handler), "tomcat-handler-"));
            }
            pools.add(
                    () -> nameOf(handler),
                    handler::getExecutor,
                    () -> requests.of(handler),
                    "server.tomcat.threads.max");
        }

        /**
         * The prefix of the threads' names: without the quotes of an MBean's property, and without a port that the
         * server chose itself.
         */
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

    /** As above. */
    private static final class JettyPools {
        private JettyPools() {}

        static void add(WebServerPools pools, Server server) {
            if (pools.isMeasuring()
                    && server.getThreadPool() instanceof VirtualThreadPool pool
                    && pool.getVirtualThreadsExecutor() == null) {
                pool.setVirtualThreadsExecutor(pools.virtualThreads("jetty", "jetty-"));
            }
            JettyRequests requests = new JettyRequests();
            server.insertHandler(requests);
            pools.add(() -> "jetty", () -> executor(server), requests, "server.jetty.threads.max");
        }

        /** The measured executor behind Jetty's pool of virtual threads, if there is one. */
        private static @Nullable Executor executor(Server server) {
            ThreadPool pool = server.getThreadPool();
            return pool instanceof VirtualThreadPool threads
                            && threads.getVirtualThreadsExecutor() instanceof InstrumentedPool
                    ? threads.getVirtualThreadsExecutor()
                    : pool;
        }
    }
}
