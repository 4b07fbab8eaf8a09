package io.lifeguard.pool.compat;

import static io.lifeguard.pool.compat.Wrong.pool;

import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Pools that accept what the JDK's refuses, or refuse it otherwise. */
final class WrongArguments {

    private static final ArgumentsTest CHECKS = new ArgumentsTest();

    private WrongArguments() {}

    static Stream<Wrong> all() {
        return Stream.of(
                pool(
                        "silently corrects a negative core",
                        CHECKS::constructor_negativeCore_isRefused,
                        spec -> new HookedPool(Specs.withSizes(spec, Math.max(0, spec.core()), spec.maximum()))),
                pool(
                        "silently corrects a maximum below one",
                        CHECKS::constructor_maximumBelowOne_isRefused,
                        spec -> new HookedPool(Specs.withSizes(spec, spec.core(), Math.max(1, spec.maximum())))),
                pool(
                        "silently raises the maximum to the core",
                        CHECKS::constructor_maximumBelowCore_isRefused,
                        spec -> new HookedPool(
                                Specs.withSizes(spec, spec.core(), Math.max(spec.core(), spec.maximum())))),
                pool(
                        "silently corrects a negative keep-alive",
                        CHECKS::constructor_negativeKeepAlive_isRefused,
                        spec -> new HookedPool(spec.keepAlive(Math.max(0, spec.keepAlive()), spec.unit()))),
                pool(
                        "makes a queue when there is none",
                        CHECKS::constructor_nullArgument_isRefused,
                        spec -> new HookedPool(
                                spec.queue() == null ? Specs.withQueue(spec, new LinkedBlockingQueue<>()) : spec)),
                pool(
                        "complains of null before it looks at numbers",
                        CHECKS::constructor_badNumberAndNull_complainsOfTheNumber,
                        spec -> {
                            Objects.requireNonNull(spec.handlerOrDefault());
                            return new HookedPool(spec);
                        }),
                pool("ignores null", CHECKS::execute_null_isRefusedAndNothingStarts, spec -> new HookedPool(spec) {
                    @Override
                    public void execute(Runnable task) {
                        if (task != null) {
                            super.execute(task);
                        }
                    }
                }),
                pool(
                        "asks the handler about null when it is shut down",
                        CHECKS::execute_nullWhenFullOrShutDown_isRefusedBeforeTheHandlerIsAsked,
                        spec -> new HookedPool(spec) {
                            @Override
                            public void execute(Runnable task) {
                                if (isShutdown()) {
                                    getRejectedExecutionHandler().rejectedExecution(task, this);
                                } else {
                                    super.execute(task);
                                }
                            }
                        }),
                pool(
                        "raises the maximum with the core",
                        CHECKS::setCorePoolSize_wrongNumber_isRefusedAndChangesNothing,
                        spec -> new HookedPool(spec) {
                            @Override
                            public void setCorePoolSize(int size) {
                                setMaximumPoolSize(Math.max(size, getMaximumPoolSize()));
                                super.setCorePoolSize(size);
                            }
                        }),
                pool(
                        "lowers the core with the maximum",
                        CHECKS::setMaximumPoolSize_wrongNumber_isRefusedAndChangesNothing,
                        spec -> new HookedPool(spec) {
                            @Override
                            public void setMaximumPoolSize(int size) {
                                setCorePoolSize(Math.min(size, getCorePoolSize()));
                                super.setMaximumPoolSize(size);
                            }
                        }),
                pool(
                        "keeps time in milliseconds",
                        CHECKS::setKeepAliveTime_anyUnit_isKeptExactly,
                        spec -> new HookedPool(spec) {
                            @Override
                            public void setKeepAliveTime(long time, TimeUnit unit) {
                                super.setKeepAliveTime(unit.toMillis(time), TimeUnit.MILLISECONDS);
                            }
                        }),
                pool(
                        "silently corrects a negative time",
                        CHECKS::setKeepAliveTime_wrongTime_isRefusedAndChangesNothing,
                        spec -> new HookedPool(spec) {
                            @Override
                            public void setKeepAliveTime(long time, TimeUnit unit) {
                                super.setKeepAliveTime(Math.max(0, time), unit);
                            }
                        }),
                pool(
                        "gives core threads a keep-alive when there is none",
                        CHECKS::allowCoreThreadTimeOut_noKeepAlive_isRefused,
                        spec -> new HookedPool(spec) {
                            @Override
                            public void allowCoreThreadTimeOut(boolean allow) {
                                if (getKeepAliveTime(TimeUnit.NANOSECONDS) == 0) {
                                    setKeepAliveTime(1, TimeUnit.SECONDS);
                                }
                                super.allowCoreThreadTimeOut(allow);
                            }
                        }),
                pool(
                        "wraps null factories and handlers",
                        CHECKS::setters_null_areRefusedAndChangeNothing,
                        spec -> new HookedPool(spec) {
                            @Override
                            public void setThreadFactory(ThreadFactory factory) {
                                super.setThreadFactory(work -> factory.newThread(work));
                            }

                            @Override
                            public void setRejectedExecutionHandler(RejectedExecutionHandler handler) {
                                super.setRejectedExecutionHandler(
                                        (task, pool) -> handler.rejectedExecution(task, pool));
                            }
                        }));
    }
}
