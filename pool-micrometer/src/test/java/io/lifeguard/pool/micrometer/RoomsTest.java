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

/** What this module may use of others. */
class RoomsTest {

    /** The last to us only. */
    private static final Set<String> EXPORTED =
            Set.of("io.lifeguard.pool", "io.lifeguard.pool.diagnosis", "io.lifeguard.pool.text");

    private final JavaClasses classes = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.lifeguard.pool.micrometer");

    @Test
    void core_whatItDoesNotExport_isNotUsed() {
        noClasses()
                .should()
                .dependOnClassesThat(describe("are not exported by pool-core", RoomsTest::isHidden))
                .check(classes);
    }

    /** The library is optional: whoever does not ask for it need not have it. */
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

    private static boolean isHidden(JavaClass used) {
        String room = used.getPackageName();
        return room.startsWith("io.lifeguard.") && !EXPORTED.contains(room) && !room.endsWith(".micrometer");
    }
}
