package io.lifeguard.examples.orders;

import io.lifeguard.examples.orders.load.LoadCommand;
import java.util.Arrays;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;

/** Starts the web shop, or customers for it if the first argument is {@code load}. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableAsync
@EnableScheduling
public class OrdersApplication {

    /**
     * Starts the application or the customers.
     *
     * @param arguments {@code load} and the arguments of {@link LoadCommand}, or those of Spring Boot
     */
    public static void main(String[] arguments) {
        if (arguments.length > 0 && arguments[0].equals("load")) {
            System.exit(LoadCommand.run(Arrays.copyOfRange(arguments, 1, arguments.length)));
        }
        SpringApplication.run(OrdersApplication.class, arguments);
    }
}
