package io.lifeguard.pool.tools;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.lifeguard.pool.text.LogText;
import io.lifeguard.pool.tools.jvm.Priority;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.Set;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The program {@code lifeguard}: runs the command that its first argument names. Stateless.
 *
 * <p>To add a command, write its class and add it in {@link #run}.
 */
@Command(
        name = "lifeguard",
        description = "Says and shows what the threads of Java programs do.",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        footer = "%n'lifeguard COMMAND --help' describes a command.",
        mixinStandardHelpOptions = true,
        versionProvider = JarVersion.class)
public final class Lifeguard {

    /** Commands that look at running JVMs. */
    private static final Set<String> ON_JVMS = Set.of("watch", "ps");

    private Lifeguard() {}

    /** Runs a command and ends the JVM with its exit code. */
    public static void main(String[] arguments) {
        // The library logs by SLF4J, to nowhere here. SLF4J need not say so on standard error.
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        if (arguments.length > 0 && ON_JVMS.contains(arguments[0])) {
            Priority.allow();
            Priority.raiseIfCrowded();
        }
        System.exit(run(System.in, System.out, System.err, arguments));
    }

    /**
     * Runs a command.
     *
     * @return its {@link ExitCode}
     */
    static int run(InputStream in, PrintStream out, PrintStream err, String... arguments) {
        try {
            return execute(in, out, err, arguments);
        } catch (OutOfMemoryError e) { // otherwise the JVM ends with 1, which means that there were findings
            err.println("The memory of this command is full (" + e.getMessage()
                    + "). Give it more, for example with java -Xmx2g -jar lifeguard.jar");
            return ExitCode.COULD_NOT_LOOK;
        } catch (Error e) { // likewise, for instance in a Java runtime without the module jdk.jfr
            return reportBug(e, err);
        }
    }

    private static int execute(InputStream in, PrintStream out, PrintStream err, String... arguments) {
        return commandLine(in, out, err)
                .setParameterExceptionHandler((e, given) -> refuse(e, err))
                .setExecutionExceptionHandler((e, command, given) -> reportBug(e, err))
                .execute(arguments);
    }

    /** The program with all its commands; its man pages are made from this. */
    public static CommandLine commandLine(InputStream in, PrintStream out, PrintStream err) {
        CommandLine completion = new CommandLine(new GenerateCompletion()).setCommandName("completion");
        completion
                .getCommandSpec()
                .usageMessage()
                .description("Prints a script with which bash or zsh completes commands and options.");
        return new CommandLine(new Lifeguard())
                .addSubcommand(new PsCommand(out, err))
                .addSubcommand(new WatchCommand(out, err))
                .addSubcommand(new AttachCommand(out, err))
                .addSubcommand(new AnalyzeCommand(out, err))
                .addSubcommand(new DumpsCommand(in, out, err))
                .addSubcommand(new ReportCommand(out, err))
                .addSubcommand("completion", completion)
                .setOut(new PrintWriter(out, true, US_ASCII)) // for the texts of --help and --version
                .setErr(new PrintWriter(err, true, US_ASCII))
                .setExpandAtFiles(false); // a file's name may begin with @
    }

    private static int refuse(ParameterException e, PrintStream err) {
        CommandLine command = e.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        err.println(LogText.clean(name + ": " + reason(e, command)) + " Try '" + name + " --help'.");
        return ExitCode.COULD_NOT_LOOK;
    }

    private static int reportBug(Throwable e, PrintStream err) {
        e.printStackTrace(err);
        return ExitCode.COULD_NOT_LOOK;
    }

    private static String reason(ParameterException e, CommandLine command) {
        if (command.getSubcommands().isEmpty()) {
            return e.getMessage() + ".";
        }
        String commands = String.join(", ", command.getSubcommands().keySet());
        if (e instanceof UnmatchedArgumentException unmatched) {
            return "there is no command '" + unmatched.getUnmatched().get(0) + "', only: " + commands + ".";
        }
        return "a command is missing: " + commands + ".";
    }
}
