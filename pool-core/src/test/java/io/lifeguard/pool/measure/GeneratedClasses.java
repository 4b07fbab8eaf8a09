package io.lifeguard.pool.measure;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Makes empty classes at run time, each in a loader of its own. */
final class GeneratedClasses {

    private GeneratedClasses() {}

    /** A new class of this name that nothing but the result refers to. */
    static Class<?> define(String name) {
        byte[] bytes = bytesOf(name);
        return new ClassLoader(null) {
            Class<?> defined() {
                return defineClass(name, bytes, 0, bytes.length);
            }
        }.defined();
    }

    /** A class file: public class name extends Object, without members. See JVMS 4.1. */
    static byte[] bytesOf(String name) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(0xCAFEBABE);
            out.writeInt(52);
            out.writeShort(5);
            out.writeByte(7);
            out.writeShort(2);
            out.writeByte(1);
            out.writeUTF(name.replace('.', '/'));
            out.writeByte(7);
            out.writeShort(4);
            out.writeByte(1);
            out.writeUTF("java/lang/Object");
            out.writeShort(0x21);
            out.writeShort(1);
            out.writeShort(3);
            for (int i = 0; i < 4; i++) {
                out.writeShort(0);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
