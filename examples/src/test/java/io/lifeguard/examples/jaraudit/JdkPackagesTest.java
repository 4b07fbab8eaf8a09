package io.lifeguard.examples.jaraudit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class JdkPackagesTest {

    @Test
    void list_anyJdk_hasEnoughPackagesForTheDefaultLimitInTheSameOrderEachTime() {
        List<Jar> packages = JdkPackages.list();
        assertThat(packages).hasSizeGreaterThan(800).isEqualTo(JdkPackages.list());
        assertThat(packages)
                .extracting(Jar::name)
                .isSorted()
                .doesNotHaveDuplicates()
                .contains("java.base/java/util/concurrent");
        assertThat(packages).allMatch(each -> JdkPackages.contains(each.path()));
    }

    @Test
    void contains_fileOnDisk_isFalse() {
        assertThat(JdkPackages.contains(Path.of("a.jar"))).isFalse();
    }

    @Test
    void read_packageOfTheJdk_findsItsClassFilesAndNothingWrong() throws Exception {
        PackageContent content = PackageContent.read(concurrent());
        assertThat(content.files()).isGreaterThan(100);
        assertThat(content.bytes()).isGreaterThan(100_000);
        assertThat(content.problems()).isEmpty();
        assertThat(content).isEqualTo(PackageContent.read(concurrent()));
    }

    @Test
    void isClassFile_magicAndVersion_areChecked() {
        assertThat(PackageContent.isClassFile(header(0xCAFEBABE, 61))).isTrue();
        assertThat(PackageContent.isClassFile(header(0xCAFEBABF, 61))).isFalse();
        assertThat(PackageContent.isClassFile(header(0xCAFEBABE, 44))).isFalse();
        assertThat(PackageContent.isClassFile(header(0xCAFEBABE, 500))).isFalse();
        assertThat(PackageContent.isClassFile(new byte[7])).isFalse();
    }

    @Test
    void audit_packageOfTheJdk_asksTheCatalogueAndHasNoChecksum() throws Exception {
        JarAuditor auditor = new JarAuditor(sha1 -> "known " + sha1.length(), InflationLimits.DEFAULT);
        JarReport report = auditor.audit(new Jar(concurrent(), "java.base/java/util/concurrent"));
        assertThat(report.isBad()).isFalse();
        assertThat(report.catalogue()).hasValue("known 40");
        assertThat(report.checksum()).isEqualTo(JarReport.Comparison.NO_CHECKSUM);
    }

    @Test
    void fillUp_fewJars_addsPackagesUpToTheLimit() {
        JarList list = new JarList(Path.of("."), List.of(new Jar(Path.of("a.jar"), "a.jar")), 0, List.of(), 1);
        JarList filled = list.fillUp(JdkPackages.list(), 10);
        assertThat(filled.jars()).hasSize(10).startsWith(list.jars().get(0));
        assertThat(filled.packages()).isEqualTo(9);
        assertThat(list.fillUp(JdkPackages.list(), 1)).isEqualTo(list);
    }

    private static Path concurrent() {
        return JdkPackages.list().stream()
                .filter(each -> each.name().equals("java.base/java/util/concurrent"))
                .findFirst()
                .orElseThrow()
                .path();
    }

    private static byte[] header(int magic, int major) {
        return ByteBuffer.allocate(8)
                .putInt(magic)
                .putShort((short) 0)
                .putShort((short) major)
                .array();
    }
}
