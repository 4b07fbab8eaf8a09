package io.lifeguard.examples.stories;

import io.lifeguard.examples.Arguments;
import io.lifeguard.examples.Command;
import io.lifeguard.examples.Lookout;
import io.lifeguard.examples.Terminal;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A story that can be run from the command line. Implementations are stateless. */
abstract class Story implements Command {

    /** The exit status of a story in which the lifeguard did not find the problem. */
    static final int NOTHING_FOUND = 3;

    private final String name;
    private final String summary;

    Story(String name, String summary) {
        this.name = name;
        this.summary = summary;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final String summary() {
        return summary;
    }

    /** Prints before, finding, after and ratio. Returns whether the lifeguard found the problem. */
    abstract boolean tell(Stage stage, Options options) throws IOException, InterruptedException;

    /** Returns the monitor that watches the pools of the story. */
    Lookout lookout() {
        return Lookout.begin();
    }

    /** Returns the help for options that only this story has, one line each. */
    String moreUsage() {
        return "";
    }

    @Override
    public final int run(List<String> arguments, Terminal terminal) {
        Thread thread = Thread.currentThread();
        String threadName = thread.getName();
        thread.setName("dispatcher");
        try (Stage stage = new Stage(terminal, lookout())) {
            if (arguments.contains("--help")) {
                terminal.print(usage());
                return OK;
            }
            boolean isFound = tell(stage, Options.parse(arguments));
            stage.report(name);
            return isFound ? OK : NOTHING_FOUND;
        } catch (IllegalArgumentException e) {
            terminal.err().printf("%s: %s%nTry: %s --help%n", name, e.getMessage(), name);
            return USAGE;
        } catch (IOException e) {
            terminal.err().printf("%s: %s%n", name, e.getMessage());
            return FAILED;
        } catch (InterruptedException e) {
            terminal.err().printf("%s: interrupted%n", name);
            return INTERRUPTED;
        } finally {
            thread.setName(threadName);
        }
    }

    private String usage() {
        return String.format(
                "Usage: %s [--seconds N]%s%n%n%s.%n%n  --seconds N   how long each run takes, 2 to 600%n%s",
                name, moreUsage().isEmpty() ? "" : " [--call-millis N]", summary, moreUsage());
    }

    /**
     * The options of a story.
     *
     * @param seconds the length of each run; 0 if not given
     * @param callMillis the length of a call; 0 if not given
     */
    record Options(int seconds, int callMillis) {

        static Options parse(List<String> arguments) {
            int seconds = 0;
            int callMillis = 0;
            Arguments left = new Arguments(arguments);
            while (!left.isEmpty()) {
                String option = left.option();
                switch (option) {
                    case "--seconds" -> seconds = left.number(option, 2, 600);
                    case "--call-millis" -> callMillis = left.number(option, 1, 10_000);
                    default -> throw Arguments.unknown(option);
                }
            }
            return new Options(seconds, callMillis);
        }

        Duration secondsOr(int otherwise) {
            return Duration.ofSeconds(seconds == 0 ? otherwise : seconds);
        }

        Duration callOr(Duration otherwise) {
            return callMillis == 0 ? otherwise : Duration.ofMillis(callMillis);
        }
    }
}
