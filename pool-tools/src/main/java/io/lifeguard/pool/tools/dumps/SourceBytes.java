package io.lifeguard.pool.tools.dumps;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Unpacks and decodes the bytes of a source. Stateless. */
final class SourceBytes {

    private static final int BEGIN = 64;

    /** An archive within an archive within an archive is deep enough. */
    private static final int DEEPEST = 3;

    private SourceBytes() {}

    /** Passes each text of a source to a reader: those of all entries of an archive, and otherwise one. */
    static void read(String name, InputStream bytes, TextSink sink) throws IOException {
        read(name, bytes, sink, 0);
    }

    private static void read(String name, InputStream bytes, TextSink sink, int depth) throws IOException {
        BufferedInputStream in = new BufferedInputStream(bytes);
        in.mark(BEGIN);
        byte[] begin = in.readNBytes(BEGIN);
        in.reset();
        if (depth < DEEPEST && begins(begin, 0x1f, 0x8b)) {
            read(name, new GZIPInputStream(in), sink, depth + 1);
        } else if (depth < DEEPEST && begins(begin, 'P', 'K', 3, 4)) {
            ZipInputStream zip = new ZipInputStream(in);
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                if (!entry.isDirectory()) {
                    read(name + "!" + entry.getName(), zip, sink, depth + 1);
                }
            }
        } else {
            sink.read(name, decoded(in, begin));
        }
    }

    /**
     * Decodes bytes by their byte order mark, as Windows writes it. Without a mark they are UTF-8, unless every second
     * byte, and no other, is zero.
     */
    private static Reader decoded(InputStream in, byte[] begin) throws IOException {
        Charset charset = StandardCharsets.UTF_8;
        int mark = 0;
        if (begins(begin, 0xff, 0xfe) || begins(begin, 0xfe, 0xff)) {
            charset = begin[0] == (byte) 0xff ? StandardCharsets.UTF_16LE : StandardCharsets.UTF_16BE;
            mark = 2;
        } else if (begins(begin, 0xef, 0xbb, 0xbf)) {
            mark = 3;
        } else if (zeros(begin, 0) > begin.length / 3 && zeros(begin, 1) == 0) {
            charset = StandardCharsets.UTF_16BE;
        } else if (zeros(begin, 1) > begin.length / 3 && zeros(begin, 0) == 0) {
            charset = StandardCharsets.UTF_16LE;
        }
        in.skipNBytes(mark);
        return new InputStreamReader(in, charset);
    }

    private static boolean begins(byte[] bytes, int... expected) {
        for (int i = 0; i < expected.length; i++) {
            if (i >= bytes.length || (bytes[i] & 0xff) != expected[i]) {
                return false;
            }
        }
        return true;
    }

    private static int zeros(byte[] bytes, int from) {
        int zeros = 0;
        for (int i = from; i < bytes.length; i += 2) {
            zeros += bytes[i] == 0 ? 1 : 0;
        }
        return zeros;
    }

    /** Reads one text. */
    @FunctionalInterface
    interface TextSink {
        void read(String name, Reader text) throws IOException;
    }
}
