package io.lifeguard.pool.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameStartingWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.time.Clock;
import java.util.Date;
import java.util.Set;
import java.util.stream.Stream;

/** Who may use whom below a root package. The root is a parameter so that the rules can be tried on code that breaks them. */
record Rooms(String root) {

    private static final String[] JDK = {"java..", "com.sun.management", "org.jspecify.annotations"};

    ArchRule packagesFormNoCycle() {
        return SlicesRuleDefinition.slices().assignedFrom(packages()).should().beFreeOfCycles();
    }

    ArchRule queueUsesTheJdkOnly() {
        return roomUsesOnly(".queue");
    }

    ArchRule osUsesTheJdkOnly() {
        return roomUsesOnly(".os");
    }

    ArchRule textUsesTheJdkOnly() {
        return roomUsesOnly(".text");
    }

    ArchRule measureUsesOsOnly() {
        return roomUsesOnly(".measure", root + ".os");
    }

    ArchRule poolUsesQueueMeasureAndTextOnly() {
        return roomUsesOnly("", root + ".queue", root + ".measure", root + ".text", "org.slf4j");
    }

    ArchRule diagnosisUsesPoolOsAndTextOnly() {
        return roomUsesOnly(
                ".diagnosis", root, root + ".os", root + ".text", "org.slf4j", "org.slf4j.event", "org.slf4j.spi");
    }

    ArchRule starterUsesPoolAndDiagnosisOnly() {
        return roomUsesOnly(".diagnosis.start", root, root + ".diagnosis");
    }

    ArchRule diagnosisAsksItsClock() {
        return noClasses()
                .that(resideInAPackage(root + ".diagnosis")
                        .and(not(nameStartingWith(root + ".diagnosis.MonitorClock"))))
                .should()
                .callCodeUnitWhere(DescribedPredicate.describe(
                        "the wall clock is read", call -> readsWallClock(call.getTarget())));
    }

    ArchRule hotPathNeitherLogsNorCaches() {
        return noClasses()
                .that(resideInAnyPackage(hotPath()))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.slf4j..", "java.util.logging..", "com.github.benmanes.caffeine..");
    }

    ArchRule hotPathReadsNoWallClock() {
        return noClasses()
                .that(resideInAnyPackage(hotPath()))
                .should()
                .callCodeUnitWhere(DescribedPredicate.describe(
                        "the wall clock is read", call -> readsWallClock(call.getTarget())));
    }

    /** The {@code exported} packages show no type that a user of the module cannot name. */
    ArchRule signaturesShowOnly(Set<String> exported) {
        return classes()
                .that(resideInAnyPackage(exported.toArray(String[]::new)))
                .should(new ShowOnlyExportedTypes(root, exported));
    }

    private ArchRule roomUsesOnly(String room, String... others) {
        String[] allowed = Stream.of(JDK, others, new String[] {root + room})
                .flatMap(Stream::of)
                .toArray(String[]::new);
        return classes()
                .that(resideInAPackage(root + room))
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(allowed));
    }

    private String[] hotPath() {
        return new String[] {root + ".queue", root + ".os", root + ".measure"};
    }

    private static boolean readsWallClock(CodeUnitCallTarget target) {
        JavaClass owner = target.getOwner();
        return (owner.isEquivalentTo(System.class) && target.getName().equals("currentTimeMillis"))
                || (owner.isEquivalentTo(Clock.class) && target.getName().startsWith("system"))
                || (owner.isEquivalentTo(Date.class)
                        && target.getName().equals("<init>")
                        && target.getRawParameterTypes().isEmpty())
                || (owner.getPackageName().equals("java.time")
                        && target.getName().equals("now"));
    }

    private SliceAssignment packages() {
        return new SliceAssignment() {
            @Override
            public SliceIdentifier getIdentifierOf(JavaClass type) {
                return resideInAPackage(root + "..").test(type)
                        ? SliceIdentifier.of(type.getPackageName())
                        : SliceIdentifier.ignore();
            }

            @Override
            public String getDescription() {
                return "the packages of " + root;
            }
        };
    }
}
