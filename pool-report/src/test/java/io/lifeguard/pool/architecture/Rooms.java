package io.lifeguard.pool.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameStartingWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.time.Clock;
import java.util.Date;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Who may use whom below a root package. The root is a parameter so that the rules can be tried on code that breaks
 * them.
 */
record Rooms(String root) {

    private static final String[] JDK = {"java..", "com.sun.management", "org.jspecify.annotations"};

    private static final String[] LOG = {"org.slf4j", "org.slf4j.event", "org.slf4j.spi"};

    private static final String[] BEANS_SERVER = {"javax.management", "javax.management.openmbean"};

    /** The rooms whose classes form no cycles either; nested classes count as their outermost one. */
    private static final Set<String> NEW_ROOMS = Set.of(
            ".diagnosis.attention",
            ".diagnosis.log",
            ".diagnosis.window",
            ".diagnosis.seen",
            ".diagnosis.bottleneck",
            ".diagnosis.sizing",
            ".diagnosis.external",
            ".diagnosis.outside",
            ".diagnosis.rules",
            ".diagnosis.system",
            ".diagnosis.evidence",
            ".diagnosis.evidence.carrier",
            ".diagnosis.evidence.cpu",
            ".diagnosis.evidence.lock",
            ".diagnosis.evidence.loop",
            ".diagnosis.evidence.stack",
            ".recording",
            ".jfr",
            ".jmx",
            ".live",
            ".report",
            ".report.drawing");

    ArchRule packagesFormNoCycle() {
        return SlicesRuleDefinition.slices()
                .assignedFrom(slices(
                        "the packages of " + root,
                        type -> resideInAPackage(root + "..").test(type),
                        JavaClass::getPackageName))
                .should()
                .beFreeOfCycles();
    }

    ArchRule classesOfNewRoomsFormNoCycle() {
        String[] rooms = NEW_ROOMS.stream().map(root::concat).toArray(String[]::new);
        return SlicesRuleDefinition.slices()
                .assignedFrom(slices(
                        "the classes of " + NEW_ROOMS,
                        type -> resideInAnyPackage(rooms).test(type),
                        Rooms::outermost))
                .should()
                .beFreeOfCycles();
    }

    ArchRule queueUsesTheJdkOnly() {
        return roomUsesOnly(".queue");
    }

    ArchRule osUsesTheJdkOnly() {
        return roomUsesOnly(".os", BEANS_SERVER, ".os");
    }

    ArchRule textUsesOsOnly() {
        return roomUsesOnly(".text", ".os");
    }

    ArchRule measureUsesOsOnly() {
        return roomUsesOnly(".measure", ".os");
    }

    ArchRule poolUsesItsOwnModuleOnly() {
        return roomUsesOnly("", LOG, ".queue", ".measure", ".os", ".text");
    }

    /** The group that waits for room: only the policy begins a wait, and all others see the wait as WaitForRoom. */
    ArchRule waitingGroupIsEnteredByThePolicyOnly() {
        Set<String> group = Set.of("SubmissionWait", "SubmissionLine", "WaitGraph", "NestedRuns");
        Predicate<JavaClass> isInside =
                type -> group.stream().anyMatch(name -> outermost(type).equals(root + "." + name));
        return noClasses()
                .that(not(DescribedPredicate.describe("wait for room", isInside))
                        .and(not(nameStartingWith(root + ".BlockingWaitPolicy"))))
                .should()
                .dependOnClassesThat(DescribedPredicate.describe("are the group that waits", isInside));
    }

    ArchRule windowUsesPoolAndTextOnly() {
        return roomUsesOnly(".diagnosis.window", "", ".text");
    }

    ArchRule seenUsesWindowAndBelowOnly() {
        return roomUsesOnly(".diagnosis.seen", "", ".text", ".diagnosis.window");
    }

    ArchRule bottleneckUsesWindowAndBelowOnly() {
        return roomUsesOnly(".diagnosis.bottleneck", "", ".text", ".diagnosis.window", ".diagnosis.seen");
    }

    ArchRule sizingUsesBottleneckAndBelowOnly() {
        return roomUsesOnly(".diagnosis.sizing", "", ".text", ".diagnosis.window", ".diagnosis.bottleneck");
    }

    ArchRule externalUsesPoolAndOsOnly() {
        return roomUsesOnly(".diagnosis.external", "", ".os");
    }

    ArchRule outsideUsesExternalWindowAndBelowOnly() {
        return roomUsesOnly(
                ".diagnosis.outside",
                "",
                ".os",
                ".diagnosis.system",
                ".diagnosis.window",
                ".diagnosis.seen",
                ".diagnosis.external");
    }

    ArchRule systemUsesOsOnly() {
        return roomUsesOnly(".diagnosis.system", ".os");
    }

    ArchRule cpuUsesPoolAndBelowOnly() {
        return roomUsesOnly(".diagnosis.evidence.cpu", "", ".os", ".diagnosis.system", ".diagnosis.window");
    }

    ArchRule stackUsesCpuAndBelowOnly() {
        return roomUsesOnly(
                ".diagnosis.evidence.stack",
                BEANS_SERVER,
                "",
                ".os",
                ".diagnosis.system",
                ".diagnosis.window",
                ".diagnosis.seen",
                ".diagnosis.evidence.cpu");
    }

    ArchRule lockUsesStackAndBelowOnly() {
        return roomUsesOnly(
                ".diagnosis.evidence.lock",
                BEANS_SERVER,
                "",
                ".os",
                ".diagnosis.system",
                ".diagnosis.window",
                ".diagnosis.seen",
                ".diagnosis.evidence.stack");
    }

    ArchRule loopUsesStackAndBelowOnly() {
        return roomUsesOnly(
                ".diagnosis.evidence.loop",
                "",
                ".os",
                ".diagnosis.system",
                ".diagnosis.window",
                ".diagnosis.seen",
                ".diagnosis.outside",
                ".diagnosis.evidence.cpu",
                ".diagnosis.evidence.stack",
                ".recording");
    }

    ArchRule carrierUsesLockAndBelowOnly() {
        return roomUsesOnly(
                ".diagnosis.evidence.carrier",
                BEANS_SERVER,
                "",
                ".os",
                ".diagnosis.system",
                ".diagnosis.window",
                ".diagnosis.seen",
                ".diagnosis.evidence.cpu",
                ".diagnosis.evidence.lock",
                ".diagnosis.evidence.stack");
    }

    ArchRule evidenceUsesItsRoomsAndBelowOnly() {
        return roomUsesOnly(
                ".diagnosis.evidence",
                BEANS_SERVER,
                "",
                ".os",
                ".text",
                ".diagnosis.system",
                ".diagnosis.window",
                ".diagnosis.seen",
                ".diagnosis.outside",
                ".diagnosis.evidence.cpu",
                ".diagnosis.evidence.loop",
                ".diagnosis.evidence.lock",
                ".diagnosis.evidence.stack",
                ".recording");
    }

    ArchRule recordingUsesWindowAndBelowOnly() {
        return roomUsesOnly(".recording", "", ".measure", ".text", ".diagnosis.window");
    }

    ArchRule jfrUsesRecordingOnly() {
        return roomUsesOnly(".jfr", new String[] {"jdk.jfr", "jdk.jfr.consumer"}, ".recording");
    }

    ArchRule jmxUsesDiagnosisAndRecordingOnly() {
        return roomUsesOnly(".jmx", BEANS_SERVER, "", ".diagnosis", ".recording", ".schema");
    }

    ArchRule liveUsesDrawingOnly() {
        return roomUsesOnly(".live", LOG, ".report.drawing");
    }

    /** The JDK's HTTP server bounds connections by properties of the whole JVM only, which belong to the user. */
    ArchRule nobodyUsesTheHttpServer() {
        return noClasses().should().dependOnClassesThat().resideInAnyPackage("com.sun.net.httpserver..");
    }

    /** The flight recorder is optional, so only the rooms that are entered with it may know it. */
    ArchRule onlyJfrUsesTheFlightRecorder() {
        return noClasses()
                .that(not(resideInAPackage(root + ".jfr")))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("jdk.jfr..");
    }

    ArchRule rulesUseWhatUsersRulesMayUse() {
        return roomUsesOnly(
                ".diagnosis.rules",
                "",
                ".text",
                ".diagnosis",
                ".diagnosis.window",
                ".diagnosis.seen",
                ".diagnosis.bottleneck",
                ".diagnosis.sizing");
    }

    ArchRule diagnosisDoesNotKnowItsRules() {
        return roomUsesOnly(
                ".diagnosis",
                LOG,
                "",
                ".os",
                ".text",
                ".diagnosis.window",
                ".diagnosis.seen",
                ".diagnosis.bottleneck",
                ".diagnosis.sizing",
                ".diagnosis.external",
                ".diagnosis.outside",
                ".diagnosis.log",
                ".diagnosis.attention",
                ".diagnosis.shutdown",
                ".diagnosis.evidence",
                ".diagnosis.evidence.carrier",
                ".diagnosis.evidence.cpu",
                ".diagnosis.evidence.lock",
                ".diagnosis.evidence.loop",
                ".diagnosis.evidence.stack",
                ".recording",
                ".jfr");
    }

    ArchRule drawingUsesRecordingOnly() {
        return roomUsesOnly(".report.drawing", ".recording", ".schema", ".diagnosis.window");
    }

    ArchRule reportUsesMonitorDrawingAndLiveOnly() {
        return roomUsesOnly(".report", ".text", ".diagnosis", ".recording", ".report.drawing", ".live");
    }

    ArchRule starterUsesDiagnosisAndBelowOnly() {
        return roomUsesOnly(
                ".diagnosis.start",
                LOG,
                "",
                ".os",
                ".text",
                ".diagnosis",
                ".diagnosis.log",
                ".diagnosis.window",
                ".diagnosis.seen",
                ".diagnosis.evidence.stack",
                ".diagnosis.outside",
                ".diagnosis.shutdown");
    }

    ArchRule shutdownUsesPoolsAndPlacesOnly() {
        return roomUsesOnly(
                ".diagnosis.shutdown", LOG, "", ".text", ".diagnosis.window", ".diagnosis.seen", ".diagnosis.outside");
    }

    ArchRule logUsesPoolsTextAndOsOnly() {
        return roomUsesOnly(".diagnosis.log", LOG, "", ".os", ".text");
    }

    ArchRule attentionUsesCpuOutsideAndBelowOnly() {
        return roomUsesOnly(
                ".diagnosis.attention",
                LOG,
                "",
                ".text",
                ".diagnosis.log",
                ".diagnosis.window",
                ".diagnosis.outside",
                ".diagnosis.evidence.cpu");
    }

    ArchRule diagnosisAsksItsClock() {
        return noClasses()
                .that(resideInAPackage(root + ".diagnosis..")
                        .and(not(nameStartingWith(root + ".diagnosis.evidence.cpu.MonitorClock"))))
                .should()
                .callCodeUnitWhere(DescribedPredicate.describe(
                        "the wall clock is read", call -> readsWallClock(call.getTarget())));
    }

    ArchRule hotPathNeitherLogsNorCaches() {
        return noClasses()
                .that(resideInAnyPackage(hotPath()))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.slf4j..", "java.util.logging..", "com.github.benmanes.caffeine..");
    }

    ArchRule hotPathReadsNoWallClock() {
        return noClasses()
                .that(resideInAnyPackage(hotPath()))
                .should()
                .callCodeUnitWhere(DescribedPredicate.describe(
                        "the wall clock is read", call -> readsWallClock(call.getTarget())));
    }

    /** The {@code exported} packages show no type that a user of the module cannot name. */
    ArchRule signaturesShowOnly(Set<String> exported) {
        return classes()
                .that(resideInAnyPackage(exported.toArray(String[]::new)))
                .should(new ShowOnlyExportedTypes(root, exported));
    }

    private ArchRule roomUsesOnly(String room, String... others) {
        return roomUsesOnly(room, new String[0], others);
    }

    private ArchRule roomUsesOnly(String room, String[] libraries, String... others) {
        String[] allowed = Stream.of(
                        Stream.of(JDK),
                        Stream.of(libraries),
                        Stream.of(others).map(root::concat),
                        Stream.of(root + room))
                .flatMap(Function.identity())
                .toArray(String[]::new);
        return classes()
                .that(resideInAPackage(root + room))
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(allowed));
    }

    private String[] hotPath() {
        return new String[] {root + ".queue", root + ".os", root + ".measure"};
    }

    private static boolean readsWallClock(CodeUnitCallTarget target) {
        JavaClass owner = target.getOwner();
        return (owner.isEquivalentTo(System.class) && target.getName().equals("currentTimeMillis"))
                || (owner.isEquivalentTo(Clock.class) && target.getName().startsWith("system"))
                || (owner.isEquivalentTo(Date.class)
                        && target.getName().equals("<init>")
                        && target.getRawParameterTypes().isEmpty())
                || (owner.getPackageName().equals("java.time")
                        && target.getName().equals("now"));
    }

    private static String outermost(JavaClass type) {
        return type.getEnclosingClass().map(Rooms::outermost).orElse(type.getName());
    }

    private static SliceAssignment slices(
            String description, Predicate<JavaClass> included, Function<JavaClass, String> slice) {
        return new SliceAssignment() {
            @Override
            public SliceIdentifier getIdentifierOf(JavaClass type) {
                return included.test(type) ? SliceIdentifier.of(slice.apply(type)) : SliceIdentifier.ignore();
            }

            @Override
            public String getDescription() {
                return description;
            }
        };
    }
}
