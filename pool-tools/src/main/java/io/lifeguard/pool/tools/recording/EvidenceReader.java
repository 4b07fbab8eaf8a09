package io.lifeguard.pool.tools.recording;

import io.lifeguard.pool.recording.JudgedWindow;
import io.lifeguard.pool.recording.Observation.WindowEvidence;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Reads the evidence of windows, in the order in which it was recorded. Not thread-safe. */
public final class EvidenceReader {

    /** Ten thousand workers take 2 MB. A damaged file must not use up the heap. */
    private static final int LONGEST = 64 << 20;

    private final Map<String, Base> bases = new HashMap<>(); // by pool

    /** Makes a reader at the beginning of a recording. */
    public EvidenceReader() {}

    /**
     * {@return the window that the evidence holds; empty at the end of a watch, and when the window cannot be read:
     * because the window that it builds on was lost, or another version wrote it}
     */
    public Optional<JudgedWindow> read(WindowEvidence evidence) {
        if (evidence.content().isEmpty()) {
            return Optional.empty();
        }
        byte[] dictionary = new byte[0];
        if (evidence.base().isPresent()) {
            Base base = bases.get(evidence.pool());
            if (base == null || base.number != evidence.base().getAsLong()) {
                return Optional.empty();
            }
            dictionary = base.text;
        }
        try {
            byte[] text = unpacked(evidence.content(), dictionary);
            if (evidence.base().isEmpty()) {
                bases.put(evidence.pool(), new Base(evidence.number(), text));
            }
            return Optional.of(RecordParser.read(new String(text, StandardCharsets.UTF_8), JudgedWindow.class));
        } catch (DataFormatException | IllegalArgumentException ignored) { // the caller counts what cannot be read
            return Optional.empty();
        }
    }

    private static byte[] unpacked(String content, byte[] dictionary) throws DataFormatException {
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(Base64.getDecoder().decode(content));
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            byte[] buffer = new byte[4096];
            while (!inflater.finished()) {
                int length = inflater.inflate(buffer);
                if (length == 0 && inflater.needsDictionary()) {
                    inflater.setDictionary(dictionary);
                } else if (length == 0 || out.size() > LONGEST) {
                    throw new DataFormatException("the content is cut off, or longer than " + LONGEST + " bytes");
                }
                out.write(buffer, 0, length);
            }
            return out.toByteArray();
        } finally {
            inflater.end();
        }
    }

    /** The latest complete window of a pool. */
    @SuppressWarnings("ArrayRecordComponent") // they are never compared
    private record Base(long number, byte[] text) {}
}
