package io.lifeguard.examples.orders.load;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The command {@code load}: lets customers order from running instances, and prints the answers they got. Stateless.
 */
public final class LoadCommand {

    private static final String USAGE =
            "usage: load [--clients 200] [--seconds 60] [--pause-millis 100] [URL...]   (http://127.0.0.1:8080)";
    private static final int USAGE_ERROR = 2;

    private LoadCommand() {}

    /**
     * Runs the command.
     *
     * @return the exit code: 0 if every order was answered once, 1 if not, 2 if the arguments are wrong
     */
    public static int run(String[] arguments) {
        int clients = 200;
        int seconds = 60;
        int pauseMillis = 100;
        List<URI> instances = new ArrayList<>();
        try {
            for (int i = 0; i < arguments.length; i++) {
                switch (arguments[i]) {
                    case "--clients" -> clients = positive(arguments, ++i);
                    case "--seconds" -> seconds = positive(arguments, ++i);
                    case "--pause-millis" -> pauseMillis = positive(arguments, ++i);
                    default -> instances.add(URI.create(arguments[i]));
                }
            }
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.println(USAGE);
            return USAGE_ERROR;
        }
        if (instances.isEmpty()) {
            instances.add(URI.create("http://127.0.0.1:8080"));
        }
        Customers customers = new Customers(new RoundRobin(instances), Duration.ofMillis(pauseMillis));
        System.out.println(clients + " customers order from " + instances + " for " + seconds + " s");
        return order(customers, clients, Duration.ofSeconds(seconds));
    }

    private static int order(Customers customers, int clients, Duration howLong) {
        try {
            Answers answers = customers.order(clients, howLong, () -> {});
            System.out.println(answers);
            answers.examples().forEach(example -> System.out.println("  " + example));
            return answers.refused() + answers.answeredTwice() == 0 ? 0 : 1;
        } catch (Exception e) {
            System.err.println("the customers gave up: " + e);
            return 1;
        }
    }

    private static int positive(String[] arguments, int index) {
        String text = index < arguments.length ? arguments[index] : "";
        try {
            int number = Integer.parseInt(text);
            if (number >= 1) {
                return number;
            }
        } catch (NumberFormatException e) {
            // the message below covers this case
        }
        throw new IllegalArgumentException(arguments[index - 1] + " must be a number >= 1 (was \"" + text + "\")");
    }
}
