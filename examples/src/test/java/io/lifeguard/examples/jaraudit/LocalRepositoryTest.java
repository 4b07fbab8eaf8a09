package io.lifeguard.examples.jaraudit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LocalRepositoryTest {

    @TempDir
    Path home;

    private final Properties properties = new Properties();

    @Test
    void directory_nothingSaid_isBelowHome() {
        assertThat(directory(Map.of())).isEqualTo(home.resolve(".m2/repository"));
    }

    @Test
    void directory_settings_areRead() throws IOException {
        settings("<settings xmlns='http://maven.apache.org/SETTINGS/1.0.0'><offline>true</offline>"
                + "<localRepository> ${user.home}/${env.PLACE}/${unknown} </localRepository></settings>");
        assertThat(directory(Map.of("PLACE", "jars"))).isEqualTo(home.resolve("jars/${unknown}"));
    }

    @Test
    void directory_settingsWithoutIt_isTheDefault() throws IOException {
        settings("<settings><!-- <localRepository>/x</localRepository> --></settings>");
        assertThat(directory(Map.of())).isEqualTo(home.resolve(".m2/repository"));
    }

    @Test
    void directory_brokenSettings_isTheDefault() throws IOException {
        settings("<settings><localRepository>");
        assertThat(directory(Map.of())).isEqualTo(home.resolve(".m2/repository"));
    }

    @Test
    void directory_mavenOptions_comeBeforeSettings() throws IOException {
        settings("<settings><localRepository>/from/settings</localRepository></settings>");
        Map<String, String> environment = Map.of("MAVEN_OPTS", "-Xmx1g -Dmaven.repo.local=/from/opts -ea");
        assertThat(directory(environment)).isEqualTo(Path.of("/from/opts"));
    }

    @Test
    void directory_quotedMavenArguments_comeBeforeOptions() {
        Map<String, String> environment = Map.of(
                "MAVEN_ARGS",
                "-q -Dmaven.repo.local=\"/from the/args\"",
                "MAVEN_OPTS",
                "-Dmaven.repo.local=/from/opts");
        assertThat(directory(environment)).isEqualTo(Path.of("/from the/args"));
    }

    @Test
    void directory_systemProperty_comesFirst() {
        properties.setProperty("maven.repo.local", "/from/property");
        assertThat(directory(Map.of("MAVEN_OPTS", "-Dmaven.repo.local=/from/opts")))
                .isEqualTo(Path.of("/from/property"));
    }

    private Path directory(Map<String, String> environment) {
        properties.setProperty("user.home", home.toString());
        return new LocalRepository(properties, environment).directory();
    }

    private void settings(String xml) throws IOException {
        Files.createDirectories(home.resolve(".m2"));
        Files.writeString(home.resolve(".m2/settings.xml"), xml);
    }
}
