package io.lifeguard.pool.rewrite;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.openrewrite.ExecutionContext;
import org.openrewrite.ScanningRecipe;
import org.openrewrite.SourceFile;
import org.openrewrite.Tree;
import org.openrewrite.TreeVisitor;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.TypeUtils;
import org.openrewrite.text.PlainText;

/**
 * Adds {@code requires io.lifeguard.pool} to the {@code module-info.java} of each source folder that uses
 * Lifeguard's classes. Stateless.
 *
 * <p>OpenRewrite does not parse module descriptors as Java. It has to read them as plain text, for which its plugins
 * have the setting {@code plainTextMasks}.
 */
public final class RequireModule extends ScanningRecipe<Set<Path>> {

    private static final String OUR_PACKAGE = "io.lifeguard.pool";
    private static final String MODULE = "io.lifeguard.pool";
    private static final String DESCRIPTOR = "module-info.java";

    /** The beginning of a module, behind comments and annotations. */
    private static final Pattern BEGIN =
            Pattern.compile("(?m)^[ \\t]*(?:@[\\w.]+(?:\\([^)]*\\))?\\s+)*(?:open\\s+)?module\\s+[\\w.]+\\s*\\{");

    private static final Pattern LAST_REQUIRES = Pattern.compile("(?m)^([ \\t]*)requires\\s[^;]*;[^\\n]*\\n");

    /** Makes the recipe, which has no options. */
    public RequireModule() {}

    @Override
    public String getDisplayName() {
        return "Require Lifeguard in module descriptors";
    }

    @Override
    public String getDescription() {
        return "Adds `requires io.lifeguard.pool` where the sources beside a `module-info.java` use Lifeguard.";
    }

    @Override
    public Set<Path> getInitialValue(ExecutionContext context) {
        return new HashSet<>();
    }

    /** Collects the source folders that use Lifeguard's classes. */
    @Override
    public TreeVisitor<?, ExecutionContext> getScanner(Set<Path> folders) {
        return new TreeVisitor<Tree, ExecutionContext>() {
            @Override
            public @Nullable Tree visit(@Nullable Tree tree, ExecutionContext context) {
                if (tree instanceof J.CompilationUnit file && usesLifeguard(file)) {
                    folders.add(folder(file));
                }
                return tree;
            }
        };
    }

    private static boolean usesLifeguard(J.CompilationUnit file) {
        return file.getTypesInUse().getTypesInUse().stream()
                .map(TypeUtils::asFullyQualified)
                .anyMatch(RequireModule::isOurs);
    }

    private static boolean isOurs(JavaType.@Nullable FullyQualified type) {
        return type != null && type.getPackageName().equals(OUR_PACKAGE);
    }

    /** Returns the folder in which the packages begin; empty for the working directory. */
    private static Path folder(J.CompilationUnit file) {
        Path path = file.getSourcePath();
        J.Package declared = file.getPackageDeclaration();
        int packages = declared == null ? 0 : declared.getPackageName().split("\\.", -1).length;
        int names = path.getNameCount() - 1 - packages;
        return names <= 0 ? Path.of("") : path.subpath(0, names);
    }

    @Override
    public TreeVisitor<?, ExecutionContext> getVisitor(Set<Path> folders) {
        return new TreeVisitor<Tree, ExecutionContext>() {
            @Override
            public @Nullable Tree visit(@Nullable Tree tree, ExecutionContext context) {
                return tree instanceof PlainText text && isOfFolder(text, folders)
                        ? text.withText(withRequires(text.getText()))
                        : tree;
            }
        };
    }

    private static boolean isOfFolder(SourceFile file, Set<Path> folders) {
        Path path = file.getSourcePath();
        Path parent = path.getParent();
        return path.endsWith(DESCRIPTOR) && folders.contains(parent == null ? Path.of("") : parent);
    }

    /** Behind the last {@code requires}, or else at the beginning of the module. */
    private static String withRequires(String text) {
        Matcher begin = BEGIN.matcher(text);
        if (Pattern.compile("requires\\s[^;]*\\b" + Pattern.quote(MODULE) + "\\s*;")
                        .matcher(text)
                        .find()
                || !begin.find()) {
            return text;
        }
        int at = begin.end();
        String indent = "    ";
        boolean hasLine = false;
        Matcher requires = LAST_REQUIRES.matcher(text);
        for (int from = begin.end(); requires.find(from); from = requires.end()) {
            at = requires.end();
            indent = requires.group(1);
            hasLine = true;
        }
        String line = indent + "requires " + MODULE + ";";
        String end = text.contains("\r\n") ? "\r\n" : "\n";
        return text.substring(0, at) + (hasLine ? line + end : end + line) + text.substring(at);
    }
}
