package io.lifeguard.pool.tools;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/** The version of the jar, and the commit that it was built from. Stateless. */
public final class JarVersion implements IVersionProvider {

    @Override
    public String[] getVersion() {
        return new String[] {"lifeguard " + number() + ", commit " + commit()};
    }

    /** The version alone. */
    public static String number() {
        return Objects.requireNonNullElse(
                JarVersion.class.getPackage().getImplementationVersion(), "(not started from a jar)");
    }

    /** The first digits of the commit's id, {@code unknown} if the jar was not built in a clone. */
    private static String commit() {
        try (InputStream resource = JarVersion.class.getResourceAsStream("commit")) {
            return new String(
                            Objects.requireNonNull(resource, "resource commit").readAllBytes(), US_ASCII)
                    .strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
