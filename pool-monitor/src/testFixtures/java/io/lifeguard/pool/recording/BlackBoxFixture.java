package io.lifeguard.pool.recording;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;

/** Makes files of black boxes for tests of other packages. */
public final class BlackBoxFixture {

    private BlackBoxFixture() {}

    public static byte[] written(List<Observation> observations) throws IOException {
        BlackBox box = new BlackBox();
        observations.forEach(box::add);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        box.writeTo(out, Observations.START);
        return out.toByteArray();
    }
}
