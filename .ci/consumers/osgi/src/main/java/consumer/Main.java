package consumer;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.osgi.framework.Bundle;
import org.osgi.framework.Constants;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.launch.FrameworkFactory;

/** Starts Felix with the pool, its monitor and the consumer as bundles. The framework itself provides SLF4J. */
public final class Main {

    public static void main(String[] jars) throws Exception {
        Path cache = Files.createTempDirectory("felix");
        Framework framework = ServiceLoader.load(FrameworkFactory.class)
                .findFirst()
                .orElseThrow()
                .newFramework(Map.of(
                        Constants.FRAMEWORK_STORAGE,
                        cache.toString(),
                        Constants.FRAMEWORK_SYSTEMPACKAGES_EXTRA,
                        "org.slf4j;version=2.0.20,org.slf4j.event;version=2.0.20,org.slf4j.spi;version=2.0.20"));
        framework.start();
        List<Bundle> bundles = new ArrayList<>();
        for (String jar : jars) {
            bundles.add(framework.getBundleContext().installBundle(new File(jar).toURI().toString()));
        }
        for (Bundle bundle : bundles) {
            if (bundle.getHeaders().get(Constants.FRAGMENT_HOST) == null) {
                bundle.start();
            }
        }
        framework.stop();
        framework.waitForStop(30_000);
        try (Stream<Path> files = Files.walk(cache)) {
            files.map(Path::toFile).sorted((one, other) -> other.compareTo(one)).forEach(File::delete);
        }
    }
}
