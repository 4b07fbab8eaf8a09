package io.lifeguard.pool.architecture;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Finds the fields of a source file that threads share: those that are volatile, atomic or concurrent collections, and
 * those that a {@code VarHandle} or an updater accesses. Says which of them have no comment beside them that tells who
 * writes them.
 */
final class SharedFields {

    private static final Pattern SHARED_TYPE = Pattern.compile(
            "Atomic(?!\\w*FieldUpdater)\\w+|LongAdder|Counter|Concurrent\\w+|CopyOnWrite\\w+|LinkedBlocking\\w+");

    private static final Pattern HANDLE = Pattern.compile("(?:findVarHandle|newUpdater)\\([^\";]*\"(\\w+)\"");

    /** Who writes it, or what keeps others from it. */
    private static final Pattern WRITER = Pattern.compile(
            "(?i)\\b(writ\\w+|guarded|confined|filled|added|set|changed|replaced|cas|by any thread)\\b");

    private SharedFields() {}

    /** {@return the shared fields without such a comment, as "name (line)"} */
    static List<String> unexplained(String source) throws IOException {
        if (!SHARED_TYPE.matcher(source).find() && !source.contains("volatile") && !source.contains("VarHandle")) {
            return List.of(); // most files, which need not be parsed
        }
        List<String> lines = source.lines().toList();
        Set<String> handles = new HashSet<>();
        for (Matcher matcher = HANDLE.matcher(source); matcher.find(); ) {
            handles.add(matcher.group(1));
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        JavacTask task =
                (JavacTask) compiler.getTask(null, null, null, List.of("-proc:none"), null, List.of(file(source)));
        SourcePositions positions = Trees.instance(task).getSourcePositions();
        List<String> found = new ArrayList<>();
        for (CompilationUnitTree unit : task.parse()) {
            new TreeScanner<Void, Void>() {
                @Override
                public Void visitClass(ClassTree type, Void nothing) {
                    for (Tree member : type.getMembers()) {
                        if (member instanceof VariableTree field && isShared(field, handles)) {
                            int first = line(unit, positions.getStartPosition(unit, field));
                            int last = line(unit, positions.getEndPosition(unit, field));
                            if (!WRITER.matcher(comment(lines, first, last)).find()) {
                                found.add(field.getName() + " (" + (first + 1) + ")");
                            }
                        }
                    }
                    return super.visitClass(type, nothing);
                }
            }.scan(unit, null);
        }
        return found;
    }

    private static boolean isShared(VariableTree field, Set<String> handles) {
        return field.getModifiers().getFlags().contains(Modifier.VOLATILE)
                || handles.contains(field.getName().toString())
                || (field.getType() != null
                        && SHARED_TYPE
                                .matcher(field.getType().toString().replaceAll("[<\\[].*", ""))
                                .find());
    }

    private static int line(CompilationUnitTree unit, long position) {
        return (int) unit.getLineMap().getLineNumber(position) - 1;
    }

    /** What stands on the lines of the field, and in the comment above it or above the fields right before it. */
    private static String comment(List<String> lines, int first, int last) {
        StringBuilder comment = new StringBuilder();
        for (int i = first; i <= last; i++) {
            int at = lines.get(i).indexOf("//");
            comment.append(at < 0 ? "" : lines.get(i).substring(at)).append('\n');
        }
        for (int i = first - 1;
                i >= 0 && !lines.get(i).isBlank() && !lines.get(i).endsWith("{");
                i--) {
            String line = lines.get(i).strip();
            if (line.startsWith("//") || line.startsWith("*") || line.startsWith("/*")) {
                comment.append(line).append('\n');
            }
        }
        return comment.toString();
    }

    private static JavaFileObject file(String source) {
        return new SimpleJavaFileObject(URI.create("string:///Source.java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return source;
            }
        };
    }
}
