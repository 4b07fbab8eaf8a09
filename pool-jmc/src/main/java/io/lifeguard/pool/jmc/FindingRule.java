package io.lifeguard.pool.jmc;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RunnableFuture;
import java.util.stream.Collectors;
import org.openjdk.jmc.common.item.IItemCollection;
import org.openjdk.jmc.common.item.IItemFilter;
import org.openjdk.jmc.common.item.ItemFilters;
import org.openjdk.jmc.common.item.ItemQueryBuilder;
import org.openjdk.jmc.common.unit.UnitLookup;
import org.openjdk.jmc.common.util.IPreferenceValueProvider;
import org.openjdk.jmc.common.util.TypedPreference;
import org.openjdk.jmc.flightrecorder.rules.IResult;
import org.openjdk.jmc.flightrecorder.rules.IResultValueProvider;
import org.openjdk.jmc.flightrecorder.rules.IRule;
import org.openjdk.jmc.flightrecorder.rules.ResultBuilder;
import org.openjdk.jmc.flightrecorder.rules.Severity;
import org.openjdk.jmc.flightrecorder.rules.TypedResult;
import org.openjdk.jmc.flightrecorder.rules.util.JfrRuleTopics;
import org.openjdk.jmc.flightrecorder.rules.util.RulesToolkit;

/**
 * Shows the recorded findings with one id, of all pools. Stateless.
 *
 * <p>The result has the highest severity that was recorded: critical scores 100, a warning 80, an information 40.
 * Mission Control calls a score from 75 on a warning, and from 25 on an information. A pool without the finding scores
 * 0. A recording without events of Lifeguard has no score.
 */
abstract class FindingRule implements IRule {

    private static final String PREFIX = "io.lifeguard.";
    private static final String NOTHING_RECORDED = "The recording has no events of Lifeguard.";
    private static final List<Double> SCORES = List.of(40.0, 80.0, 100.0);

    /** {@return the finding's id, or a name that no finding has} */
    abstract String id();

    /** {@return whether findings with this id are shown} */
    abstract boolean shows(String findingId);

    /** {@return which events the application shows beside the result} */
    abstract IItemFilter events();

    @Override
    public String getId() {
        return PREFIX + id();
    }

    @Override
    public String getTopic() {
        return JfrRuleTopics.THREADS;
    }

    @Override
    public Collection<TypedPreference<?>> getConfigurationAttributes() {
        return List.of();
    }

    @Override
    public Collection<TypedResult<?>> getResults() {
        return List.of(TypedResult.SCORE, TypedResult.ITEM_QUERY);
    }

    @Override
    public Map<String, RulesToolkit.EventAvailability> getRequiredEvents() {
        return Map.of();
    }

    @Override
    public RunnableFuture<IResult> createEvaluation(
            IItemCollection items, IPreferenceValueProvider preferences, IResultValueProvider results) {
        return new FutureTask<>(() -> evaluate(items, preferences));
    }

    private IResult evaluate(IItemCollection items, IPreferenceValueProvider preferences) {
        if (!RecordedFinding.areRecorded(items)) {
            return RulesToolkit.getNotApplicableResult(this, preferences, NOTHING_RECORDED);
        }
        List<RecordedFinding> findings = RecordedFinding.all(items).stream()
                .filter(finding -> shows(finding.id()))
                .toList();
        return findings.isEmpty() ? clear(preferences) : found(findings, preferences);
    }

    private IResult clear(IPreferenceValueProvider preferences) {
        return ResultBuilder.createFor(this, preferences)
                .setSeverity(Severity.OK)
                .setSummary("No pool had this finding.")
                .addResult(TypedResult.SCORE, UnitLookup.NUMBER_UNITY.quantity(0))
                .build();
    }

    private IResult found(List<RecordedFinding> findings, IPreferenceValueProvider preferences) {
        RecordedFinding worst = findings.get(0);
        double score = SCORES.get(worst.rank());
        int others = findings.size() - 1;
        return ResultBuilder.createFor(this, preferences)
                .setSeverity(Severity.get(score))
                .setSummary(headline(worst) + (others == 0 ? "" : " (and " + others + " more)"))
                .setExplanation(findings.stream().map(FindingRule::explanation).collect(Collectors.joining("\n\n")))
                .setSolution(findings.stream()
                        .map(finding -> finding.pool() + ": " + finding.advice())
                        .distinct()
                        .collect(Collectors.joining("\n")))
                .addResult(TypedResult.SCORE, UnitLookup.NUMBER_UNITY.quantity(score))
                .addResult(
                        TypedResult.ITEM_QUERY,
                        ItemQueryBuilder.fromWhere(ItemFilters.and(ItemFilters.type(RecordedFinding.EVENT), events()))
                                .select(RecordedFinding.POOL)
                                .select(RecordedFinding.SEVERITY)
                                .select(RecordedFinding.SUMMARY)
                                .build())
                .build();
    }

    private static String headline(RecordedFinding finding) {
        return finding.pool() + ": " + finding.summary();
    }

    private static String explanation(RecordedFinding finding) {
        StringBuilder text = new StringBuilder(headline(finding)).append('\n');
        text.append(finding.id())
                .append(", ")
                .append(finding.severity())
                .append(", from ")
                .append(finding.begin());
        text.append(finding.end() == null ? " to the end of the recording" : " to " + finding.end());
        append(text, "\n\nEvidence:\n", finding.evidence());
        append(text, "\n\nStack:\n", finding.stack());
        return text.toString();
    }

    private static void append(StringBuilder text, String title, String lines) {
        if (!lines.isBlank()) {
            text.append(title).append(lines.strip());
        }
    }
}
