package io.entrepot.bench.queue.peers;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * One connection to Redis, in version 2 of its protocol: a command is a list of words, and an answer is a text, a number or
 * a list of answers. An error as an answer is an exception. Use from one thread at a time.
 */
final class RespConnection implements AutoCloseable {

    private final Socket socket;
    private final DataInputStream input;
    private final OutputStream output;

    RespConnection(InetSocketAddress address) throws IOException {
        socket = new Socket(address.getAddress(), address.getPort());
        socket.setTcpNoDelay(true);
        input = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        output = new BufferedOutputStream(socket.getOutputStream());
    }

    /** Sends a command and waits for an answer that is a text or a number. */
    String ask(List<String> words) throws IOException {
        send(words);
        return text(line());
    }

    /** Sends a command and waits for an answer that is a list of texts. */
    List<String> askForList(List<String> words) throws IOException {
        send(words);
        String head = line();
        if (!head.startsWith("*")) {
            throw new IOException("Redis answered " + head + " where a list was expected");
        }
        int size = size(head);
        List<String> answers = new ArrayList<>(Math.max(0, size));
        while (answers.size() < size) {
            answers.add(text(line()));
        }
        return answers;
    }

    private void send(List<String> words) throws IOException {
        StringBuilder command = new StringBuilder("*" + words.size() + "\r\n");
        for (String word : words) {
            command.append('$').append(word.getBytes(StandardCharsets.UTF_8).length).append("\r\n").append(word)
                    .append("\r\n");
        }
        output.write(command.toString().getBytes(StandardCharsets.UTF_8));
        output.flush();
    }

    private String text(String head) throws IOException {
        return switch (head.isEmpty() ? ' ' : head.charAt(0)) {
            case '+', ':' -> head.substring(1);
            case '$' -> bytes(size(head));
            default -> throw new IOException("Redis answered " + head + " where a text or a number was expected");
        };
    }

    private String bytes(int size) throws IOException {
        if (size < 0) {
            throw new IOException("Redis answered with nothing where a text was expected");
        }
        byte[] bytes = new byte[size];
        input.readFully(bytes);
        if (!line().isEmpty()) {
            throw new IOException("Redis answered with a text longer than it said");
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static int size(String head) throws IOException {
        try {
            return Integer.parseInt(head.substring(1));
        } catch (NumberFormatException e) {
            throw new IOException("Redis answered with a size that is no number: " + head, e);
        }
    }

    /** The next line; one that says there was an error is thrown. */
    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = input.read(); next != '\n'; next = input.read()) {
            if (next < 0) {
                throw new EOFException("Redis closed the connection in the middle of an answer");
            }
            line.append((char) next);
        }
        String whole = line.toString().strip();
        if (whole.startsWith("-")) {
            throw new IOException("Redis refused: " + whole.substring(1));
        }
        return whole;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
