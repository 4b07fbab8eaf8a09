package io.lifeguard.pool.agent;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
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

    private final Path path;
    private final JarFile jar; // open until this loader is closed

    InsideLoader(Path path) throws IOException {
        super("lifeguard-agent", getPlatformClassLoader());
        this.path = path;
        this.jar = new JarFile(path.toFile());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        JarEntry entry = entry(name.replace('.', '/') + ".class");
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

    private @Nullable JarEntry entry(String name) {
        try {
            return jar.getJarEntry(name.startsWith(OWN) ? name : FOLDER + name);
        } catch (IllegalStateException ignored) { // closed: a thread of the library that ends asks for one more class
            return null;
        }
    }

    @Override
    protected @Nullable URL findResource(String name) {
        JarEntry entry = entry(name);
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

    /** Gives the jar's descriptor back. Classes that are not loaded yet are no longer found. */
    void close() {
        try {
            jar.close();
        } catch (IOException ignored) { // it was only read
            return;
        }
    }
}
