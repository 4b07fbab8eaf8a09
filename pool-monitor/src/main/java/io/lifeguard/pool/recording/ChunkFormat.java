package io.lifeguard.pool.recording;

import io.lifeguard.pool.recording.EventField.Form;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The format of flight recordings, as far as events of this library need it. Stateless.
 *
 * <p>A file is a sequence of chunks. A chunk is a header, events, one pool of texts, and the description of the types.
 * The format is the one of JDK 11 to 25, version 2.1, as {@code jdk.jfr.consumer} and JDK Mission Control read it.
 */
/*
 * The events are written here and not by jdk.jfr, for four reasons. The JDK can not write an event with an earlier
 * start time. Its events would go to every other recording as well. Its classes need not be there. And HotSpot ends the
 * process when its repository's disk is full.
 */
final class ChunkFormat {

    /** Bytes of the header. */
    private static final int HEADER = 68;

    private static final int METADATA_EVENT = 0;
    private static final int POOL_EVENT = 1;

    private static final long TICKS_PER_SECOND = 1_000_000_000;

    private static final int LONG = 10;
    private static final int INT = 11;
    private static final int DOUBLE = 12;
    private static final int BOOLEAN = 13;
    private static final int STRING = 14;
    private static final int LABEL = 20;
    private static final int DESCRIPTION = 21;
    private static final int CATEGORY = 22;
    private static final int TIMESPAN = 23;
    private static final int TIMESTAMP = 24;
    private static final int CONTENT_TYPE = 25;
    private static final int FIRST_EVENT = 100;

    private ChunkFormat() {}

    /** The number by which events of a type are known within a chunk. */
    @SuppressWarnings("EnumOrdinal") // each chunk says which number means which type
    static int number(EventType type) {
        return FIRST_EVENT + type.ordinal();
    }

    /** {@return the type of an event with that number} */
    @SuppressWarnings("EnumOrdinal") // the reverse of number()
    static EventType type(long number) {
        return EventType.values()[Math.toIntExact(number - FIRST_EVENT)];
    }

    /**
     * Writes one chunk.
     *
     * <p>The JDK reads all chunks of a file with the clock of the first one, and takes a text of an earlier chunk where
     * one has the same key. So all chunks of a file must count ticks from the same moment, and no key may come twice.
     *
     * @param startNanos when its first event ended, in nanoseconds since 1970
     * @param startTicks the same in ticks, which are nanoseconds from any moment
     * @param endNanos when its last event ended, in nanoseconds since 1970
     * @param firstKey key of its first text; each further text has the next key
     */
    static void write(
            OutputStream out,
            long startNanos,
            long startTicks,
            long endNanos,
            byte[] events,
            long firstKey,
            List<String> texts)
            throws IOException {
        ByteBuilder pool = pool(firstKey, texts);
        ByteBuilder metadata = metadata();
        long poolAt = HEADER + (long) events.length;
        long metadataAt = poolAt + pool.length();
        ByteBuilder header = new ByteBuilder();
        header.bigEndian('F' << 24 | 'L' << 16 | 'R' << 8, 4);
        header.bigEndian(2, 2); // version 2.1
        header.bigEndian(1, 2);
        header.bigEndian(metadataAt + metadata.length(), 8);
        header.bigEndian(poolAt, 8);
        header.bigEndian(metadataAt, 8);
        header.bigEndian(startNanos, 8);
        header.bigEndian(Math.max(0, endNanos - startNanos), 8);
        header.bigEndian(startTicks, 8);
        header.bigEndian(TICKS_PER_SECOND, 8);
        header.bigEndian(1, 4); // numbers are compressed
        out.write(header.toArray());
        out.write(events);
        out.write(pool.toArray());
        out.write(metadata.toArray());
    }

    private static ByteBuilder pool(long firstKey, List<String> texts) {
        ByteBuilder content = new ByteBuilder();
        content.compressed(POOL_EVENT);
        content.compressed(0L); // start
        content.compressed(0L); // duration
        content.compressed(0); // no pool before
        content.flag(false);
        content.compressed(texts.isEmpty() ? 0 : 1); // pools
        if (!texts.isEmpty()) {
            content.compressed(STRING);
            content.compressed(texts.size());
            long key = firstKey;
            for (String text : texts) {
                content.compressed(key++);
                content.text(text);
            }
        }
        ByteBuilder event = new ByteBuilder();
        event.sized(content);
        return event;
    }

    private static ByteBuilder metadata() {
        Texts texts = new Texts();
        ByteBuilder tree = new ByteBuilder();
        root().writeTo(tree, texts);
        ByteBuilder content = new ByteBuilder();
        content.compressed(METADATA_EVENT);
        content.compressed(0L); // start
        content.compressed(0L); // duration
        content.compressed(1); // number of this description
        content.compressed(texts.keys.size());
        texts.keys.keySet().forEach(content::text);
        content.append(tree);
        ByteBuilder event = new ByteBuilder();
        event.sized(content);
        return event;
    }

    private static Element root() {
        Element types = new Element("metadata");
        type(types, LONG, "long", null);
        type(types, INT, "int", null);
        type(types, DOUBLE, "double", null);
        type(types, BOOLEAN, "boolean", null);
        type(types, STRING, "java.lang.String", null);
        annotation(types, LABEL, "jdk.jfr.Label").add(field("value", STRING));
        annotation(types, DESCRIPTION, "jdk.jfr.Description").add(field("value", STRING));
        annotation(types, CATEGORY, "jdk.jfr.Category")
                .add(field("value", STRING).with("dimension", "1"));
        annotation(types, CONTENT_TYPE, "jdk.jfr.ContentType");
        unit(types, TIMESPAN, "jdk.jfr.Timespan");
        unit(types, TIMESTAMP, "jdk.jfr.Timestamp");
        for (EventType type : EventType.values()) {
            event(types, type);
        }
        Element region = new Element("region").with("locale", "en").with("gmtOffset", "0");
        return new Element("root").add(types).add(region);
    }

    private static Element type(Element types, int id, String name, @Nullable String parent) {
        Element type = new Element("class").with("name", name);
        if (parent != null) {
            type.with("superType", parent);
        }
        type.with("id", Integer.toString(id));
        types.add(type);
        return type;
    }

    private static Element annotation(Element types, int id, String name) {
        return type(types, id, name, "java.lang.annotation.Annotation");
    }

    /** An annotation that says what the numbers of a field mean. */
    private static void unit(Element types, int id, String name) {
        annotation(types, id, name)
                .add(field("value", STRING))
                .add(new Element("annotation").with("class", Integer.toString(CONTENT_TYPE)));
    }

    private static void event(Element types, EventType type) {
        Element event = type(types, number(type), type.eventName(), "jdk.jfr.Event")
                .add(annotated(LABEL, type.label()))
                .add(annotated(DESCRIPTION, type.description()))
                .add(new Element("annotation")
                        .with("class", Integer.toString(CATEGORY))
                        .with("value-0", EventType.CATEGORY));
        event.add(field("startTime", LONG).add(annotated(LABEL, "Start Time")).add(annotated(TIMESTAMP, "TICKS")));
        event.add(field("duration", LONG).add(annotated(LABEL, "Duration")).add(annotated(TIMESPAN, "TICKS")));
        for (EventField field : type.fields()) {
            Element element = field(field.name(), type(field.form()))
                    .add(annotated(LABEL, field.label()))
                    .add(annotated(DESCRIPTION, field.description()));
            if (field.form() == Form.TIMESPAN) {
                element.add(annotated(TIMESPAN, "NANOSECONDS"));
            }
            event.add(element);
        }
    }

    private static int type(Form form) {
        return switch (form) {
            case TEXT -> STRING;
            case FLAG -> BOOLEAN;
            case INT -> INT;
            case LONG, TIMESPAN -> LONG;
            case DOUBLE -> DOUBLE;
        };
    }

    private static Element field(String name, int type) {
        return new Element("field").with("name", name).with("class", Integer.toString(type));
    }

    private static Element annotated(int annotation, String value) {
        return new Element("annotation")
                .with("class", Integer.toString(annotation))
                .with("value", value);
    }

    /** The texts of a description, each once, in the order of their numbers. */
    private static final class Texts {
        private final Map<String, Integer> keys = new LinkedHashMap<>();

        int key(String text) {
            Integer next = keys.size();
            Integer known = keys.putIfAbsent(text, next);
            return known == null ? next : known;
        }
    }

    /** One element of the tree that describes the types. */
    private static final class Element {
        private final String name;
        private final Map<String, String> attributes = new LinkedHashMap<>();
        private final List<Element> children = new ArrayList<>();

        Element(String name) {
            this.name = name;
        }

        Element with(String attribute, String value) {
            attributes.put(attribute, value);
            return this;
        }

        Element add(Element child) {
            children.add(child);
            return this;
        }

        void writeTo(ByteBuilder out, Texts texts) {
            out.compressed(texts.key(name));
            out.compressed(attributes.size());
            attributes.forEach((key, value) -> {
                out.compressed(texts.key(key));
                out.compressed(texts.key(value));
            });
            out.compressed(children.size());
            children.forEach(child -> child.writeTo(out, texts));
        }
    }
}
