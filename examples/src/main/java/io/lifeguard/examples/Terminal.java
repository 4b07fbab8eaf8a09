package io.lifeguard.examples;

import java.io.Console;
import java.io.PrintStream;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/**
 * The two streams that a command prints to. Results go to {@code out}, progress and errors to {@code err}. As
 * thread-safe as the two streams.
 *
 * @param out the stream for results
 * @param err the stream for progress and errors
 * @param charset the charset of both streams
 * @param interactive whether a person is watching, so that a line may be overwritten
 */
public record Terminal(PrintStream out, PrintStream err, Charset charset, boolean interactive) {

    /** Returns the terminal of this process. */
    public static Terminal system() {
        return new Terminal(
                System.out, System.err, charsetOfOut(), isInteractive(System.console(), System.getenv("TERM")));
    }

    /** Prints a text to {@code out}. Characters that the charset cannot encode are replaced by ASCII. */
    public void print(String text) {
        out.print(
                charset.newEncoder().canEncode(text)
                        ? text
                        : text.replace("µ", "u").replace("…", "..."));
        out.flush();
    }

    /* Java 19 and later name the charset of out; earlier versions use the native encoding. */
    private static Charset charsetOfOut() {
        String name = System.getProperty("stdout.encoding", System.getProperty("native.encoding", "US-ASCII"));
        return Charset.isSupported(name) ? Charset.forName(name) : Charset.defaultCharset();
    }

    private static boolean isInteractive(@Nullable Console console, @Nullable String term) {
        return console != null && term != null && !term.equals("dumb") && isTerminal(console);
    }

    /* From Java 22 on a Console exists even if the streams are redirected. Only isTerminal() then tells the truth. */
    private static boolean isTerminal(Console console) {
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException ignored) { // before Java 22
            return true;
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }
}
