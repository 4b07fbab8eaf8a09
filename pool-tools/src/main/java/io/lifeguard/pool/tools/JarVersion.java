package io.lifeguard.pool.tools;

import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/** The version of the jar. Stateless. */
final class JarVersion implements IVersionProvider {

    @Override
    public String[] getVersion() {
        String version = JarVersion.class.getPackage().getImplementationVersion();
        return new String[] {"lifeguard " + Objects.requireNonNullElse(version, "(not started from a jar)")};
    }
}
