package io.lifeguard.pool.compat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** A class loader like that of an application server: each application has one, and its own copy of a class. */
final class ApplicationLoader extends ClassLoader {

    ApplicationLoader() {
        super(ApplicationLoader.class.getClassLoader());
    }

    /** A task whose class this loader has defined. */
    static Runnable newTask() {
        try {
            return (Runnable)
                    newClass(ApplicationTask.class).getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** A copy of the class that a new loader has defined. */
    static Class<?> newClass(Class<?> template) {
        return new ApplicationLoader().define(template);
    }

    private Class<?> define(Class<?> template) {
        String file = template.getName().replace('.', '/') + ".class";
        try (InputStream in = ApplicationLoader.class.getClassLoader().getResourceAsStream(file)) {
            byte[] bytes = in.readAllBytes();
            return defineClass(template.getName(), bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
