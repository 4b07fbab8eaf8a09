package io.lifeguard.pool.compat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** A class loader as an application server makes one per application: it has its own copy of a class of ours. */
final class ForeignLoader extends ClassLoader {

    ForeignLoader() {
        super(ForeignLoader.class.getClassLoader());
    }

    /** A task whose class this loader has defined. */
    static Runnable newTask() {
        try {
            return (Runnable) new ForeignLoader()
                    .define(ForeignTask.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private Class<?> define(Class<?> template) {
        String file = template.getName().replace('.', '/') + ".class";
        try (InputStream in = ForeignLoader.class.getClassLoader().getResourceAsStream(file)) {
            byte[] bytes = in.readAllBytes();
            return defineClass(template.getName(), bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
