package io.lifeguard.pool.tools;

import io.lifeguard.pool.text.LogText;
import io.lifeguard.pool.tools.jvm.CannotLookException;
import io.lifeguard.pool.tools.jvm.Jcmd;
import io.lifeguard.pool.tools.watch.Target;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code attach}: has a running JVM load the agent, or end it. Not thread-safe. */
@Command(
        name = "attach",
        header = "Loads the agent into a running JVM, so that it watches its executors and logs what it finds.",
        description = {
            "",
            "The agent changes no class. It finds the executors by their threads, and says more than 'watch' can: how"
                    + " many tasks wait, which size is right. It stays until 'attach PID off', or until the JVM ends."
                    + " From Java 21 on the JVM warns of agents that are loaded later: start it with"
                    + " -XX:+EnableDynamicAgentLoading, or with -javaagent:lifeguard-agent.jar instead.",
            ""
        },
        exitCodeList = {"0:the JVM has loaded the agent, or ended it", "2:it could not"})
final class AttachCommand extends ToolCommand {

    /** The system property in which the agent leaves why it did not start. */
    private static final String REFUSAL = "lifeguard.agent.refusal";

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @Parameters(index = "0", paramLabel = "PID", description = "The JVM's process.")
    private long pid;

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "ARGUMENT",
            description = "The agent's arguments, such as window=500ms or page.port=8099; or off.")
    private List<String> arguments = List.of();

    @Option(
            names = "--agent",
            paramLabel = "JAR",
            description = "The agent. By default lifeguard-agent.jar beside this program's jar.")
    private @Nullable Path agent;

    AttachCommand(PrintStream out, PrintStream err) {
        super(out, err);
    }

    @Override
    public Integer call() {
        Target target = null;
        try {
            target = Target.of(pid); // says why a process cannot be asked
            Path jar = agent();
            String text = String.join(",", arguments);
            String answer = Jcmd.run(PATIENCE, pid, "JVMTI.agent_load", jar.toString(), '"' + text + '"');
            if (answer.lines().noneMatch(line -> line.strip().equals("return code: 0"))) {
                throw new CannotLookException("process " + pid + " did not take the agent: " + reason(answer, pid));
            }
            out.println(LogText.clean(
                    text.equals("off")
                            ? "process " + pid + " is no longer watched from inside"
                            : "process " + pid + " is watched from inside; findings go to its log, or to its standard"
                                    + " error where it has no SLF4J. 'lifeguard attach " + pid + " off' ends that."));
            return ExitCode.HEALTHY;
        } catch (CannotLookException e) {
            complain(e.sentence());
        } catch (IOException e) {
            String why = String.valueOf(e.getMessage());
            complain("process " + pid + " did not take the agent (" + LogText.clean(why) + "). "
                    + (target == null ? "" : target.silence(why) + " Start it with -javaagent instead."));
        }
        return ExitCode.COULD_NOT_LOOK;
    }

    static String reason(String answer, long pid) {
        if (answer.contains("libinstrument") || answer.contains("java.instrument")) {
            return "its Java runtime lacks the module java.instrument. Add it: jlink --add-modules"
                    + " java.instrument,java.management";
        }
        if (answer.contains("Dynamic agent loading is not enabled")) {
            return "it runs with -XX:-EnableDynamicAgentLoading, which forbids agents that come later. Start it with"
                    + " -javaagent:lifeguard-agent.jar, or without that option.";
        }
        return refusal(pid)
                .orElseGet(() -> "its standard error says why ("
                        + answer.lines().reduce((first, last) -> last).orElse("no answer") + ").");
    }

    /** {@return what the agent itself has against it, such as a wrong argument; empty if it left no word} */
    private static Optional<String> refusal(long pid) {
        try {
            Properties properties = new Properties();
            properties.load(new StringReader(Jcmd.run(PATIENCE, pid, "VM.system_properties")));
            return Optional.ofNullable(properties.getProperty(REFUSAL));
        } catch (IOException | CannotLookException ignored) { // its standard error has it
            return Optional.empty();
        }
    }

    private Path agent() throws CannotLookException {
        Path jar = agent == null ? besideThisJar() : agent;
        if (jar == null || !Files.isReadable(jar)) {
            throw new CannotLookException("there is no agent " + (jar == null ? "beside this program" : jar)
                    + ": give its path with --agent lifeguard-agent.jar");
        }
        return jar.toAbsolutePath().normalize();
    }

    private static @Nullable Path besideThisJar() {
        CodeSource source = AttachCommand.class.getProtectionDomain().getCodeSource();
        try {
            return source == null ? null : Path.of(source.getLocation().toURI()).resolveSibling("lifeguard-agent.jar");
        } catch (URISyntaxException ignored) { // not started from a file
            return null;
        }
    }
}
