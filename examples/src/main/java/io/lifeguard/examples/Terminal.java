package io.lifeguard.examples;

import java.io.Console;
import java.io.PrintStream;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/**
 * Where a command prints: results to {@code out}, progress and complaints to {@code err}. As thread-safe as the two
 * streams are.
 *
 * @param out for what the user wants to keep
 * @param err for progress and errors
 * @param charset how both encode text
 * @param interactive whether a person watches, so that a line may be overwritten
 */
public record Terminal(PrintStream out, PrintStream err, Charset charset, boolean interactive) {

    /** Returns the terminal of this process. */
    public static Terminal system() {
        return new Terminal(
                System.out, System.err, charsetOfOut(), isInteractive(System.console(), System.getenv("TERM")));
    }

    /** Prints a text to {@code out}; what the charset cannot encode is spelled in ASCII. */
    public void print(String text) {
        out.print(
                charset.newEncoder().canEncode(text)
                        ? text
                        : text.replace("µ", "u").replace("…", "..."));
        out.flush();
    }

    /* Java 19 and later say it; before, the native encoding is used. */
    private static Charset charsetOfOut() {
        String name = System.getProperty("stdout.encoding", System.getProperty("native.encoding", "US-ASCII"));
        return Charset.isSupported(name) ? Charset.forName(name) : Charset.defaultCharset();
    }

    private static boolean isInteractive(@Nullable Console console, @Nullable String term) {
        return console != null && term != null && !term.equals("dumb") && isTerminal(console);
    }

    /* From Java 22 on there may be a Console although the streams are redirected; isTerminal() then tells. */
    private static boolean isTerminal(Console console) {
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException before22) {
            return true;
        } catch (ReflectiveOperationException unknown) {
            return false;
        }
    }
}
