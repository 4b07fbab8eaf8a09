package io.lifeguard.pool.rewrite;

import static io.lifeguard.pool.rewrite.ReplacementVisitor.JDK_PACKAGE;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.openrewrite.ExecutionContext;
import org.openrewrite.ScanningRecipe;
import org.openrewrite.SourceFile;
import org.openrewrite.TreeVisitor;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.TypeTree;
import org.openrewrite.java.tree.TypeUtils;

/**
 * Lists the creations of pools that the other recipes leave as they are, with the reasons: as the data table
 * {@link LeftPools}, and on the console. Changes nothing. Stateless.
 */
public final class ListLeftPools extends ScanningRecipe<List<LeftPools.Row>> {

    private static final int LONGEST = 90;

    private static final String UNKNOWN = "its types are unknown";

    private static final List<String> POOLS = List.of("ThreadPoolExecutor", "ScheduledThreadPoolExecutor");

    private final transient LeftPools table = new LeftPools(this);

    /** Later cycles would find the same again. Written by the thread that runs the recipes. */
    private final transient AtomicBoolean isTold = new AtomicBoolean();

    /** Makes the recipe, which has no options. */
    public ListLeftPools() {}

    @Override
    public String getDisplayName() {
        return "List pools that are left";
    }

    @Override
    public String getDescription() {
        return "Lists the creations of thread pools that stay as they are, and why.";
    }

    @Override
    public List<LeftPools.Row> getInitialValue(ExecutionContext context) {
        return new ArrayList<>();
    }

    @Override
    public TreeVisitor<?, ExecutionContext> getScanner(List<LeftPools.Row> left) {
        return new Visitor(left);
    }

    @Override
    public Collection<? extends SourceFile> generate(List<LeftPools.Row> left, ExecutionContext context) {
        if (isTold.compareAndSet(false, true)) {
            left.forEach(row -> table.insertRow(context, row));
            print(left);
        }
        return List.of();
    }

    /** Not a log: a recipe has no other way to tell whoever started it. */
    @SuppressWarnings("SystemOut")
    private static void print(List<LeftPools.Row> left) {
        if (!left.isEmpty()) {
            System.out.println("Lifeguard leaves " + left.size()
                    + (left.size() == 1 ? " creation of a pool as it is:" : " creations of pools as they are:"));
            left.forEach(row -> System.out.println("  " + row.file() + ": " + row.code() + " (" + row.reason() + ")"));
        }
    }

    @Override
    public TreeVisitor<?, ExecutionContext> getVisitor(List<LeftPools.Row> left) {
        return TreeVisitor.noop();
    }

    /** Asks the other recipes for each creation why it stays. */
    private static final class Visitor extends ReplacementVisitor {
        private final List<LeftPools.Row> left;

        Visitor(List<LeftPools.Row> left) {
            this.left = left;
        }

        /** Files for an older Java are read too, to say why they stay. */
        @Override
        public boolean isAcceptable(SourceFile file, ExecutionContext context) {
            return file instanceof J.CompilationUnit;
        }

        @Override
        public J visitNewClass(J.NewClass construction, ExecutionContext context) {
            String replaced = InstrumentConstructors.jdkPool(construction);
            if (replaced != null) {
                add(construction, InstrumentConstructors.whyLeft(this, construction, replaced, getCursor()));
            } else if (isUnknown(construction.getConstructorType()) && isNamed(construction.getClazz(), POOLS)) {
                add(construction, UNKNOWN);
            }
            return super.visitNewClass(construction, context);
        }

        @Override
        public J visitMethodInvocation(J.MethodInvocation call, ExecutionContext context) {
            JavaType.Method method = call.getMethodType();
            if (method != null && InstrumentFactories.isFactory(method)) {
                add(call, InstrumentFactories.whyLeft(this, call, getCursor()));
            } else if (isUnknownFactory(method, call.getSimpleName(), call.getSelect())) {
                add(call, UNKNOWN);
            }
            return super.visitMethodInvocation(call, context);
        }

        @Override
        public J visitMemberReference(J.MemberReference reference, ExecutionContext context) {
            JavaType.Method method = reference.getMethodType();
            if (method != null && InstrumentFactories.isFactory(method)) {
                add(reference, InstrumentFactories.whyLeft(this, method));
            } else if (isUnknownFactory(method, reference.getReference().getSimpleName(), reference.getContaining())) {
                add(reference, UNKNOWN);
            }
            return super.visitMemberReference(reference, context);
        }

        @Override
        public J visitClassDeclaration(J.ClassDeclaration type, ExecutionContext context) {
            TypeTree parent = type.getExtends();
            if (parent != null
                    && (TypeUtils.isOfClassType(parent.getType(), JDK_PACKAGE + ".ThreadPoolExecutor")
                            || TypeUtils.isOfClassType(
                                    parent.getType(), JDK_PACKAGE + ".ScheduledThreadPoolExecutor"))) {
                add("class " + type.getSimpleName() + " extends " + parent, "it is a subclass of the JDK's pool");
            }
            return super.visitClassDeclaration(type, context);
        }

        private boolean isUnknownFactory(JavaType.@Nullable Method method, String name, @Nullable J type) {
            return isUnknown(method)
                    && InstrumentFactories.isFactory(name)
                    && isNamed(type, List.of(InstrumentFactories.JDK_NAME));
        }

        private static boolean isUnknown(JavaType.@Nullable Method method) {
            return method == null || method.getDeclaringType() instanceof JavaType.Unknown;
        }

        /** Says whether a name may be that of one of these types of the JDK, as far as the imports tell. */
        private boolean isNamed(@Nullable J name, List<String> jdkNames) {
            String simpleName = name instanceof J.Identifier identifier
                    ? identifier.getSimpleName()
                    : name instanceof J.FieldAccess access ? access.getSimpleName() : "";
            J.CompilationUnit file = getCursor().firstEnclosingOrThrow(J.CompilationUnit.class);
            return jdkNames.contains(simpleName)
                    && (name instanceof J.FieldAccess access
                            ? access.getTarget().toString().equals(JDK_PACKAGE)
                            : file.getImports().stream()
                                    .filter(each ->
                                            each.getQualid().getSimpleName().equals(simpleName))
                                    .allMatch(each -> each.getPackageName().equals(JDK_PACKAGE)));
        }

        private void add(J creation, @Nullable String why) {
            add(creation.printTrimmed(getCursor()), why);
        }

        private void add(String code, @Nullable String why) {
            J.CompilationUnit file = getCursor().firstEnclosingOrThrow(J.CompilationUnit.class);
            String reason = super.isAcceptable(file, new org.openrewrite.InMemoryExecutionContext())
                    ? why
                    : "the file is compiled for a Java before 17";
            if (reason != null) {
                String line = code.replaceAll("\\s+", " ");
                left.add(new LeftPools.Row(
                        file.getSourcePath().toString(),
                        line.length() > LONGEST ? line.substring(0, LONGEST - 1) + "…" : line,
                        reason));
            }
        }
    }
}
