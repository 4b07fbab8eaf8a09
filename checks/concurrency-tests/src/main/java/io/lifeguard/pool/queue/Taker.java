package io.lifeguard.pool.queue;

import java.util.Arrays;
import java.util.function.BooleanSupplier;

/** A consumer of numbered tasks that notes when it took each of them. Used by one thread, and read after its end. */
final class Taker {

    private final int[] taken; // by number: 1 for the task taken first, and so on; a sum where one was taken twice
    private int count;

    Taker(int tasks) {
        taken = new int[tasks];
    }

    /** A task with its place in the order of submission, from 0. */
    record Numbered(int number) implements Runnable {
        @Override
        public void run() {}
    }

    /** Takes tasks until the producer has ended and the queue is empty. */
    void takeAll(WorkQueue queue, BooleanSupplier isDone) {
        for (boolean last = false; !last; ) {
            last = isDone.getAsBoolean();
            for (Runnable task = queue.poll(); task != null; task = queue.poll()) {
                took(task);
            }
        }
    }

    void took(Runnable task) {
        taken[((Numbered) task).number()] += ++count;
    }

    /** How many different tasks it took. */
    int tasks() {
        return (int) Arrays.stream(taken).filter(place -> place > 0).count();
    }

    /** Whether it took its tasks in the order of their numbers, each once. */
    boolean isInOrder() {
        int places = 0;
        for (int place : taken) {
            if (place > 0 && place != ++places) {
                return false;
            }
        }
        return true;
    }
}
