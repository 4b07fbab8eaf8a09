package io.lifeguard.pool.corpus.real.systems;

import io.lifeguard.pool.corpus.work.HttpService;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import org.eclipse.jetty.server.Server;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.Scheduler;
import org.quartz.SchedulerContext;
import org.quartz.SchedulerException;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;

/** Libraries with thread pools of their own, which only {@code lifeguard watch} can look at. */
final class UnknownPools {

    private UnknownPools() {}

    static List<RealSystem> all() {
        return List.of(
                RealSystem.named("jetty-eight-threads", "blocked-on-io")
                        .about("the few request threads of a small Jetty wait for a service of 30 ms, and 40 clients"
                                + " wait for them")
                        .at("JettyShop.load")
                        .cure("60 threads")
                        .forms(stage -> jetty(stage, 8), stage -> jetty(stage, 60)),
                RealSystem.named("quartz-synchronized-jobs", "lock-contention")
                        .about("the jobs of a Quartz scheduler of ten threads all call one synchronized method")
                        .at("Invoices.write")
                        .cure("without the lock")
                        .forms(stage -> quartz(stage, true), stage -> quartz(stage, false)));
    }

    private static void jetty(Stage stage, int threads) throws Exception {
        Server server = stage.keep(ThreadServers.jetty(HttpService.start(64), 30, false, threads));
        stage.clients(40, ThreadServers.port(server), "/price");
    }

    private static void quartz(Stage stage, boolean locked) throws SchedulerException {
        Properties settings = new Properties();
        settings.setProperty("org.quartz.threadPool.class", "org.quartz.simpl.SimpleThreadPool");
        settings.setProperty("org.quartz.threadPool.threadCount", "10");
        settings.setProperty("org.quartz.scheduler.skipUpdateCheck", "true");
        Scheduler scheduler = stage.keep(new StdSchedulerFactory(settings).getScheduler());
        scheduler.getContext().put("stage", stage);
        scheduler.getContext().put("locked", locked);
        for (int i = 0; i < 10; i++) {
            scheduler.scheduleJob(
                    JobBuilder.newJob(Invoices.class)
                            .withIdentity("invoices-" + i)
                            .build(),
                    TriggerBuilder.newTrigger()
                            .withSchedule(SimpleScheduleBuilder.simpleSchedule()
                                    .withIntervalInMilliseconds(100)
                                    .repeatForever())
                            .build());
        }
        scheduler.start();
    }

    /** A job; Quartz makes an object of it for each run. */
    public static final class Invoices implements Job {
        private static final Object PRINTER = new Object();
        private static final HttpService SERVICE = HttpService.start(64);

        @Override
        public void execute(JobExecutionContext context) throws JobExecutionException {
            try {
                SchedulerContext shared = context.getScheduler().getContext();
                write(shared.getBoolean("locked"));
                ((Stage) Objects.requireNonNull(shared.get("stage"))).countDone();
            } catch (SchedulerException e) {
                throw new JobExecutionException(e);
            }
        }

        private static void write(boolean locked) {
            if (locked) {
                synchronized (PRINTER) {
                    SERVICE.get(20);
                }
            } else {
                SERVICE.get(20);
            }
        }
    }
}
