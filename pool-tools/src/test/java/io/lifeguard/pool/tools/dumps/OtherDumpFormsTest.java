package io.lifeguard.pool.tools.dumps;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Forms in which other programs than the JVM's own write what threads wait for. */
class OtherDumpFormsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "javacore",
                "javacore's classes",
                "ThreadInfo",
                "debugger",
                "VisualVM",
                "metrics",
                "Android",
                "Android before 5",
                "Hadoop",
                "JConsole",
                "JSON",
                "snake_case",
                "Spark"
            })
    void parse_otherForm_findsTheDeadlock(String form) {
        ThreadDumps dumps = ThreadDumps.parse(form, text(form));

        assertThat(dumps.doubts()).isEmpty();
        assertThat(dumps.deadlocks())
                .singleElement()
                .satisfies(circle -> assertThat(
                                circle.stream().map(DumpedThread::name).collect(Collectors.toSet()))
                        .isEqualTo(Set.of("a-1", "a-2")));
        assertThat(dumps.dumps().get(0).threads())
                .extracting(thread -> thread.stack().get(0).toString())
                .isEqualTo(List.of("com.example.A.run(A.java:1)", "com.example.A.run(A.java:2)"));
    }

    private static String text(String form) {
        return switch (form) {
            case "javacore" -> """
                    0SECTION       TITLE subcomponent dump routine
                    NULL           ===============================
                    1TIDATETIME    Date: 2026/02/10 at 09:30:11:224
                    0SECTION       LOCKS subcomponent dump routine
                    1LKDEADLOCK    Deadlock detected !!!
                    NULL           ---------------------
                    2LKDEADLOCKTHR  Thread "a-1" (0x0000000000A1)
                    0SECTION       THREADS subcomponent dump routine
                    NULL
                    3XMTHREADINFO      "a-1" J9VMThread:0x0000000000A1, omrthread_t:0x1, java/lang/Thread:0x2, state:B, prio=5
                    3XMTHREADINFO1            (native thread ID:0xB7A3, native priority:0x5, native policy:UNKNOWN)
                    3XMTHREADBLOCK     Blocked on: com/example/A@0x00000E1 Owned by: "a-2" (J9VMThread:0x0000000000A2)
                    3XMTHREADINFO3           Java callstack:
                    4XESTACKTRACE                at com/example/A.run(A.java:1(Compiled Code))
                    5XESTACKTRACE                   (entered lock: com/example/A@0x00000E2, entry count: 1)
                    NULL
                    3XMTHREADINFO      "a-2" J9VMThread:0x0000000000A2, omrthread_t:0x1, java/lang/Thread:0x2, state:B, prio=5
                    3XMTHREADBLOCK     Blocked on: com/example/A@0x00000E2 Owned by: "a-1" (J9VMThread:0x0000000000A1)
                    4XESTACKTRACE                at com/example/A.run(A.java:2)
                    5XESTACKTRACE                   (entered lock: com/example/A@0x00000E1, entry count: 1)
                    NULL
                    3XMTHREADINFO      Anonymous native thread
                    0SECTION       CLASSES subcomponent dump routine
                    """;
            case "javacore's classes" -> """
                    3XMTHREADINFO      "a-1" J9VMThread:0x0000000000A1, omrthread_t:0x1, java/lang/Thread:0x2, state:CW, prio=5
                    3XMTHREADBLOCK     Waiting on: java/lang/J9VMInternals$ClassInitializationLock@0x00E1 Owned by: <unowned> Initializing thread: "a-2" (J9VMThread:0x0000000000A2)
                    4XESTACKTRACE                at com/example/A.run(A.java:1)
                    3XMTHREADINFO      "a-2" J9VMThread:0x0000000000A2, omrthread_t:0x1, java/lang/Thread:0x2, state:CW, prio=5
                    3XMTHREADBLOCK     Waiting on: java/lang/J9VMInternals$ClassInitializationLock@0x00E2 Owned by: <unowned> Initializing thread: "a-1" (J9VMThread:0x0000000000A1)
                    4XESTACKTRACE                at com/example/A.run(A.java:2)
                    0SECTION       CLASSES subcomponent dump routine
                    """;
            case "Android" -> """
                    ----- pid 301 at 2026-03-02 10:00:00 -----
                    Cmd line: com.example
                    DALVIK THREADS (2):
                    "a-1" prio=5 tid=1 Blocked
                      | group="main" sCount=1 dsCount=0 flags=1 obj=0x71 self=0x7b
                      | held mutexes=
                      at com.example.A.run (A.java:1)
                    - waiting to lock <0x0734e62f> (a com.example.A) held by thread 2
                    "a-2" daemon prio=5 tid=2 Blocked
                      | group="main" sCount=1 dsCount=0 flags=1 obj=0x72 self=0x7c
                      at com.example.A.run(A.java:2)
                      - waiting to lock <0x0734e630> (a com.example.A) held by thread 1

                    ----- end 301 -----

                    ----- pid 302 at 2026-03-02 10:00:00 -----
                    DALVIK THREADS (2):
                    "main" prio=5 tid=1 Native
                      native: #00 pc 00000000000a1c88  /apex/lib64/libc.so (__epoll_pwait+8)
                      at android.os.MessageQueue.nativePollOnce(Native method)
                      at android.os.Looper.loop(Looper.java:130)
                    "Signal Catcher" daemon prio=5 tid=2 WaitingInMainSignalCatcherLoop
                      | group="system" sCount=0

                    ----- end 302 -----
                    """;
            case "Android before 5" -> """
                    DALVIK THREADS:
                    (mutexes: tll=0 tsl=0 tscl=0 ghl=0)
                    "a-1" prio=5 tid=1 MONITOR
                      | sysTid=628 nice=0 sched=0/0 cgrp=default handle=-1345006464
                      at com.example.A.run(A.java:1)
                      - waiting to lock <0x4064b388> (a com.example.A) held by threadid=9 (a-2)
                    "a-2" prio=5 tid=9 MONITOR
                      at com.example.A.run(A.java:2)
                      - waiting to lock <0x4064b378> (a com.example.A) held by tid=1 (a-1)
                    """;
            case "Hadoop" -> """
                    2026-03-02 10:00:00,001 INFO http.HttpServer2: x
                    Process Thread Dump: jsp requested
                    2 active threads
                    Thread 21 (a-1):
                      State: BLOCKED
                      Blocked count: 1
                      Waited count: 0
                      Blocked on com.example.A@1e1
                      Blocked by 22 (a-2)
                      Stack:
                        com.example.A.run(A.java:1)
                    Thread 22 (a-2):
                      State: BLOCKED
                      Blocked count: 1
                      Waited count: 0
                      Blocked on com.example.A@1e2
                      Blocked by 21 (a-1)
                      Stack:
                        com.example.A.run(A.java:2)
                    """;
            case "JConsole" -> """
                    Name: a-1
                    State: BLOCKED on com.example.A@1e1 owned by: a-2
                    Total blocked: 1  Total waited: 0

                    Stack trace:\s
                    com.example.A.run(A.java:1)
                       - locked com.example.A@1e2

                    Name: a-2
                    State: WAITING on java.util.concurrent.locks.ReentrantLock$NonfairSync@1e3 owned by: a-1
                    Total blocked: 1  Total waited: 0

                    Stack trace:\s
                    com.example.A.run(A.java:2)
                       - locked com.example.A@1e1
                    """;
            case "snake_case" -> """
                    [{"thread_name": "a-1", "thread_id": 21, "lock_name": "com.example.A@1e1", "lock_owner_id": 22,
                      "thread_state": "BLOCKED", "stack_trace": [{"class_name": "com.example.A", "method_name": "run",
                       "file_name": "A.java", "line_number": 1, "native_method": false}]},
                     {"thread_name": "a-2", "thread_id": 22, "lock_name": "com.example.A@1e2", "lock_owner_id": 21,
                      "thread_state": "BLOCKED", "stack_trace": [{"class_name": "com.example.A", "method_name": "run",
                       "file_name": "A.java", "line_number": 2, "native_method": false}]}]
                    """;
            case "Spark" -> """
                    [{"threadId": 21, "threadName": "a-1", "threadState": "BLOCKED",
                      "stackTrace": "com.example.A.run(A.java:1)\\n", "blockedByThreadId": 22,
                      "blockedByLock": "Lock(com.example.A@482})", "holdingLocks": []},
                     {"threadId": 22, "threadName": "a-2", "threadState": "BLOCKED",
                      "stackTrace": "com.example.A.run(A.java:2)\\n", "blockedByThreadId": 21,
                      "blockedByLock": "Lock(com.example.A@483})", "holdingLocks": ["Monitor(com.example.A@482})"]}]
                    """;
            case "ThreadInfo" -> """
                    "a-1" prio=5 Id=21 BLOCKED on com.example.A@1e1 owned by "a-2" Id=22
                    \tat com.example.A.run(A.java:1)
                    \t-  blocked on com.example.A@1e1
                    \t...

                    "a-2" prio=5 Id=22 BLOCKED on com.example.A@1e2 owned by "a-1" Id=21
                    \tat com.example.A.run(A.java:2)
                    \t-  blocked on com.example.A@1e2
                    \t...

                    """;
            case "debugger" -> """
                    "a-1@687" prio=5 tid=0x11 nid=NA waiting for monitor entry
                      java.lang.Thread.State: BLOCKED
                    \t blocks a-2@691
                    \t waiting for a-2@691 to release lock on <0x2d7> (a com.example.A)
                    \t  at com.example.A.run(A.java:1)
                    \t  - locked <0x2d6> (a com.example.A)

                    "a-2@691" prio=5 tid=0x12 nid=NA waiting for monitor entry
                      java.lang.Thread.State: BLOCKED
                    \t waiting for a-1@687 to release lock on <0x2d6> (a com.example.A)
                    \t  at com.example.A.run(A.java:2)
                    \t  - locked <0x2d7> (a com.example.A)
                    """;
            case "VisualVM" -> """
                    Full thread dump OpenJDK 64-Bit Server VM (17.0.12+7 mixed mode):

                    "a-1" - Thread t@21
                       java.lang.Thread.State: BLOCKED
                    \tat com.example.A.run(A.java:1)
                    \t- waiting to lock <1e1> (a com.example.A) owned by "a-2" t@22

                    "a-2" - Thread t@22
                       java.lang.Thread.State: BLOCKED
                    \tat com.example.A.run(A.java:2)
                    \t- waiting to lock <1e2> (a com.example.A) owned by "a-1" t@21
                    """;
            case "metrics" -> """
                    "a-1" id=21 state=BLOCKED
                        - waiting to lock <0x000001e1> (a com.example.A)
                         owned by a-2 id=22
                        at com.example.A.run(A.java:1)

                    "a-2" id=22 state=BLOCKED
                        - waiting to lock <0x000001e2> (a com.example.A)
                         owned by a-1 id=21
                        at com.example.A.run(A.java:2)
                    """;
            default -> """
                    {"threads": [
                      {"threadName": "a-1", "threadId": 21, "threadState": "BLOCKED",
                       "lockName": "com.example.A@1e1", "lockOwnerId": 22,
                       "stackTrace": [{"className": "com.example.A", "methodName": "run",
                                       "fileName": "A.java", "lineNumber": 1}]},
                      {"threadName": "a-2", "threadId": 22, "threadState": "BLOCKED",
                       "lockInfo": {"className": "com.example.A", "identityHashCode": 482}, "lockOwnerId": 21,
                       "stackTrace": [{"className": "com.example.A", "methodName": "run",
                                       "fileName": "A.java", "lineNumber": 2}]}
                    ]}
                    """;
        };
    }
}
