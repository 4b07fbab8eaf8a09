package io.lifeguard.pool.agent;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.net.URL;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * The class loader of the agent's own copy of the library. Thread-safe.
 *
 * <p>It reads the folder {@code lifeguard-inside} of the agent's jar, and the package {@code inside} of the agent. Its
 * parent knows the JDK only, so neither sees the application's classes nor is seen by the application.
 */
final class InsideLoader extends ClassLoader {

    static {
        registerAsParallelCapable();
    }

    private static final String FOLDER = "lifeguard-inside/";
    private static final String OWN = "io/lifeguard/pool/agent/inside/";
    private static final String INSIDE = "io.lifeguard.pool.agent.inside.Lifeguard";

    private final Path path;
    private final ZipFile jar; // open until this loader is closed; a JarFile would read the manifest first

    InsideLoader(Path path) throws IOException {
        super("lifeguard-agent", getPlatformClassLoader());
        this.path = path;
        this.jar = new ZipFile(path.toFile());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        ZipEntry entry = entry(name.replace('.', '/') + ".class");
        if (entry == null) {
            throw new ClassNotFoundException(name);
        }
        try (InputStream in = jar.getInputStream(entry)) {
            byte[] bytes = in.readAllBytes();
            // The agent's own protection domain: what asks for a class's source gets the agent's jar.
            return defineClass(name, bytes, 0, bytes.length, InsideLoader.class.getProtectionDomain());
        } catch (IOException | IllegalStateException e) { // the latter after close
            throw new ClassNotFoundException(name, e);
        }
    }

    private @Nullable ZipEntry entry(String name) {
        try {
            return jar.getEntry(name.startsWith(OWN) ? name : FOLDER + name);
        } catch (IllegalStateException ignored) { // closed: a thread of the library that ends asks for one more class
            return null;
        }
    }

    @Override
    protected @Nullable URL findResource(String name) {
        ZipEntry entry = entry(name);
        try {
            return entry == null ? null : new URL("jar:" + path.toUri() + "!/" + entry.getName());
        } catch (IOException e) {
            throw new IllegalStateException("the path of the agent's jar makes no URL: " + path, e);
        }
    }

    @Override
    protected Enumeration<URL> findResources(String name) {
        URL only = findResource(name);
        return Collections.enumeration(only == null ? List.of() : List.of(only));
    }

    /**
     * Calls a method of the agent inside. It has the parameters of {@code premain}, because the JDK knows how to call
     * that already: other parameters would take 8 ms of CPU time in Java 25.
     */
    void call(String method, String arguments, Instrumentation instrumentation) throws ReflectiveOperationException {
        Class.forName(INSIDE, true, this)
                .getMethod(method, String.class, Instrumentation.class)
                .invoke(null, arguments, instrumentation);
    }

    /** Gives the jar's descriptor back. Classes that are not loaded yet are no longer found. */
    void close() {
        try {
            jar.close();
        } catch (IOException ignored) { // it was only read
            return;
        }
    }
}
