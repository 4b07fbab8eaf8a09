import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import jdk.internal.org.objectweb.asm.ClassReader;
import jdk.internal.org.objectweb.asm.ClassVisitor;
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.FieldVisitor;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;

/** Copies jars without code and private members: what japicmp compares, in little room. */
public final class FreezeApi {

    private static final long DAY = 24 * 60 * 60 * 1000L;

    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createDirectories(Path.of(arguments[0]));
        for (String jar : List.of(arguments).subList(1, arguments.length)) {
            String module = Path.of(jar).getName(0).toString();
            long bytes = freeze(Path.of(jar), folder.resolve(module + ".jar"));
            System.out.println(module + ": " + bytes / 1000 + " kB");
        }
    }

    private static long freeze(Path from, Path to) throws IOException {
        try (JarFile jar = new JarFile(from.toFile());
                OutputStream out = Files.newOutputStream(to);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.setLevel(Deflater.BEST_COMPRESSION);
            List<JarEntry> classes = jar.stream()
                    .filter(entry -> entry.getName().endsWith(".class"))
                    .filter(entry -> !entry.getName().matches("(.*/)?module-info.class|.*\\$[0-9]+.*|META-INF/.*"))
                    .sorted(Comparator.comparing(JarEntry::getName))
                    .toList();
            for (JarEntry entry : classes) {
                byte[] stripped = strip(jar.getInputStream(entry).readAllBytes());
                ZipEntry copy = new ZipEntry(entry.getName());
                copy.setTime(365 * 40 * DAY); // any time that is always the same
                zip.putNextEntry(copy);
                zip.write(stripped);
            }
        }
        return Files.size(to);
    }

    private static byte[] strip(byte[] bytes) {
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(0);
        reader.accept(
                new ClassVisitor(Opcodes.ASM8, writer) {
                    @Override // the JDK's copy refuses it otherwise; japicmp does not compare it
                    public void visitPermittedSubclassExperimental(String subclass) {}

                    @Override
                    public MethodVisitor visitMethod(int access, String name, String type, String generic, String[] raised) {
                        return isHidden(access) ? null : super.visitMethod(access, name, type, generic, raised);
                    }

                    @Override
                    public FieldVisitor visitField(int access, String name, String type, String generic, Object value) {
                        return isHidden(access) ? null : super.visitField(access, name, type, generic, value);
                    }
                },
                ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG);
        return writer.toByteArray();
    }

    /** Neither public nor protected, or made by the compiler. */
    private static boolean isHidden(int access) {
        return (access & (Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED)) == 0 || (access & Opcodes.ACC_SYNTHETIC) != 0;
    }
}
