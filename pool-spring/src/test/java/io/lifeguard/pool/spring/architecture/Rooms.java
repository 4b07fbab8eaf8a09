package io.lifeguard.pool.spring.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.util.Set;

/**
 * The rules for the packages below a root. The root is a parameter, so that the rules can be tried on classes that
 * break them.
 */
record Rooms(String root) {

    /** Without package cycles, no cycle of classes crosses packages either. */
    ArchRule packagesFormNoCycle() {
        return SlicesRuleDefinition.slices().assignedFrom(packages()).should().beFreeOfCycles();
    }

    ArchRule propertiesUseNoOtherPackage() {
        return roomDoesNotUse(".properties", "", ".monitor", ".executor", ".web", ".endpoint");
    }

    ArchRule monitorUsesPropertiesOnly() {
        return roomDoesNotUse(".monitor", "", ".executor", ".web", ".endpoint", ".connection");
    }

    ArchRule connectionUsesNoOtherPackage() {
        return roomDoesNotUse(".connection", "", ".properties", ".monitor", ".executor", ".web", ".endpoint");
    }

    /** HikariCP, HttpClient and R2DBC may be absent. */
    ArchRule onlyConnectionUsesConnectionPools() {
        return noClasses()
                .that()
                .resideOutsideOfPackage(root + ".connection")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("com.zaxxer..", "org.apache.hc..", "io.r2dbc..");
    }

    ArchRule executorUsesPropertiesAndMonitorOnly() {
        return roomDoesNotUse(".executor", "", ".web", ".endpoint");
    }

    ArchRule webUsesPropertiesAndMonitorOnly() {
        return roomDoesNotUse(".web", "", ".executor", ".endpoint");
    }

    ArchRule endpointUsesPropertiesAndMonitorOnly() {
        return roomDoesNotUse(".endpoint", "", ".executor", ".web");
    }

    /** Tomcat and Jetty may be absent. */
    ArchRule onlyWebUsesServers() {
        return noClasses()
                .that()
                .resideOutsideOfPackage(root + ".web")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.apache.catalina..", "org.apache.coyote..", "org.apache.tomcat..", "org.eclipse..");
    }

    /** Micrometer may be absent. Reactor Netty tells of its pools by meters only. */
    ArchRule onlyTwoClassesUseMicrometer() {
        return noClasses()
                .that()
                .doNotHaveFullyQualifiedName(root + ".LifeguardMetricsAutoConfiguration")
                .and()
                .doNotHaveFullyQualifiedName(root + ".connection.ReactorNettyPools")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.micrometer..", "io.lifeguard.pool.micrometer..");
    }

    /** Only exported packages of the other modules are used. */
    ArchRule usesOnly(Set<String> exported) {
        return noClasses()
                .should()
                .dependOnClassesThat(describe(
                        "are in packages of other modules that are not exported",
                        used -> isOfAnotherModule(used) && !exported.contains(used.getPackageName())));
    }

    private boolean isOfAnotherModule(JavaClass used) {
        String name = used.getPackageName();
        return name.startsWith("io.lifeguard.") && !name.equals(root) && !name.startsWith(root + ".");
    }

    private ArchRule roomDoesNotUse(String room, String... others) {
        String[] names = new String[others.length];
        for (int i = 0; i < names.length; i++) {
            names[i] = root + others[i];
        }
        return noClasses()
                .that()
                .resideInAPackage(root + room)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(names);
    }

    private SliceAssignment packages() {
        return new SliceAssignment() {
            @Override
            public SliceIdentifier getIdentifierOf(JavaClass type) {
                String name = type.getPackageName();
                return name.equals(root) || name.startsWith(root + ".")
                        ? SliceIdentifier.of(name)
                        : SliceIdentifier.ignore();
            }

            @Override
            public String getDescription() {
                return "the packages of " + root;
            }
        };
    }
}
