package io.lifeguard.pool.diagnosis.outside;

/** What the names of threads have in common. Stateless. */
final class ThreadNames {

    private ThreadNames() {}

    static boolean isNumbered(Thread thread) {
        return !withoutNumber(thread).equals(thread.getName());
    }

    static String withoutNumber(Thread thread) {
        String name = thread.getName();
        int end = name.length();
        while (end > 0 && Character.isDigit(name.charAt(end - 1))) {
            end--;
        }
        return name.substring(0, end);
    }
}
