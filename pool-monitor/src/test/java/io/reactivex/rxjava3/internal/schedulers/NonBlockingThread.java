package io.reactivex.rxjava3.internal.schedulers;

/** Has the name of the interface with which RxJava marks its threads. */
public interface NonBlockingThread {

    /** A thread as RxJava makes it. */
    final class Marked extends Thread implements NonBlockingThread {
        public Marked(Runnable task) {
            super(task, "RxComputationThreadPool-1");
            setDaemon(true);
        }
    }
}
