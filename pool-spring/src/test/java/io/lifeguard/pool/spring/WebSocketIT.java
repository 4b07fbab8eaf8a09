package io.lifeguard.pool.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lifeguard.pool.InstrumentedPool;
import io.lifeguard.pool.InstrumentedThreadPoolExecutor;
import io.lifeguard.pool.Pools;
import io.lifeguard.pool.diagnosis.PoolMonitor;
import java.lang.reflect.Type;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.messaging.converter.StringMessageConverter;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.handler.annotation.SendTo;
import org.springframework.messaging.simp.config.MessageBrokerRegistry;
import org.springframework.messaging.simp.stomp.StompFrameHandler;
import org.springframework.messaging.simp.stomp.StompHeaders;
import org.springframework.messaging.simp.stomp.StompSession;
import org.springframework.messaging.simp.stomp.StompSessionHandlerAdapter;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.stereotype.Controller;
import org.springframework.web.socket.client.standard.StandardWebSocketClient;
import org.springframework.web.socket.config.annotation.EnableWebSocketMessageBroker;
import org.springframework.web.socket.config.annotation.StompEndpointRegistry;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;
import org.springframework.web.socket.messaging.WebSocketStompClient;

/** WebSocket messages run on Boot's instrumented executor, or on Spring's executors, which are watched. */
class WebSocketIT {

    private static final List<String> CHANNELS =
            List.of("clientInboundChannelExecutor", "clientOutboundChannelExecutor", "brokerChannelExecutor");

    /** Sends a question, and returns the name of the thread that answered it. */
    private static String ask(WebApplication app) throws Exception {
        WebSocketStompClient client = new WebSocketStompClient(new StandardWebSocketClient());
        client.setMessageConverter(new StringMessageConverter());
        BlockingQueue<String> answers = new ArrayBlockingQueue<>(10);
        StompSession session = client.connectAsync(
                        "ws://127.0.0.1:" + app.port() + "/messages", new StompSessionHandlerAdapter() {})
                .get(20, TimeUnit.SECONDS);
        try {
            session.subscribe("/topic/answers", new StompFrameHandler() {
                @Override
                public Type getPayloadType(StompHeaders headers) {
                    return String.class;
                }

                @Override
                public void handleFrame(StompHeaders headers, Object payload) {
                    answers.add((String) payload);
                }
            });
            // The subscription may be later than the first question.
            await().until(() -> {
                session.send("/app/ask", "who?");
                String answer = answers.poll(1, TimeUnit.SECONDS);
                return answer != null && answers.offer(answer);
            });
            return answers.take();
        } finally {
            session.disconnect();
            client.stop();
        }
    }

    private static List<InstrumentedPool> watched(String bean) {
        return PoolMonitor.global().pools().stream()
                .filter(pool -> pool.name().equals(bean))
                .toList();
    }

    @Test
    void messages_onBootsExecutor_runOnTheInstrumentedPool() throws Exception {
        try (WebApplication app = WebApplication.start(Application.class, "spring.task.execution.mode=force")) {
            String thread = ask(app);

            for (String bean : CHANNELS.subList(0, 2)) {
                assertThat(app.context.getBean(bean)).isSameAs(app.context.getBean("applicationTaskExecutor"));
            }
            InstrumentedThreadPoolExecutor pool = (InstrumentedThreadPoolExecutor) app.context
                    .getBean("applicationTaskExecutor", ThreadPoolTaskExecutor.class)
                    .getThreadPoolExecutor();
            assertThat(thread).startsWith("task-");
            await().untilAsserted(() -> assertThat(pool.snapshot().completed()).isPositive());
            assertThat(pool.name()).startsWith("applicationTaskExecutor");
            assertThat(Pools.live())
                    .filteredOn(other -> other.name().startsWith("applicationTaskExecutor"))
                    .containsExactly(pool);
        }
    }

    /** WebSocket's executor beans make Boot's executor back off, with and without Lifeguard. */
    @Test
    void messages_onSpringsExecutors_areWatchedAndUnchanged() throws Exception {
        try (WebApplication app = WebApplication.start(Application.class)) {
            assertThat(app.context.containsBean("applicationTaskExecutor")).isFalse();
            assertThat(ask(app)).startsWith("clientInboundChannel-");

            for (String bean : CHANNELS) {
                assertThat(app.context.getBean(bean).getClass()).as(bean).isEqualTo(ThreadPoolTaskExecutor.class);
                assertThat(watched(bean)).as(bean).hasSize(1);
            }
            assertThat(app.context.getBean("messageBrokerTaskScheduler").getClass())
                    .isEqualTo(ThreadPoolTaskScheduler.class);
            assertThat(watched("messageBrokerTaskScheduler")).hasSize(1);
            for (String bean : List.of("clientInboundChannelExecutor", "clientOutboundChannelExecutor")) {
                await().untilAsserted(
                                () -> assertThat(watched(bean).get(0).snapshot().completed())
                                        .as(bean)
                                        .isPositive());
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableWebSocketMessageBroker
    @Controller
    static class Application implements WebSocketMessageBrokerConfigurer {
        @Override
        public void registerStompEndpoints(StompEndpointRegistry registry) {
            registry.addEndpoint("/messages");
        }

        @Override
        public void configureMessageBroker(MessageBrokerRegistry registry) {
            registry.enableSimpleBroker("/topic");
            registry.setApplicationDestinationPrefixes("/app");
        }

        @MessageMapping("/ask")
        @SendTo("/topic/answers")
        String answer() {
            return Thread.currentThread().getName();
        }
    }
}
