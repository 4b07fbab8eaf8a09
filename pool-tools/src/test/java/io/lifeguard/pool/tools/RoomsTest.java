package io.lifeguard.pool.tools;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.lifeguard.pool.tools.fixture.SomeCommand;
import io.lifeguard.pool.tools.fixture.dumps.UsesCommand;
import io.lifeguard.pool.tools.fixture.dumps.UsesCommandLine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The readers of dumps are a library of their own, which commands use. That this module uses only what the core exports
 * to it is checked by the compiler, by means of {@code module-info}.
 */
class RoomsTest {

    @Test
    void dumps_ourClasses_knowNoCommand() {
        JavaClasses lifeguard = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.lifeguard.pool.tools");

        dumpsKnowNoCommand("io.lifeguard.pool.tools").check(lifeguard);
    }

    @ParameterizedTest
    @ValueSource(classes = {UsesCommand.class, UsesCommandLine.class})
    void dumps_classThatKnowsACommand_isReported(Class<?> offender) {
        JavaClasses classes = new ClassFileImporter().importClasses(offender, SomeCommand.class);

        assertThat(dumpsKnowNoCommand("io.lifeguard.pool.tools.fixture")
                        .evaluate(classes)
                        .hasViolation())
                .isTrue();
    }

    private static ArchRule dumpsKnowNoCommand(String root) {
        return noClasses()
                .that()
                .resideInAPackage(root + ".dumps..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(root, "picocli..");
    }
}
