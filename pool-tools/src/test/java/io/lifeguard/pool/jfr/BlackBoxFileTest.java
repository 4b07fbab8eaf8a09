package io.lifeguard.pool.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.pool.diagnosis.window.Doing;
import io.lifeguard.pool.recording.BlackBoxFixture;
import io.lifeguard.pool.recording.EventField;
import io.lifeguard.pool.recording.EventType;
import io.lifeguard.pool.recording.Observation;
import io.lifeguard.pool.recording.Observations;
import io.lifeguard.pool.tools.recording.RecordingReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Category;
import jdk.jfr.Timespan;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** The file of a black box is a flight recording: the JDK reads it, and all observations come back. */
class BlackBoxFileTest {

    @TempDir
    Path directory;

    @Test
    void file_observationsOfEachType_areReadBackUnchanged() throws Exception {
        Path file = written(Observations.ofEachType());

        assertThat(RecordingReader.read(file)).containsExactlyElementsOf(Observations.ofEachType());
    }

    @Test
    void file_withoutObservations_isReadAsEmpty() throws Exception {
        assertThat(RecordingReader.read(written(List.of()))).isEmpty();
    }

    @Test
    void file_types_haveLabelsUnitsAndCategory() throws Exception {
        try (RecordingFile file = new RecordingFile(written(List.of()))) {
            for (EventType type : EventType.values()) {
                jdk.jfr.EventType read = file.readEventTypes().stream()
                        .filter(each -> each.getName().equals(type.eventName()))
                        .findFirst()
                        .orElseThrow();
                assertThat(read.getLabel()).isEqualTo(type.label());
                assertThat(read.getDescription()).isEqualTo(type.description());
                assertThat(read.getAnnotation(Category.class).value()).containsExactly(EventType.CATEGORY);
                for (EventField field : type.fields()) {
                    ValueDescriptor descriptor = read.getField(field.name());
                    assertThat(descriptor.getLabel()).isEqualTo(field.label());
                    assertThat(descriptor.getAnnotation(Timespan.class) != null)
                            .isEqualTo(field.form() == EventField.Form.TIMESPAN);
                }
            }
        }
    }

    @Test
    void file_toolOfTheJdk_printsEventsWithUnits() throws Exception {
        String text = JfrTool.run("print", written(Observations.ofEachType()));

        assertThat(text)
                .contains("io.lifeguard.Task {", "serviceTime = 25.0 ms", "queueWait = N/A", "doing = \"IDLE\"")
                .contains("id = \"lock-contention\"", "length = 1.00 s");
    }

    @Test
    void file_toolOfTheJdk_countsEvents() throws Exception {
        String text = JfrTool.run("summary", written(Observations.ofEachType()));

        assertThat(text.lines().map(line -> line.trim().split("\\s+")).filter(words -> words.length > 2))
                .anySatisfy(words -> assertThat(words).startsWith("io.lifeguard.Task", "2"))
                .anySatisfy(words -> assertThat(words).startsWith("io.lifeguard.Finding", "1"));
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void file_toolOfTheJdk_viewsEvents() throws Exception {
        Path file = written(Observations.ofEachType());

        assertThat(JfrTool.run("view", "io.lifeguard.Rejection", file)).contains("Reason", "ABORTED");
        assertThat(JfrTool.run("view", "--width", "300", "io.lifeguard.Finding", file))
                .contains("Recommended Size", "lock-contention");
    }

    @Test
    void file_observationsOfManySegments_keepTheirTimesAndTexts() throws Exception {
        List<Observation> all = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            long moment = Observations.START + i * 1_000_000_000L;
            all.add(new Observation.WorkerSample(moment, "pool " + i % 7, "w" + i, Doing.IDLE, "", "", ""));
        }

        assertThat(RecordingReader.read(written(all))).containsExactlyElementsOf(all);
    }

    private Path written(List<Observation> observations) throws Exception {
        Path file = directory.resolve("box.jfr");
        Files.write(file, BlackBoxFixture.written(observations));
        return file;
    }
}
