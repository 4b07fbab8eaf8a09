package io.lifeguard.pool.agent;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import org.jspecify.annotations.Nullable;

/**
 * The Java agent that finds the executors of a JVM and watches them. It changes no class. Thread-safe.
 *
 * <pre>{@code
 * java -javaagent:lifeguard-agent.jar ...              from the start
 * java -jar lifeguard.jar attach PID                   later
 * java -jar lifeguard.jar attach PID off               and off again
 * }</pre>
 *
 * <p>The library is loaded by a class loader of its own, so the application and the agent may have different versions
 * of it and of SLF4J. The agent opens packages of {@code java.base} to that class loader, to walk from a thread to its
 * executor.
 *
 * <p>Its argument is {@code off}, or a list such as {@code window=1s,rules.oversized=false}.
 */
public final class LifeguardAgent {

    /** A system property: why the agent did not start, for {@code attach} to tell. Cleared by the next start. */
    private static final String REFUSAL = "lifeguard.agent.refusal";

    private static @Nullable InsideLoader running; // guarded by the class; null while the agent is off

    private LifeguardAgent() {}

    /**
     * Starts the agent with the JVM. An agent that cannot start says so on standard error, and the application goes on.
     *
     * @param arguments as described above; null or empty for the defaults
     * @param instrumentation of this JVM, not null
     */
    public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
        try {
            turn(arguments, instrumentation);
        } catch (Exception | LinkageError e) { // would end the JVM, and the application has done no wrong
            say(e);
        }
    }

    /**
     * Starts or ends the agent in a JVM that runs. A second start ends the first agent.
     *
     * @param arguments as described above; null or empty for the defaults
     * @param instrumentation of this JVM, not null
     * @throws Exception if the agent cannot start, so that whoever attached it is told; standard error says why
     */
    public static void agentmain(@Nullable String arguments, Instrumentation instrumentation) throws Exception {
        try {
            turn(arguments, instrumentation);
        } catch (Exception | LinkageError e) {
            say(e);
            throw e;
        }
    }

    private static synchronized void turn(@Nullable String arguments, Instrumentation instrumentation)
            throws Exception {
        String text = arguments == null ? "" : arguments.strip();
        System.clearProperty(REFUSAL);
        end(instrumentation);
        if (!text.equals("off")) {
            running = start(text, instrumentation);
        }
    }

    private static void say(Throwable e) {
        Throwable cause = e instanceof InvocationTargetException && e.getCause() != null ? e.getCause() : e;
        String why = cause instanceof IllegalArgumentException ? cause.getMessage() : cause.toString();
        System.err.println("lifeguard: the agent does not watch this JVM: " + why);
        System.setProperty(REFUSAL, String.valueOf(why));
    }

    private static void end(Instrumentation instrumentation) throws ReflectiveOperationException {
        InsideLoader before = running;
        running = null;
        if (before != null) {
            try {
                before.call("end", "", instrumentation);
            } finally {
                before.close();
            }
        }
    }

    private static InsideLoader start(String arguments, Instrumentation instrumentation) throws Exception {
        InsideLoader loader = new InsideLoader(jar());
        try {
            loader.call("start", arguments, instrumentation);
            return loader;
        } catch (Throwable e) {
            loader.close();
            throw e;
        }
    }

    private static Path jar() throws IOException, URISyntaxException {
        CodeSource source = LifeguardAgent.class.getProtectionDomain().getCodeSource();
        if (source == null) {
            throw new IOException("the agent must be a jar file (its classes have no source)");
        }
        return Path.of(source.getLocation().toURI());
    }
}
