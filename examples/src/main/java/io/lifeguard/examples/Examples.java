package io.lifeguard.examples;

import io.lifeguard.examples.fleet.FleetEvents;
import io.lifeguard.examples.fleet.FleetMember;
import io.lifeguard.examples.fleet.FleetTelemetry;
import io.lifeguard.examples.jaraudit.JarAuditCommand;
import io.lifeguard.examples.stories.AllStories;
import java.util.ArrayList;
import java.util.List;

/** Runs an example by its name: {@code java -jar examples.jar <command> [arguments]}. Stateless. */
public final class Examples {

    private static final List<Command> COMMANDS = commands();

    private Examples() {}

    private static List<Command> commands() {
        List<Command> commands = new ArrayList<>(List.of(
                new JarAuditCommand(), new FleetMember(), new FleetEvents(), new FleetTelemetry(), new AllStories()));
        commands.addAll(AllStories.each());
        return List.copyOf(commands);
    }

    /** Runs the command named by the first argument and exits with its status. */
    public static void main(String[] arguments) {
        CleanStop stop = CleanStop.ofThisThread();
        int status;
        try {
            status = run(List.of(arguments), Terminal.system());
        } finally {
            stop.finished();
        }
        System.exit(status);
    }

    static int run(List<String> arguments, Terminal terminal) {
        if (arguments.isEmpty()) {
            terminal.err().print(usage());
            return Command.USAGE;
        }
        String name = arguments.get(0);
        if (List.of("--help", "-h", "help").contains(name)) {
            terminal.out().print(usage());
            return Command.OK;
        }
        for (Command command : COMMANDS) {
            if (command.name().equals(name)) {
                return command.run(arguments.subList(1, arguments.size()), terminal);
            }
        }
        terminal.err().printf("There is no example named \"%s\".%n%n%s", name.replaceAll("\\p{Cc}", "?"), usage());
        return Command.USAGE;
    }

    private static String usage() {
        StringBuilder text = new StringBuilder("Usage: java -jar examples.jar <command> [arguments]\n\nCommands:\n");
        for (Command command : COMMANDS) {
            text.append(String.format("  %-20s %s%n", command.name(), command.summary()));
        }
        return text.append("\n<command> --help prints its options.\n").toString();
    }
}
