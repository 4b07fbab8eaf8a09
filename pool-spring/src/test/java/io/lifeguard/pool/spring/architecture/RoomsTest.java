package io.lifeguard.pool.spring.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.lifeguard.pool.spring.architecture.fixture.Harmless;
import io.lifeguard.pool.spring.architecture.fixture.UsesHikari;
import io.lifeguard.pool.spring.architecture.fixture.UsesMicrometer;
import io.lifeguard.pool.spring.architecture.fixture.UsesPools;
import io.lifeguard.pool.spring.architecture.fixture.UsesTomcat;
import io.lifeguard.pool.spring.architecture.fixture.executor.UsesWeb;
import io.lifeguard.pool.spring.architecture.fixture.monitor.UsesExecutor;
import io.lifeguard.pool.spring.architecture.fixture.properties.UsesMonitor;
import io.lifeguard.pool.spring.architecture.fixture.web.UsesEndpoint;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.net.URL;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The packages keep their rules, and each rule can fail. */
class RoomsTest {

    private static final String ROOT = "io.lifeguard.pool.spring";
    private static final Set<String> OURS =
            Set.of("io.lifeguard.pool", "io.lifeguard.pool.monitor", "io.lifeguard.pool.report");
    private static final Set<String> EACH_ONE =
            Set.of("io.lifeguard.pool", "io.lifeguard.pool.diagnosis", "io.lifeguard.pool.report");
    private static final JavaClasses MAIN =
            new ClassFileImporter(Set.of(new ImportOption.DoNotIncludeTests())).importPackages(ROOT);

    private static final String FIXTURE = Harmless.class.getPackageName();
    private static final JavaClasses OFFENDERS = new ClassFileImporter().importPackages(FIXTURE);

    @ParameterizedTest
    @MethodSource("rules")
    void rule_mainClasses_isKept(ArchRule rule) {
        assertThat(MAIN).hasSizeGreaterThan(30);
        rule.check(MAIN);
    }

    @ParameterizedTest
    @MethodSource("offences")
    void rule_classThatBreaksIt_isReported(ArchRule rule, Class<?> offender) {
        assertThat(rule.evaluate(OFFENDERS).getFailureReport().getDetails())
                .anySatisfy(line -> assertThat(line).contains(offender.getName()))
                .noneSatisfy(line -> assertThat(line).contains(Harmless.class.getName()));
    }

    static Stream<ArchRule> rules() throws IOException {
        Rooms rooms = new Rooms(ROOT);
        Set<String> exported = exportedToThisModule();
        exported.add("io.lifeguard.pool.micrometer");
        exported.add("io.lifeguard.pool.otel");
        return Stream.of(
                rooms.packagesFormNoCycle(),
                rooms.propertiesUseNoOtherPackage(),
                rooms.monitorUsesPropertiesOnly(),
                rooms.connectionUsesNoOtherPackage(),
                rooms.onlyConnectionUsesConnectionPools(),
                rooms.executorUsesPropertiesAndMonitorOnly(),
                rooms.webUsesPropertiesAndMonitorOnly(),
                rooms.endpointUsesPropertiesAndMonitorOnly(),
                rooms.onlyWebUsesServers(),
                rooms.onlyTwoClassesUseMicrometer(),
                rooms.usesOnly(exported));
    }

    static Stream<Arguments> offences() {
        Rooms rooms = new Rooms(FIXTURE);
        return Stream.of(
                arguments(rooms.packagesFormNoCycle(), UsesEndpoint.class),
                arguments(rooms.propertiesUseNoOtherPackage(), UsesMonitor.class),
                arguments(rooms.monitorUsesPropertiesOnly(), UsesExecutor.class),
                arguments(
                        rooms.connectionUsesNoOtherPackage(),
                        io.lifeguard.pool.spring.architecture.fixture.connection.UsesMonitor.class),
                arguments(rooms.onlyConnectionUsesConnectionPools(), UsesHikari.class),
                arguments(rooms.executorUsesPropertiesAndMonitorOnly(), UsesWeb.class),
                arguments(rooms.webUsesPropertiesAndMonitorOnly(), UsesEndpoint.class),
                arguments(
                        rooms.endpointUsesPropertiesAndMonitorOnly(),
                        io.lifeguard.pool.spring.architecture.fixture.endpoint.UsesWeb.class),
                arguments(rooms.onlyWebUsesServers(), UsesTomcat.class),
                arguments(rooms.onlyTwoClassesUseMicrometer(), UsesMicrometer.class),
                arguments(rooms.usesOnly(Set.of()), UsesPools.class));
    }

    /** The packages that {@code pool-core}, {@code pool-monitor} and {@code pool-report} export to this module. */
    private static Set<String> exportedToThisModule() throws IOException {
        Set<String> exported = new HashSet<>();
        for (URL url : Collections.list(RoomsTest.class.getClassLoader().getResources("module-info.class"))) {
            try (InputStream in = url.openStream()) {
                ModuleDescriptor module = ModuleDescriptor.read(in);
                if (OURS.contains(module.name())) {
                    module.exports().stream()
                            .filter(export ->
                                    !export.isQualified() || export.targets().contains(ROOT))
                            .forEach(export -> exported.add(export.source()));
                }
            }
        }
        assertThat(exported).as("packages exported by %s", OURS).containsAll(EACH_ONE);
        return exported;
    }
}
