package io.lifeguard.examples.jaraudit;

import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Lists the packages of the running JDK. Every JDK has more than 800 of them, even on a machine whose local Maven
 * repository is almost empty. Stateless.
 *
 * <p>The JDK serves its class files from a file system named {@code jrt}, so it needs no {@code jmods} directory.
 */
final class JdkPackages {

    private static final String FILE_SYSTEM = "jrt";

    private JdkPackages() {}

    /** Returns all packages of all modules, ordered by name. */
    static List<Jar> list() {
        FileSystem jdk = FileSystems.getFileSystem(URI.create(FILE_SYSTEM + ":/"));
        return ModuleFinder.ofSystem().findAll().stream()
                .flatMap(JdkPackages::directories)
                .sorted()
                .map(name -> new Jar(jdk.getPath("/modules", name), name))
                .filter(jar -> Files.isDirectory(jar.path()))
                .toList();
    }

    private static Stream<String> directories(ModuleReference module) {
        String name = module.descriptor().name();
        return module.descriptor().packages().stream().map(packageName -> name + "/" + packageName.replace('.', '/'));
    }

    /** Returns whether the path belongs to the running JDK, and not to a disk. */
    static boolean contains(Path path) {
        return path.getFileSystem().provider().getScheme().equals(FILE_SYSTEM);
    }
}
