package io.lifeguard.compatibility;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.messaging.simp.config.ChannelRegistration;
import org.springframework.web.socket.config.annotation.DelegatingWebSocketMessageBrokerConfiguration;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;

/**
 * Stands in for {@code spring-boot-websocket}: messages from and to clients run on Boot's executor, if there is one.
 * Leaves out Boot's converters.
 */
@AutoConfiguration
@ConditionalOnClass(WebSocketMessageBrokerConfigurer.class)
@ConditionalOnBean(DelegatingWebSocketMessageBrokerConfiguration.class)
class BootsWebSocketMessaging implements WebSocketMessageBrokerConfigurer {

    private final ObjectProvider<AsyncTaskExecutor> executor;

    BootsWebSocketMessaging(
            @Qualifier(TaskExecutionAutoConfiguration.APPLICATION_TASK_EXECUTOR_BEAN_NAME)
                    ObjectProvider<AsyncTaskExecutor> executor) {
        this.executor = executor;
    }

    @Override
    public void configureClientInboundChannel(ChannelRegistration registration) {
        executor.ifAvailable(registration::executor);
    }

    @Override
    public void configureClientOutboundChannel(ChannelRegistration registration) {
        executor.ifAvailable(registration::executor);
    }
}
