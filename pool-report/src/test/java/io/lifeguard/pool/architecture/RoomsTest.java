package io.lifeguard.pool.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.lifeguard.pool.architecture.fixture.Harmless;
import io.lifeguard.pool.architecture.fixture.LeaksThroughMethod;
import io.lifeguard.pool.architecture.fixture.LeaksThroughSuperclass;
import io.lifeguard.pool.architecture.fixture.LeaksThroughTypeArgument;
import io.lifeguard.pool.architecture.fixture.UsesDiagnosis;
import io.lifeguard.pool.architecture.fixture.UsesWaitGraph;
import io.lifeguard.pool.architecture.fixture.diagnosis.ReadsInstant;
import io.lifeguard.pool.architecture.fixture.diagnosis.UsesRecorders;
import io.lifeguard.pool.architecture.fixture.diagnosis.UsesRule;
import io.lifeguard.pool.architecture.fixture.diagnosis.attention.PaysForFindings;
import io.lifeguard.pool.architecture.fixture.diagnosis.bottleneck.UsesCurve;
import io.lifeguard.pool.architecture.fixture.diagnosis.evidence.UsesFinding;
import io.lifeguard.pool.architecture.fixture.diagnosis.evidence.carrier.UsesLoops;
import io.lifeguard.pool.architecture.fixture.diagnosis.evidence.cpu.UsesStacks;
import io.lifeguard.pool.architecture.fixture.diagnosis.evidence.lock.UsesCarriers;
import io.lifeguard.pool.architecture.fixture.diagnosis.evidence.loop.UsesBreakdown;
import io.lifeguard.pool.architecture.fixture.diagnosis.evidence.stack.UsesLocks;
import io.lifeguard.pool.architecture.fixture.diagnosis.external.UsesOutside;
import io.lifeguard.pool.architecture.fixture.diagnosis.log.LogsFindings;
import io.lifeguard.pool.architecture.fixture.diagnosis.outside.UsesEvidence;
import io.lifeguard.pool.architecture.fixture.diagnosis.rules.LooksAtStacks;
import io.lifeguard.pool.architecture.fixture.diagnosis.seen.KnowsFindings;
import io.lifeguard.pool.architecture.fixture.diagnosis.shutdown.JudgesAtTheEnd;
import io.lifeguard.pool.architecture.fixture.diagnosis.sizing.UsesRules;
import io.lifeguard.pool.architecture.fixture.diagnosis.start.StartsMore;
import io.lifeguard.pool.architecture.fixture.diagnosis.system.ReadsStacks;
import io.lifeguard.pool.architecture.fixture.diagnosis.window.Chicken;
import io.lifeguard.pool.architecture.fixture.diagnosis.window.UsesSizing;
import io.lifeguard.pool.architecture.fixture.jfr.ReadsMeasurements;
import io.lifeguard.pool.architecture.fixture.jmx.ShowsMeasurements;
import io.lifeguard.pool.architecture.fixture.live.ServesFindings;
import io.lifeguard.pool.architecture.fixture.measure.Clocks;
import io.lifeguard.pool.architecture.fixture.measure.UsesQueue;
import io.lifeguard.pool.architecture.fixture.os.Logs;
import io.lifeguard.pool.architecture.fixture.queue.UsesMeasure;
import io.lifeguard.pool.architecture.fixture.recording.RecordsFindings;
import io.lifeguard.pool.architecture.fixture.report.LooksAtSizes;
import io.lifeguard.pool.architecture.fixture.report.drawing.ShowsFindings;
import io.lifeguard.pool.architecture.fixture.text.Prints;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.net.URL;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The rooms of the architecture keep to themselves, and each rule that says so can fail. */
class RoomsTest {

    private static final String ROOT = "io.lifeguard.pool";
    private static final JavaClasses OURS =
            new ClassFileImporter(Set.of(new ImportOption.DoNotIncludeTests())).importPackages(ROOT);

    private static final Set<String> MODULES = Set.of(ROOT, ROOT + ".monitor", ROOT + ".report");

    private static final String FIXTURE = Harmless.class.getPackageName();
    private static final JavaClasses OFFENDERS = new ClassFileImporter().importPackages(FIXTURE);

    @ParameterizedTest
    @MethodSource("rules")
    void rooms_ourClasses_keepTheRule(ArchRule rule) {
        rule.check(OURS);
    }

    @ParameterizedTest
    @MethodSource("offences")
    void rooms_classThatBreaksTheRule_isReported(ArchRule rule, Class<?> offender) {
        assertThat(rule.evaluate(OFFENDERS).getFailureReport().getDetails())
                .anySatisfy(line -> assertThat(line).contains(offender.getName()))
                .noneSatisfy(line -> assertThat(line).contains(Harmless.class.getName()));
    }

    /**
     * Why the cycles that are listed are left, docs/decisions.md says. A number that grows ties a class to more
     * classes.
     */
    @Test
    void classes_ofTheLibrary_formNoLargerCycleThanListed() {
        Map<String, Integer> listed = Map.of(ROOT, 9, ROOT + ".queue", 8, ROOT + ".diagnosis", 3);

        Map<String, Set<String>> cycles = ClassCycles.largest(OURS);

        assertThat(cycles.keySet()).as("packages with a cycle").isEqualTo(new TreeSet<>(listed.keySet()));
        cycles.forEach((room, cycle) ->
                assertThat(cycle).as("cycle in " + room).hasSizeLessThanOrEqualTo(listed.getOrDefault(room, 1)));
    }

    @Test
    void classes_thatFormACycle_areFound() {
        assertThat(ClassCycles.largest(OFFENDERS)).containsKey(Chicken.class.getPackageName());
    }

    static Stream<ArchRule> rules() throws IOException {
        Rooms rooms = new Rooms(ROOT);
        return Stream.of(
                rooms.packagesFormNoCycle(),
                rooms.queueUsesTheJdkOnly(),
                rooms.osUsesTheJdkOnly(),
                rooms.textUsesOsOnly(),
                rooms.measureUsesOsOnly(),
                rooms.poolUsesItsOwnModuleOnly(),
                rooms.classesOfNewRoomsFormNoCycle(),
                rooms.waitingGroupIsEnteredByThePolicyOnly(),
                rooms.windowUsesPoolAndTextOnly(),
                rooms.seenUsesWindowAndBelowOnly(),
                rooms.bottleneckUsesWindowAndBelowOnly(),
                rooms.sizingUsesBottleneckAndBelowOnly(),
                rooms.externalUsesPoolAndOsOnly(),
                rooms.outsideUsesExternalWindowAndBelowOnly(),
                rooms.systemUsesOsOnly(),
                rooms.cpuUsesPoolAndBelowOnly(),
                rooms.stackUsesCpuAndBelowOnly(),
                rooms.lockUsesStackAndBelowOnly(),
                rooms.loopUsesStackAndBelowOnly(),
                rooms.carrierUsesLockAndBelowOnly(),
                rooms.evidenceUsesItsRoomsAndBelowOnly(),
                rooms.recordingUsesWindowAndBelowOnly(),
                rooms.jfrUsesRecordingOnly(),
                rooms.jmxUsesDiagnosisAndRecordingOnly(),
                rooms.onlyJfrUsesTheFlightRecorder(),
                rooms.rulesUseWhatUsersRulesMayUse(),
                rooms.diagnosisDoesNotKnowItsRules(),
                rooms.drawingUsesRecordingOnly(),
                rooms.reportUsesMonitorDrawingAndLiveOnly(),
                rooms.liveUsesDrawingOnly(),
                rooms.nobodyUsesTheHttpServer(),
                rooms.starterUsesDiagnosisAndBelowOnly(),
                rooms.shutdownUsesPoolsAndPlacesOnly(),
                rooms.logUsesPoolsTextAndOsOnly(),
                rooms.attentionUsesCpuOutsideAndBelowOnly(),
                rooms.diagnosisAsksItsClock(),
                rooms.hotPathNeitherLogsNorCaches(),
                rooms.hotPathReadsNoWallClock(),
                rooms.signaturesShowOnly(exportedPackages()));
    }

    static Stream<Arguments> offences() {
        Rooms rooms = new Rooms(FIXTURE);
        return Stream.of(
                arguments(rooms.packagesFormNoCycle(), UsesMeasure.class),
                arguments(rooms.packagesFormNoCycle(), UsesQueue.class),
                arguments(rooms.queueUsesTheJdkOnly(), UsesMeasure.class),
                arguments(rooms.osUsesTheJdkOnly(), Logs.class),
                arguments(rooms.textUsesOsOnly(), Prints.class),
                arguments(rooms.measureUsesOsOnly(), UsesQueue.class),
                arguments(rooms.poolUsesItsOwnModuleOnly(), UsesDiagnosis.class),
                arguments(rooms.classesOfNewRoomsFormNoCycle(), Chicken.class),
                arguments(rooms.waitingGroupIsEnteredByThePolicyOnly(), UsesWaitGraph.class),
                arguments(rooms.windowUsesPoolAndTextOnly(), UsesSizing.class),
                arguments(rooms.seenUsesWindowAndBelowOnly(), KnowsFindings.class),
                arguments(rooms.bottleneckUsesWindowAndBelowOnly(), UsesCurve.class),
                arguments(rooms.sizingUsesBottleneckAndBelowOnly(), UsesRules.class),
                arguments(rooms.externalUsesPoolAndOsOnly(), UsesOutside.class),
                arguments(rooms.outsideUsesExternalWindowAndBelowOnly(), UsesEvidence.class),
                arguments(rooms.systemUsesOsOnly(), ReadsStacks.class),
                arguments(rooms.cpuUsesPoolAndBelowOnly(), UsesStacks.class),
                arguments(rooms.stackUsesCpuAndBelowOnly(), UsesLocks.class),
                arguments(rooms.lockUsesStackAndBelowOnly(), UsesCarriers.class),
                arguments(rooms.loopUsesStackAndBelowOnly(), UsesBreakdown.class),
                arguments(rooms.carrierUsesLockAndBelowOnly(), UsesLoops.class),
                arguments(rooms.evidenceUsesItsRoomsAndBelowOnly(), UsesFinding.class),
                arguments(rooms.recordingUsesWindowAndBelowOnly(), RecordsFindings.class),
                arguments(rooms.jfrUsesRecordingOnly(), ReadsMeasurements.class),
                arguments(rooms.jmxUsesDiagnosisAndRecordingOnly(), ShowsMeasurements.class),
                arguments(rooms.onlyJfrUsesTheFlightRecorder(), RecordsFindings.class),
                arguments(rooms.rulesUseWhatUsersRulesMayUse(), LooksAtStacks.class),
                arguments(rooms.diagnosisDoesNotKnowItsRules(), UsesRecorders.class),
                arguments(rooms.diagnosisDoesNotKnowItsRules(), UsesRule.class),
                arguments(rooms.drawingUsesRecordingOnly(), ShowsFindings.class),
                arguments(rooms.reportUsesMonitorDrawingAndLiveOnly(), LooksAtSizes.class),
                arguments(rooms.liveUsesDrawingOnly(), ServesFindings.class),
                arguments(rooms.nobodyUsesTheHttpServer(), ShowsFindings.class),
                arguments(rooms.starterUsesDiagnosisAndBelowOnly(), StartsMore.class),
                arguments(rooms.shutdownUsesPoolsAndPlacesOnly(), JudgesAtTheEnd.class),
                arguments(rooms.logUsesPoolsTextAndOsOnly(), LogsFindings.class),
                arguments(rooms.attentionUsesCpuOutsideAndBelowOnly(), PaysForFindings.class),
                arguments(rooms.diagnosisAsksItsClock(), ReadsInstant.class),
                arguments(rooms.hotPathNeitherLogsNorCaches(), Logs.class),
                arguments(rooms.hotPathReadsNoWallClock(), Clocks.ReadsMillis.class),
                arguments(rooms.hotPathReadsNoWallClock(), Clocks.ReadsInstant.class),
                arguments(rooms.hotPathReadsNoWallClock(), Clocks.ReadsDate.class),
                arguments(rooms.hotPathReadsNoWallClock(), Clocks.ReadsClock.class),
                arguments(rooms.signaturesShowOnly(Set.of(FIXTURE)), LeaksThroughMethod.class),
                arguments(rooms.signaturesShowOnly(Set.of(FIXTURE)), LeaksThroughSuperclass.class),
                arguments(rooms.signaturesShowOnly(Set.of(FIXTURE)), LeaksThroughTypeArgument.class));
    }

    private static Set<String> exportedPackages() throws IOException {
        Set<String> exported = new HashSet<>();
        Set<String> missing = new HashSet<>(MODULES);
        ClassLoader classPath = RoomsTest.class.getClassLoader();
        for (URL url : Collections.list(classPath.getResources("module-info.class"))) {
            try (InputStream in = url.openStream()) {
                ModuleDescriptor module = ModuleDescriptor.read(in);
                if (missing.remove(module.name())) {
                    module.exports().stream()
                            .filter(export -> !export.isQualified())
                            .forEach(export -> exported.add(export.source()));
                }
            }
        }
        assertThat(missing).as("modules that are not on the class path").isEmpty();
        return exported;
    }
}
