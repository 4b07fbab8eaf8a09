package io.lifeguard.examples.jaraudit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * Finds the local Maven repository in the same places as Maven: the property {@code maven.repo.local}, the user's
 * settings, otherwise {@code ~/.m2/repository}. Immutable.
 */
final class LocalRepository {

    private static final String PROPERTY = "maven.repo.local";
    private static final Pattern ARGUMENT = Pattern.compile("(?:^|\\s)-D" + PROPERTY + "=(?:\"([^\"]+)\"|(\\S+))");

    private final Properties properties;
    private final Map<String, String> environment;

    LocalRepository(Properties properties, Map<String, String> environment) {
        this.properties = properties;
        this.environment = environment;
    }

    /** Returns the directory, which may not exist. */
    Path directory() {
        Path maven = Path.of(properties.getProperty("user.home", "."), ".m2");
        return Stream.of(
                        Optional.ofNullable(properties.getProperty(PROPERTY)),
                        argumentIn("MAVEN_ARGS"),
                        argumentIn("MAVEN_OPTS"),
                        settingIn(maven.resolve("settings.xml")).map(this::interpolate))
                .flatMap(Optional::stream)
                .filter(found -> !found.isBlank())
                .findFirst()
                .map(Path::of)
                .orElse(maven.resolve("repository"));
    }

    private Optional<String> argumentIn(String variable) {
        Matcher matcher = ARGUMENT.matcher(environment.getOrDefault(variable, ""));
        return matcher.find()
                ? Optional.of(matcher.group(1) != null ? matcher.group(1) : matcher.group(2))
                : Optional.empty();
    }

    /* Broken settings are ignored here, because Maven itself reports them. */
    private static Optional<String> settingIn(Path file) {
        if (!Files.isReadable(file)) {
            return Optional.empty();
        }
        XMLInputFactory factory = XMLInputFactory.newInstance();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        try (InputStream in = Files.newInputStream(file)) {
            return localRepository(factory.createXMLStreamReader(in));
        } catch (IOException | XMLStreamException ignored) {
            return Optional.empty();
        }
    }

    private static Optional<String> localRepository(XMLStreamReader xml) throws XMLStreamException {
        while (xml.hasNext()) {
            if (xml.next() == XMLStreamConstants.START_ELEMENT
                    && xml.getLocalName().equals("localRepository")) {
                return Optional.of(xml.getElementText().strip());
            }
        }
        return Optional.empty();
    }

    private String interpolate(String text) {
        return Pattern.compile("\\$\\{([^}]+)}").matcher(text).replaceAll(match -> {
            String value = valueOf(match.group(1));
            return Matcher.quoteReplacement(value == null ? match.group() : value);
        });
    }

    private @Nullable String valueOf(String name) {
        return name.startsWith("env.") ? environment.get(name.substring(4)) : properties.getProperty(name);
    }
}
