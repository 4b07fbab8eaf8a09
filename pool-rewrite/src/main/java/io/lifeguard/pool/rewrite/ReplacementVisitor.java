package io.lifeguard.pool.rewrite;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openrewrite.ExecutionContext;
import org.openrewrite.SourceFile;
import org.openrewrite.Tree;
import org.openrewrite.java.JavaVisitor;
import org.openrewrite.java.JavadocVisitor;
import org.openrewrite.java.marker.JavaVersion;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.Javadoc;
import org.openrewrite.java.tree.Space;
import org.openrewrite.java.tree.TypeUtils;
import org.openrewrite.marker.Markers;

/**
 * Visits the Java files in which types of the JDK may be replaced by Lifeguard's. Confined to one thread.
 *
 * <p>Files in other languages stay as they are. So do files that are compiled for a Java before 17, because Lifeguard's
 * classes need 17.
 */
abstract class ReplacementVisitor extends JavaVisitor<ExecutionContext> {

    static final String JDK_PACKAGE = "java.util.concurrent";

    private static final String OUR_PACKAGE = "io.lifeguard.pool";
    private static final int OLDEST_JAVA = 17;

    @Override
    public boolean isAcceptable(SourceFile file, ExecutionContext context) {
        return file instanceof J.CompilationUnit
                && file.getMarkers()
                        .findFirst(JavaVersion.class)
                        .map(version -> version.getMajorReleaseVersion() >= OLDEST_JAVA)
                        .orElse(true);
    }

    /** Javadoc stays as it is: what it says of the JDK's class is about the JDK's class. */
    @Override
    protected JavadocVisitor<ExecutionContext> getJavadocVisitor() {
        return new JavadocVisitor<>(this) {
            @Override
            public Javadoc visitDocComment(Javadoc.DocComment comment, ExecutionContext context) {
                return comment;
            }
        };
    }

    /**
     * Says whether a simple name can stand for Lifeguard's type: the file declares and uses no other type of that name.
     *
     * @param simpleName for instance {@code InstrumentedExecutors}
     */
    final boolean isFree(String simpleName) {
        J.CompilationUnit file = getCursor().firstEnclosingOrThrow(J.CompilationUnit.class);
        return file.getClasses().stream().noneMatch(type -> type.getSimpleName().equals(simpleName))
                && file.getTypesInUse().getTypesInUse().stream()
                        .map(TypeUtils::asFullyQualified)
                        .noneMatch(type -> isForeign(type, simpleName));
    }

    private static boolean isForeign(JavaType.@Nullable FullyQualified type, String simpleName) {
        return type != null
                && type.getClassName().equals(simpleName)
                && !type.getPackageName().equals(OUR_PACKAGE);
    }

    /** Says whether a method or constructor has type parameters of its own, or whether that is unknown. */
    static boolean isGeneric(JavaType.@Nullable Method method) {
        if (method == null) {
            return true;
        }
        // The type of a call has its type arguments filled in. Only the declarations have the parameters.
        List<JavaType.Method> candidates = method.getDeclaringType().getMethods().stream()
                .filter(each -> each.getName().equals(method.getName())
                        && each.getParameterTypes().size()
                                == method.getParameterTypes().size())
                .toList();
        return candidates.isEmpty()
                || candidates.stream()
                        .anyMatch(each -> !each.getDeclaredFormalTypeNames().isEmpty());
    }

    /** Returns the name of a type of Lifeguard, imports the type, and drops the import of the JDK's type if unused. */
    final J.Identifier replace(String jdkName, String simpleName, Space prefix) {
        JavaType.Class type = ourType(simpleName);
        maybeAddImport(type.getFullyQualifiedName());
        maybeRemoveImport(JDK_PACKAGE + "." + jdkName);
        return new J.Identifier(Tree.randomId(), prefix, Markers.EMPTY, List.of(), simpleName, type, null);
    }

    static JavaType.Class ourType(String simpleName) {
        return JavaType.ShallowClass.build(OUR_PACKAGE + "." + simpleName);
    }
}
