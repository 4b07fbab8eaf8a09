package io.lifeguard.pool.queue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.function.Predicate;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Throws an Error in the middle of the library: before the n-th call or allocation that the current thread comes to, as
 * if the stack or the memory had ended there. A loader of its own loads the library's classes with these sites.
 */
public final class Faults {

    private static final ThreadLocal<int[]> COUNTDOWN = ThreadLocal.withInitial(() -> new int[1]);
    private static final ThreadLocal<Runnable> MEANWHILE = new ThreadLocal<>();

    private Faults() {}

    /** The current thread gets an Error at the n-th site from now on. */
    public static void arm(int sites) {
        COUNTDOWN.get()[0] = sites;
    }

    /** The same, and right before the Error another thread seems to do something. */
    public static void arm(int sites, Runnable meanwhile) {
        MEANWHILE.set(meanwhile);
        arm(sites);
    }

    /** Ends it, and returns whether the Error was thrown. */
    public static boolean disarm() {
        int[] countdown = COUNTDOWN.get();
        boolean thrown = countdown[0] == 0;
        countdown[0] = 0;
        MEANWHILE.remove();
        return thrown;
    }

    /** Called before each call and each allocation. */
    public static void site() {
        int[] countdown = COUNTDOWN.get();
        if (countdown[0] > 0 && --countdown[0] == 0) {
            if (isInitialisingClass()) {
                countdown[0] = 1;
                return;
            }
            Runnable meanwhile = MEANWHILE.get();
            if (meanwhile != null) {
                MEANWHILE.remove();
                meanwhile.run(); // its own sites have no Error: the count is over
            }
            throw Thread.currentThread().getId() % 2 == 0
                    ? new OutOfMemoryError("test")
                    : new StackOverflowError("test");
        }
    }

    /** The JVM never tries again to initialise a class that failed, so such an Error is thrown at a later site. */
    private static boolean isInitialisingClass() {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getMethodName().equals("<clinit>")));
    }

    /** Loads the classes whose names begin with the prefix, with sites in those that are chosen. */
    public static ClassLoader loader(String prefix, Predicate<String> hasSites) {
        return new ClassLoader(Faults.class.getClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                if (!name.startsWith(prefix) || name.equals(Faults.class.getName())) {
                    return super.loadClass(name, resolve);
                }
                synchronized (getClassLoadingLock(name)) {
                    Class<?> loaded = findLoadedClass(name);
                    if (loaded != null) {
                        return loaded;
                    }
                    byte[] code = codeOf(name);
                    byte[] changed = hasSites.test(name) ? withSites(code) : code;
                    return defineClass(name, changed, 0, changed.length);
                }
            }
        };
    }

    private static byte[] codeOf(String name) throws ClassNotFoundException {
        String file = name.replace('.', '/') + ".class";
        try (InputStream in = Faults.class.getClassLoader().getResourceAsStream(file)) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] withSites(byte[] code) {
        ClassReader reader = new ClassReader(code);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access, String name, String descriptor, String signature, String[] exceptions) {
                        MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
                        return name.equals("<clinit>") || isWorkersFirstFrame(reader, name)
                                ? method
                                : new Sites(method);
                    }
                },
                0);
        return writer.toByteArray();
    }

    /**
     * The first frame of a worker's thread calls the executor's loop. The stack is empty there and a call allocates
     * nothing, so no Error can strike between the two. One thrown there would take a worker from the executor unseen.
     */
    private static boolean isWorkersFirstFrame(ClassReader reader, String method) {
        return reader.getClassName().endsWith("/PoolWorker") && method.equals("run");
    }

    /** Needs no memory, and no more stack than the acquisition that has just succeeded in the same frame. */
    private static boolean isRelease(String owner, String method) {
        return owner.startsWith("java/util/concurrent/locks/") && method.equals("unlock");
    }

    private static final class Sites extends MethodVisitor {

        Sites(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        private void site() {
            super.visitMethodInsn(Opcodes.INVOKESTATIC, Faults.class.getName().replace('.', '/'), "site", "()V", false);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            if (!isRelease(owner, name)) {
                site();
            }
            super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle handle, Object... arguments) {
            site();
            super.visitInvokeDynamicInsn(name, descriptor, handle, arguments);
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            if (opcode == Opcodes.ANEWARRAY) {
                site();
            }
            super.visitTypeInsn(opcode, type);
            if (opcode == Opcodes.NEW) {
                site(); // afterwards, because the stack map names the place of this very instruction
            }
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            if (opcode == Opcodes.NEWARRAY) {
                site();
            }
            super.visitIntInsn(opcode, operand);
        }
    }
}
