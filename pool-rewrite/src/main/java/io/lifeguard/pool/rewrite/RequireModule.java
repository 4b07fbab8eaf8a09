package io.lifeguard.pool.rewrite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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
 * Adds {@code requires io.lifeguard.pool} to the {@code module-info.java} of each source folder that uses Lifeguard's
 * classes. Stateless.
 *
 * <p>OpenRewrite does not parse module descriptors as Java. Its plugins read them as plain text where the setting
 * {@code plainTextMasks} names them, but the plugin for Maven counts all {@code .java} files of a source folder as
 * parsed, and so gives the descriptors to no recipe. What was not given is read from the disk, and returned as a new
 * file with the same path. As for the plugin, paths begin at the root of the Git repository in which Maven was started.
 * Where there is none, they begin at the working directory. Where a source that was given is not there, nothing is
 * read.
 */
public final class RequireModule extends ScanningRecipe<RequireModule.Found> {

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

    /** The source folders in the project. Confined to the thread that runs the recipe. */
    static final class Found {
        private final Map<Path, Path> users = new HashMap<>(); // folders, each with a source that uses Lifeguard
        private final Set<Path> described = new HashSet<>(); // folders whose descriptor was given
    }

    @Override
    public Found getInitialValue(ExecutionContext context) {
        return new Found();
    }

    /** Collects the source folders that use Lifeguard's classes. */
    @Override
    public TreeVisitor<?, ExecutionContext> getScanner(Found found) {
        return new TreeVisitor<Tree, ExecutionContext>() {
            @Override
            public @Nullable Tree visit(@Nullable Tree tree, ExecutionContext context) {
                if (tree instanceof J.CompilationUnit file && usesLifeguard(file)) {
                    found.users.putIfAbsent(folder(file), file.getSourcePath());
                } else if (tree instanceof PlainText text
                        && text.getSourcePath().endsWith(DESCRIPTOR)) {
                    found.described.add(parent(text));
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

    /** Returns the folder in which the packages begin; empty for the root. */
    private static Path folder(J.CompilationUnit file) {
        Path path = file.getSourcePath();
        J.Package declared = file.getPackageDeclaration();
        int packages = declared == null ? 0 : declared.getPackageName().split("\\.", -1).length;
        int names = path.getNameCount() - 1 - packages;
        return names <= 0 ? Path.of("") : path.subpath(0, names);
    }

    /** {@return the descriptors that were not given, but are there} */
    @Override
    public Collection<? extends SourceFile> generate(Found found, ExecutionContext context) {
        List<PlainText> changed = new ArrayList<>();
        Path root = root(Path.of("").toAbsolutePath());
        for (Map.Entry<Path, Path> user : found.users.entrySet()) {
            Path path = user.getKey().resolve(DESCRIPTOR);
            Path onDisk = root.resolve(path);
            if (!found.described.contains(user.getKey())
                    && Files.isRegularFile(root.resolve(user.getValue()))
                    && Files.isRegularFile(onDisk)) {
                try {
                    String before = Files.readString(onDisk);
                    String after = withRequires(before);
                    if (!after.equals(before)) {
                        changed.add(
                                PlainText.builder().sourcePath(path).text(after).build());
                    }
                } catch (IOException e) {
                    context.getOnError().accept(e);
                }
            }
        }
        return changed;
    }

    /** {@return the folder at which the paths of sources begin: the nearest one with {@code .git}, or the given one} */
    static Path root(Path workingDirectory) {
        for (Path folder = workingDirectory; folder != null; folder = folder.getParent()) {
            if (Files.exists(folder.resolve(".git"))) {
                return folder;
            }
        }
        return workingDirectory;
    }

    @Override
    public TreeVisitor<?, ExecutionContext> getVisitor(Found found) {
        return new TreeVisitor<Tree, ExecutionContext>() {
            @Override
            public @Nullable Tree visit(@Nullable Tree tree, ExecutionContext context) {
                return tree instanceof PlainText text && isOfFolder(text, found.users.keySet())
                        ? text.withText(withRequires(text.getText()))
                        : tree;
            }
        };
    }

    private static boolean isOfFolder(SourceFile file, Set<Path> folders) {
        return file.getSourcePath().endsWith(DESCRIPTOR) && folders.contains(parent(file));
    }

    private static Path parent(SourceFile file) {
        Path parent = file.getSourcePath().getParent();
        return parent == null ? Path.of("") : parent;
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
