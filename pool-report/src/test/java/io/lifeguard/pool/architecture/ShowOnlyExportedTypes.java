package io.lifeguard.pool.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.domain.JavaTypeVariable;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Looks at all that a user of a visible class sees of it: supertypes, type variables, and its visible members'
 * signatures. A superclass without a modifier shares code with classes of its package; users see what it implements and
 * declares as if the visible class did.
 */
final class ShowOnlyExportedTypes extends ArchCondition<JavaClass> {

    private final String root;
    private final Set<String> exported;

    ShowOnlyExportedTypes(String root, Set<String> exported) {
        super("show only types of " + exported);
        this.root = root;
        this.exported = exported;
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        if (isVisible(type)) {
            report(type.getName(), bounds(type.getTypeParameters()), type, events);
            checkDeclared(type, type, events);
        }
    }

    /** Checks what {@code part}, the visible {@code type} or a superclass of it, declares. */
    private void checkDeclared(JavaClass part, JavaClass type, ConditionEvents events) {
        report(type.getName(), part.getInterfaces().stream(), type, events);
        part.getMembers().stream()
                .filter(ShowOnlyExportedTypes::isVisible)
                .forEach(member ->
                        report(type.getName() + " by " + member.getFullName(), signature(member), type, events));
        part.getSuperclass().ifPresent(superclass -> {
            if (isShared(superclass.toErasure())) {
                checkDeclared(superclass.toErasure(), type, events);
            } else {
                report(type.getName(), Stream.of(superclass), type, events);
            }
        });
    }

    private boolean isShared(JavaClass superclass) {
        return isHidden(superclass)
                && exported.contains(superclass.getPackageName())
                && !superclass.getModifiers().contains(JavaModifier.PRIVATE);
    }

    private void report(String shown, Stream<JavaType> signature, JavaClass owner, ConditionEvents events) {
        signature
                .flatMap(part -> part.getAllInvolvedRawTypes().stream())
                .distinct()
                .filter(this::isHidden)
                .forEach(hidden -> events.add(
                        SimpleConditionEvent.violated(owner, shown + " shows the hidden type " + hidden.getName())));
    }

    private boolean isHidden(JavaClass type) {
        boolean ours = (type.getPackageName() + ".").startsWith(root + ".");
        return ours && !(exported.contains(type.getPackageName()) && isVisible(type));
    }

    private static boolean isVisible(JavaClass type) {
        boolean reachable = type.getModifiers().contains(JavaModifier.PUBLIC)
                || type.getModifiers().contains(JavaModifier.PROTECTED);
        return reachable
                && type.getEnclosingClass()
                        .map(ShowOnlyExportedTypes::isVisible)
                        .orElse(true);
    }

    private static boolean isVisible(JavaMember member) {
        boolean written = !member.getModifiers().contains(JavaModifier.SYNTHETIC);
        return written
                && (member.getModifiers().contains(JavaModifier.PUBLIC)
                        || member.getModifiers().contains(JavaModifier.PROTECTED));
    }

    private static Stream<JavaType> signature(JavaMember member) {
        if (member instanceof JavaCodeUnit code) {
            Stream<JavaType> thrown = code.getThrowsClause().getTypes().stream().map(JavaType.class::cast);
            Stream<JavaType> inAndOut =
                    Stream.concat(Stream.of(code.getReturnType()), code.getParameterTypes().stream());
            return Stream.of(inAndOut, thrown, bounds(code.getTypeParameters())).flatMap(part -> part);
        }
        return Stream.of(member.getOwner().getField(member.getName()).getType());
    }

    private static Stream<JavaType> bounds(List<? extends JavaTypeVariable<?>> variables) {
        return variables.stream().flatMap(variable -> variable.getUpperBounds().stream());
    }
}
