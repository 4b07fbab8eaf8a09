package io.lifeguard.pool.micrometer;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Checks which packages this module may use. */
class RoomsTest {

    /** The last two are exported to this library's own modules only. */
    private static final Set<String> EXPORTED = Set.of(
            "io.lifeguard.pool",
            "io.lifeguard.pool.diagnosis",
            "io.lifeguard.pool.diagnosis.window",
            "io.lifeguard.pool.diagnosis.evidence.cpu",
            "io.lifeguard.pool.diagnosis.external",
            "io.lifeguard.pool.text");

    private final JavaClasses classes = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.lifeguard.pool.micrometer");

    @Test
    void core_packagesThatAreNotExported_areNotUsed() {
        usesOnly(EXPORTED).check(classes);
        assertThatThrownBy(() -> usesOnly(Set.of("io.lifeguard.pool")).check(classes))
                .as("the check can fail")
                .isInstanceOf(AssertionError.class);
    }

    private static ArchRule usesOnly(Set<String> exported) {
        return noClasses()
                .should()
                .dependOnClassesThat(describe("are not exported to this module", used -> isHidden(used, exported)));
    }

    /** The library is optional, so only the classes that need it may use it. */
    @Test
    void contextPropagation_library_isUsedByItsOwnClassesOnly() {
        ArchRule others = noClasses()
                .that()
                .haveSimpleNameNotStartingWith("Context")
                .and()
                .haveNameNotMatching(".*\\.Context.*")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.micrometer.context..");
        others.check(classes);
        assertThatThrownBy(() -> noClasses()
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage("io.micrometer.context..")
                        .check(classes))
                .as("the check can fail")
                .isInstanceOf(AssertionError.class);
    }

    private static boolean isHidden(JavaClass used, Set<String> exported) {
        String room = used.getPackageName();
        return room.startsWith("io.lifeguard.") && !exported.contains(room) && !room.endsWith(".micrometer");
    }
}
