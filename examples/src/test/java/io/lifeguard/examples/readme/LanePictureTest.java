package io.lifeguard.examples.readme;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifeguard.examples.readme.Lane.Span;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

final class LanePictureTest {

    /** Workers that are busy half of the time, for four seconds; the dispatcher runs or waits in the other half. */
    private static final List<Span> FIRST_HALVES = spans(0);

    private static final List<Span> SECOND_HALVES = spans(0.05);

    @ParameterizedTest
    @EnumSource(LanePicture.Theme.class)
    void svg_twoRuns_isAnXmlDocumentWithTheirNumbers(LanePicture.Theme theme) throws Exception {
        LanePicture picture = new LanePicture(
                lanes(new Lane("dispatcher", SECOND_HALVES, List.of())),
                lanes(new Lane("dispatcher", List.of(), SECOND_HALVES)));
        String svg = picture.svg(theme);
        Document document =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
        // 16 workers end 10 tasks a second each, and the dispatcher of the first run as many.
        assertThat(document.getElementsByTagName("title").item(0).getTextContent())
                .isEqualTo("The dispatcher runs tasks: 8 of 16 workers busy, 170 tasks per second."
                        + " The dispatcher waits: 8 of 16 workers busy, 160 tasks per second.");
        assertThat(document.getElementsByTagName("path").getLength()).isEqualTo(2 * 3 + 4);
    }

    private static List<Lane> lanes(Lane dispatcher) {
        List<Lane> lanes = new ArrayList<>(List.of(dispatcher));
        lanes.addAll(Collections.nCopies(LaneRun.WORKERS, new Lane("worker", FIRST_HALVES, List.of())));
        return lanes;
    }

    private static List<Span> spans(double offset) {
        return IntStream.range(0, 40)
                .mapToObj(i -> new Span(offset + i / 10.0, offset + i / 10.0 + 0.05))
                .toList();
    }
}
