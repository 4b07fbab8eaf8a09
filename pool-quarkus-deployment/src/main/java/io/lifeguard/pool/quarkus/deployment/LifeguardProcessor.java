package io.lifeguard.pool.quarkus.deployment;

import io.lifeguard.pool.quarkus.LifeguardRecorder;
import io.quarkus.arc.deployment.AdditionalBeanBuildItem;
import io.quarkus.arc.deployment.SyntheticBeansRuntimeInitBuildItem;
import io.quarkus.deployment.Capabilities;
import io.quarkus.deployment.Capability;
import io.quarkus.deployment.IsLocalDevelopment;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.annotations.Consume;
import io.quarkus.deployment.annotations.ExecutionTime;
import io.quarkus.deployment.annotations.Record;
import io.quarkus.deployment.builditem.ExecutorBuildItem;
import io.quarkus.deployment.builditem.FeatureBuildItem;
import io.quarkus.deployment.builditem.ShutdownContextBuildItem;
import io.quarkus.deployment.builditem.SystemPropertyBuildItem;
import io.quarkus.deployment.metrics.MetricsCapabilityBuildItem;
import io.quarkus.devui.spi.page.CardPageBuildItem;
import io.quarkus.devui.spi.page.Page;
import io.quarkus.runtime.metrics.MetricsFactory;
import java.net.URI;
import java.util.Optional;
import org.eclipse.microprofile.config.ConfigProvider;

/** What the build of an application does for the extension. Stateless. */
public final class LifeguardProcessor {

    /** Made by Quarkus. */
    public LifeguardProcessor() {}

    @BuildStep
    FeatureBuildItem feature() {
        return new FeatureBuildItem("lifeguard");
    }

    /**
     * Otherwise the worker pool counts neither its tasks nor its busy threads. It is read once, before any other code.
     */
    @BuildStep
    SystemPropertyBuildItem counts() {
        return new SystemPropertyBuildItem("jboss.threads.eqe.statistics", "true");
    }

    /** The executor is a parameter because it must have been made before. */
    @BuildStep
    @Record(ExecutionTime.RUNTIME_INIT)
    @Consume(SyntheticBeansRuntimeInitBuildItem.class)
    void start(
            LifeguardRecorder recorder,
            ExecutorBuildItem executor,
            ShutdownContextBuildItem context,
            Capabilities capabilities) {
        recorder.start(context, capabilities.isPresent(Capability.AGROAL));
    }

    @BuildStep
    void beans(
            Capabilities capabilities,
            Optional<MetricsCapabilityBuildItem> metrics,
            BuildProducer<AdditionalBeanBuildItem> beans) {
        if (metrics.isPresent() && metrics.get().metricsSupported(MetricsFactory.MICROMETER)) {
            beans.produce(AdditionalBeanBuildItem.unremovableOf("io.lifeguard.pool.quarkus.LifeguardMeters"));
        }
        if (capabilities.isPresent(Capability.SMALLRYE_HEALTH)) {
            beans.produce(AdditionalBeanBuildItem.unremovableOf("io.lifeguard.pool.quarkus.LifeguardHealthCheck"));
        }
    }

    /** The card in the dev UI: it shows what the health check answers. */
    @BuildStep(onlyIf = IsLocalDevelopment.class)
    void card(Capabilities capabilities, BuildProducer<CardPageBuildItem> cards) {
        if (capabilities.isPresent(Capability.SMALLRYE_HEALTH)) {
            URI check = URI.create("/")
                    .resolve(folder("quarkus.http.root-path", "/"))
                    .resolve(folder("quarkus.http.non-application-root-path", "q"))
                    .resolve(folder("quarkus.smallrye-health.root-path", "health"))
                    .resolve("well");
            CardPageBuildItem card = new CardPageBuildItem();
            card.addPage(Page.externalPageBuilder("Findings")
                    .url(check.toString())
                    .isJsonContent()
                    .icon("font-awesome-solid:life-ring"));
            cards.produce(card);
        }
    }

    private static String folder(String property, String otherwise) {
        String path = ConfigProvider.getConfig()
                .getOptionalValue(property, String.class)
                .orElse(otherwise);
        return path.endsWith("/") ? path : path + '/';
    }
}
