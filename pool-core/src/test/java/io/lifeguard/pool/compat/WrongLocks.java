package io.lifeguard.pool.compat;

import static io.lifeguard.pool.compat.Wrong.pool;

import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Pools that hold a lock while the code of a user runs. */
final class WrongLocks {

    private static final LocksTest LOCKS = new LocksTest();

    private WrongLocks() {}

    static Stream<Wrong> all() {
        return Stream.of(
                pool(
                        "holds its monitor across execute, and so across the thread factory",
                        LOCKS::execute_factoryBlocks_othersUseThePool,
                        spec -> new HookedPool(spec) {
                            @Override
                            public synchronized void execute(Runnable task) {
                                super.execute(task);
                            }
                        }),
                pool(
                        "holds its monitor across execute, and so across the handler",
                        LOCKS::execute_handlerBlocks_othersUseThePool,
                        spec -> new HookedPool(spec) {
                            @Override
                            public synchronized void execute(Runnable task) {
                                super.execute(task);
                            }
                        }),
                pool(
                        "holds a lock across execute, and so across a task that its caller runs",
                        LOCKS::execute_callerRunsALongTask_othersUseThePool,
                        spec -> new HookedPool(spec) {
                            private final Semaphore lock = new Semaphore(1);

                            @Override
                            public void execute(Runnable task) {
                                lock.acquireUninterruptibly();
                                try {
                                    super.execute(task);
                                } finally {
                                    lock.release();
                                }
                            }
                        }),
                pool(
                        "holds a lock across execute, and so across the queue",
                        LOCKS::execute_offerOfTheQueueBlocks_othersUseThePool,
                        spec -> new HookedPool(spec) {
                            private final Object lock = new Object();

                            @Override
                            public void execute(Runnable task) {
                                synchronized (lock) {
                                    super.execute(task);
                                }
                            }
                        }),
                pool(
                        "holds its monitor across newTaskFor",
                        LOCKS::submit_newTaskForBlocks_othersUseThePool,
                        spec -> new HookedPool(spec) {
                            @Override
                            public synchronized void execute(Runnable task) {
                                super.execute(task);
                            }

                            @Override
                            public synchronized Future<?> submit(Runnable task) {
                                return super.submit(task);
                            }
                        }),
                pool("needs its own monitor", LOCKS::monitorOfThePool_heldByAUser_disturbsNobody, spec -> {
                    return new HookedPool(spec) {
                        @Override
                        public synchronized void execute(Runnable task) {
                            super.execute(task);
                        }
                    };
                }),
                pool(
                        "calls its hooks under its monitor",
                        LOCKS::monitorOfThePool_codeOfAUserRuns_isNotHeld,
                        spec -> new HookedPool(spec) {
                            @Override
                            protected synchronized void beforeExecute(Thread worker, Runnable task) {
                                super.beforeExecute(worker, task);
                            }
                        }),
                pool(
                        "cannot be executed on from within its thread factory",
                        new ThreadsTest()::userFactory_executesOnItsPool_isNotHeldUp,
                        spec -> new HookedPool(spec) {
                            private final Semaphore lock = new Semaphore(1);

                            @Override
                            public void execute(Runnable task) {
                                lock.acquireUninterruptibly();
                                try {
                                    super.execute(task);
                                } finally {
                                    lock.release();
                                }
                            }
                        }),
                pool("holds a lock while a task runs", LOCKS::execute_taskBlocks_othersUseThePool, RunsUnderLock::new),
                pool(
                        "holds a lock while a task waits",
                        LOCKS::execute_taskWaitsForAThreadThatExecutes_isNotHeldUp,
                        RunsUnderLock::new),
                pool("holds a lock while a hook runs", LOCKS::execute_hooksBlock_othersUseThePool, HooksUnderLock::new),
                pool(
                        "cannot be executed on from within a hook",
                        new HooksTest()::hooks_useTheirPool_areNotHeldUp,
                        HooksUnderLock::new));
    }

    private static final class RunsUnderLock extends HookedPool {

        RunsUnderLock(PoolSpec spec) {
            super(spec);
        }

        @Override
        public synchronized void execute(Runnable task) {
            super.execute(() -> {
                synchronized (this) {
                    task.run();
                }
            });
        }
    }

    private static final class HooksUnderLock extends HookedPool {

        private final Semaphore lock = new Semaphore(1);

        HooksUnderLock(PoolSpec spec) {
            super(spec);
        }

        @Override
        public void execute(Runnable task) {
            locked(() -> super.execute(task));
        }

        @Override
        protected void beforeExecute(Thread worker, Runnable task) {
            locked(() -> super.beforeExecute(worker, task));
        }

        @Override
        protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
            locked(() -> super.afterExecute(task, thrown));
        }

        /** Not reentrant; gives up when interrupted, so that the fixture can end it. */
        private void locked(Runnable action) {
            try {
                lock.acquire();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            try {
                action.run();
            } finally {
                lock.release();
            }
        }
    }
}
