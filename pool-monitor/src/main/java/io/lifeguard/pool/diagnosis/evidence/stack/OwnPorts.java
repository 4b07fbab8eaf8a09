package io.lifeguard.pool.diagnosis.evidence.stack;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the connections that a process has made, also those to a port of its own, from Linux' tables
 * {@code /proc/PID/net/tcp} and {@code tcp6}, see proc(5). Stateless. Nothing is found on other systems.
 */
public final class OwnPorts {

    private static final String LISTENS = "0A";
    private static final String ESTABLISHED = "01";
    private static final String NOT_ACCEPTED = "0"; // the number of a socket that no process has yet
    private static final String MAPPED = "0000000000000000FFFF0000"; // an address of IPv4 in a table of IPv6

    /** 20,000 descriptors: to read each of their links takes some 2 µs, and a look must not take longer than 50 ms. */
    private static final int MOST_SOCKETS = 20_000;

    private OwnPorts() {}

    /**
     * The connections of the process to one of its own ports.
     *
     * @param connections how many there are
     * @param unread on how many of them the process has not yet read what it sent itself; it may not have accepted them
     */
    public record Port(int connections, int unread) {

        Port and(Port other) {
            return new Port(connections + other.connections, unread + other.unread);
        }
    }

    private record Row(String local, String remote, String state, boolean isUnread, String socket) {

        int localPort() {
            return port(local);
        }

        int remotePort() {
            return port(remote);
        }

        private static int port(String address) {
            return Integer.parseInt(address.substring(address.indexOf(':') + 1), 16);
        }
    }

    /** What the tables say of the sockets of one process, and of those that belong to no process yet. */
    private record Table(List<Row> rows, Set<String> sockets, Set<Integer> ports) {

        static Table of(Path process) throws IOException {
            Set<String> sockets = OwnPorts.sockets(process.resolve("fd"));
            List<Row> rows = new ArrayList<>();
            read(process.resolve("net/tcp"), rows);
            read(process.resolve("net/tcp6"), rows);
            Set<Integer> ports = new HashSet<>();
            for (Row row : rows) {
                if (row.state.equals(LISTENS) && sockets.contains(row.socket)) {
                    ports.add(row.localPort());
                }
            }
            return new Table(rows, sockets, ports);
        }

        boolean isEstablished(Row row) {
            return row.state.equals(ESTABLISHED) && sockets.contains(row.socket);
        }
    }

    /**
     * {@return the connections of the process to each of its own ports; empty where it has none}
     *
     * @param process its directory, as {@code /proc/self}
     */
    public static Map<Integer, Port> of(Path process) {
        try {
            return connections(Table.of(process));
        } catch (IOException | RuntimeException ignored) { // not Linux, or another user's process
            return Map.of();
        }
    }

    /**
     * {@return how many connections the process has made, to itself or others, as those that it has accepted are not}
     */
    public static int outgoing(Path process) {
        try {
            Table table = Table.of(process);
            int count = 0;
            for (Row row : table.rows) {
                count += table.isEstablished(row) && !table.ports.contains(row.localPort()) ? 1 : 0;
            }
            return count;
        } catch (IOException | RuntimeException ignored) { // not Linux
            return 0;
        }
    }

    private static Map<Integer, Port> connections(Table table) {
        Map<String, Row> ends = new HashMap<>();
        for (Row row : table.rows) {
            if (!row.state.equals(LISTENS) && (table.sockets.contains(row.socket) || row.socket.equals(NOT_ACCEPTED))) {
                ends.put(row.local + '>' + row.remote, row);
            }
        }
        Map<Integer, Port> connections = new HashMap<>();
        for (Row row : ends.values()) {
            Row other = ends.get(row.remote + '>' + row.local);
            if (other != null && table.isEstablished(row) && table.ports.contains(row.remotePort())) {
                connections.merge(row.remotePort(), new Port(1, other.isUnread ? 1 : 0), Port::and);
            }
        }
        return connections;
    }

    private static void read(Path table, List<Row> rows) throws IOException {
        if (!Files.isReadable(table)) {
            return;
        }
        for (String line : Files.readAllLines(table)) {
            String[] words = line.trim().split("\\s+", -1);
            if (words.length > 9 && words[1].indexOf(':') > 0 && words[0].endsWith(":")) {
                boolean isUnread = !words[4].endsWith(":00000000"); // bytes in the queue of the receiver
                rows.add(new Row(address(words[1]), address(words[2]), words[3], isUnread, words[9]));
            }
        }
    }

    private static String address(String text) {
        return text.startsWith(MAPPED) ? text.substring(MAPPED.length()) : text;
    }

    private static Set<String> sockets(Path descriptors) throws IOException {
        Set<String> sockets = new HashSet<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(descriptors)) {
            for (Path each : all) {
                String target = target(each);
                if (target.startsWith("socket:[")) {
                    sockets.add(target.substring("socket:[".length(), target.length() - 1));
                }
                if (sockets.size() > MOST_SOCKETS) {
                    return sockets;
                }
            }
        }
        return sockets;
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException ignored) { // closed just now
            return "";
        }
    }
}
