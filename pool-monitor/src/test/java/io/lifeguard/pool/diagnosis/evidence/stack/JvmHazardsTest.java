package io.lifeguard.pool.diagnosis.evidence.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A JVM is asked for a dump of its virtual threads only where that cannot crash it. */
class JvmHazardsTest {

    private static final String OPEN_JDK = "OpenJDK 64-Bit Server VM";

    @ParameterizedTest
    @ValueSource(strings = {"21.0.8+9-LTS", "24.0.2+12", "17.0.15+6-Debian-1deb12u1"})
    void ofVirtualDump_writtenInJava_isSafe(String version) {
        assertThat(JvmHazards.ofVirtualDump(OPEN_JDK, Runtime.Version.parse(version), () -> false))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"25+36, 25", "25.0.3+9-LTS, 25.0.3", "26.0.1+8, 26.0.1", "25-ea+20, 25"})
    void ofVirtualDump_writtenByTheJvm_namesReleaseAndDefect(String version, String release) {
        assertThat(JvmHazards.ofVirtualDump(OPEN_JDK, Runtime.Version.parse(version), () -> false))
                .isEqualTo("a dump of virtual threads can crash Java " + release + " (JDK-8364343)");
    }

    @Test
    void ofVirtualDump_repaired_isSafe() {
        assertThat(JvmHazards.ofVirtualDump(
                        "Java HotSpot(TM) 64-Bit Server VM", Runtime.Version.parse("27+20"), () -> true))
                .isEmpty();
    }

    @Test
    void ofVirtualDump_otherVm_isNotKnownToBeSafe() {
        AtomicInteger asked = new AtomicInteger();
        assertThat(JvmHazards.ofVirtualDump(
                        "Eclipse OpenJ9 VM", Runtime.Version.parse("21.0.8+9"), () -> asked.incrementAndGet() > 0))
                .contains("Eclipse OpenJ9 VM", "not known");
        assertThat(asked).hasValue(0);
    }

    /** Whatever runs this test: Temurin 25.0.3 crashed, and no release before 25 has the defect. */
    @Test
    void ofVirtualDump_thisJvm_isJudgedByItsVersion() {
        String version = Runtime.version().toString();
        if (version.startsWith("25.0.3")) {
            assertThat(JvmHazards.ofVirtualDump()).contains("25.0.3", "JDK-8364343");
        } else if (Runtime.version().feature() < 25) {
            assertThat(JvmHazards.ofVirtualDump()).isEmpty();
        }
    }
}
