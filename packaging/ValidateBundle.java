import java.io.File;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Checks a bundle by the published rules of the central registry, and by our own: what a person downloads can be
 * verified, and what a build resolves is in the bundle. Prints every violation, and exits with 1 if there is one.
 *
 * <p>Usage: {@code java packaging/ValidateBundle.java target/bundle FINGERPRINT}. Needs gpg.
 */
public final class ValidateBundle {

    private static final List<String> SUMS = List.of("md5", "sha1");

    private final Path bundle;
    private final Path repository;
    private final String key;
    private final List<String> violations = new ArrayList<>();
    private final Set<String> published = new TreeSet<>();
    private final Set<String> required = new TreeSet<>();
    private int files;
    private int signatures;

    private ValidateBundle(Path bundle, String key) {
        this.bundle = bundle;
        this.repository = bundle.resolve("repository");
        this.key = key;
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length != 2) {
            System.err.println("Usage: java packaging/ValidateBundle.java FOLDER FINGERPRINT");
            System.exit(2);
        }
        ValidateBundle check = new ValidateBundle(Path.of(arguments[0]), arguments[1]);
        check.validate();
        check.violations.forEach(System.out::println);
        System.out.printf(
                "%d modules, %d files, %d signatures verified, %d violations%n",
                check.published.size(), check.files, check.signatures, check.violations.size());
        System.exit(check.violations.isEmpty() ? 0 : 1);
    }

    private void validate() throws Exception {
        List<Path> all;
        try (Stream<Path> tree = Files.walk(repository)) {
            all = tree.filter(Files::isRegularFile).sorted().toList();
        }
        for (Path file : all) {
            String name = file.getFileName().toString();
            expect(!file.toString().contains("SNAPSHOT"), file, "is a snapshot");
            expect(!name.startsWith("maven-metadata"), file, "is for the registry to make");
            if (SUMS.stream().noneMatch(sum -> name.endsWith("." + sum))) {
                files++;
                if (!name.endsWith(".asc")) { // signatures need no checksum, since they are one
                    checksums(file);
                    signature(file);
                }
            }
            if (name.endsWith(".pom")) {
                pom(file);
            }
        }
        expect(!published.isEmpty(), repository, "has no pom");
        Set<String> missing = new TreeSet<>(required);
        missing.removeAll(published);
        expect(missing.isEmpty(), repository, "lacks what its poms require: " + missing);
        downloads();
    }

    private void checksums(Path file) throws Exception {
        for (String sum : SUMS) {
            Path stored = Path.of(file + "." + sum);
            if (Files.exists(stored)) {
                String is = hash(file, sum.equals("md5") ? "MD5" : "SHA-1");
                expect(Files.readString(stored).strip().equals(is), stored, "is not the checksum of its file");
            } else {
                expect(false, file, "has no ." + sum);
            }
        }
    }

    private void signature(Path file) throws Exception {
        Path signature = Path.of(file + ".asc");
        if (!Files.exists(signature)) {
            expect(false, file, "has no signature");
            return;
        }
        Process gpg = new ProcessBuilder("gpg", "--batch", "--status-fd", "1", "--verify", signature.toString(), file.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String status = new String(gpg.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        boolean valid = gpg.waitFor() == 0 && status.lines().anyMatch(line -> line.contains("VALIDSIG") && line.contains(key));
        expect(valid, signature, "is not a valid signature by " + key);
        signatures++;
    }

    private void pom(Path file) throws Exception {
        Element pom = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(file.toFile())
                .getDocumentElement();
        for (String path : List.of("groupId", "artifactId", "version", "name", "description", "url", "licenses/license/name",
                "licenses/license/url", "developers/developer/name", "scm/connection", "scm/url")) {
            String value = text(pom, path);
            expect(!value.isBlank() && !value.equals("unset") && !value.contains("${"), file, "has no " + path);
        }
        expect(child(pom, "parent") == null, file, "has a parent");
        for (String element : List.of("repositories", "pluginRepositories", "build", "profiles", "distributionManagement")) {
            expect(child(pom, element) == null, file, "has <" + element + ">, which users would inherit");
        }
        String group = text(pom, "groupId");
        String artifact = text(pom, "artifactId");
        String version = text(pom, "version");
        Path folder = repository.resolve(group.replace('.', File.separatorChar)).resolve(artifact).resolve(version);
        expect(file.equals(folder.resolve(artifact + "-" + version + ".pom")), file, "lies in the wrong folder");
        published.add(group + ":" + artifact + ":" + version);
        for (Element dependency : dependencies(pom)) {
            // A pom without a parent has only one version, so that this property is a fixed one.
            String of = text(dependency, "version").replace("${project.version}", version);
            expect(!of.isBlank() && !of.endsWith("-SNAPSHOT") && !of.contains("${"), file,
                    "depends on " + text(dependency, "artifactId") + " in no fixed version: " + of);
            expect(!text(dependency, "scope").equals("system"), file, "has a dependency of scope system");
            if (text(dependency, "groupId").equals(group)) {
                required.add(group + ":" + text(dependency, "artifactId") + ":" + of);
            }
        }
        if (!text(pom, "packaging").equals("pom")) {
            jars(folder, artifact + "-" + version);
        }
        expect(Files.exists(folder.resolve(artifact + "-" + version + "-cyclonedx.json")), file, "has no SBOM beside it");
    }

    private void jars(Path folder, String name) throws IOException {
        jar(folder.resolve(name + ".jar"), "META-INF/LICENSE");
        jar(folder.resolve(name + "-sources.jar"), "META-INF/LICENSE");
        jar(folder.resolve(name + "-javadoc.jar"), "index.html");
    }

    private void jar(Path file, String entry) throws IOException {
        if (!Files.exists(file)) {
            expect(false, file, "is missing");
            return;
        }
        try (JarFile jar = new JarFile(file.toFile())) {
            expect(jar.getEntry(entry) != null, file, "has no " + entry);
        }
    }

    /** What is not for the registry. */
    private void downloads() throws Exception {
        Set<String> summed = new HashSet<>();
        for (String line : Files.readAllLines(bundle.resolve("SHA256SUMS"))) {
            String[] parts = line.split(" [ *]", 2);
            summed.add(parts[1]);
            expect(hash(bundle.resolve(parts[1]), "SHA-256").equals(parts[0]), bundle.resolve(parts[1]), "is not what was summed");
        }
        for (String wanted : List.of("lifeguard.jar", "lifeguard-agent.jar", "lifeguard-mcp.jar", "THIRD-PARTY.txt", "LICENSE", "Dockerfile",
                "npm/package.json", "man/man1/lifeguard.1", "man/man1/lifeguard-watch.1", "completion/lifeguard")) {
            expect(summed.contains(wanted), bundle, "has no " + wanted);
        }
        for (String signed : List.of("SHA256SUMS", "lifeguard.jar", "lifeguard-agent.jar", "lifeguard-mcp.jar")) {
            signature(bundle.resolve(signed));
        }
        try (Stream<Path> top = Files.list(bundle)) {
            List<Path> sboms = top.filter(file -> file.toString().endsWith("-sbom.json")).toList();
            expect(sboms.size() == 1, bundle, "has not one SBOM of the whole: " + sboms);
            for (Path sbom : sboms) {
                String text = Files.readString(sbom);
                for (String module : published) {
                    String[] parts = module.split(":");
                    expect(parts[1].endsWith("-bom") || text.contains("pkg:maven/" + parts[0] + "/" + parts[1] + "@" + parts[2]),
                            sbom, "does not list " + module);
                }
            }
        }
    }

    private static List<Element> dependencies(Element pom) {
        List<Element> found = new ArrayList<>();
        for (Element list : new Element[] {child(pom, "dependencies"), child(child(pom, "dependencyManagement"), "dependencies")}) {
            for (Node node = list == null ? null : list.getFirstChild(); node != null; node = node.getNextSibling()) {
                if (node instanceof Element element) {
                    found.add(element);
                }
            }
        }
        return found;
    }

    private static String text(Element element, String path) {
        Element at = element;
        for (String name : path.split("/")) {
            at = child(at, name);
        }
        return at == null ? "" : at.getTextContent().strip();
    }

    private static Element child(Element element, String name) {
        for (Node node = element == null ? null : element.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element found && found.getTagName().equals(name)) {
                return found;
            }
        }
        return null;
    }

    private static String hash(Path file, String algorithm) throws Exception {
        MessageDigest digest = MessageDigest.getInstance(algorithm);
        byte[] hash = digest.digest(Files.readAllBytes(file));
        return String.format("%0" + hash.length * 2 + "x", new BigInteger(1, hash));
    }

    private void expect(boolean holds, Path file, String otherwise) {
        if (!holds) {
            violations.add(bundle.relativize(file) + " " + otherwise);
        }
    }
}
