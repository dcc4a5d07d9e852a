package io.entrepot.bench.queue.peers;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** One connection to beanstalkd, for one tube. It knows no claim of many: a worker reserves one after the other. */
final class BeanstalkdLine implements Line {

    private static final int PAYLOAD = 60;
    private static final int PIPELINE = 500;
    private static final String PUT = "put 0 0 60 " + PAYLOAD + "\r\n" + "-".repeat(PAYLOAD);

    private final Socket socket;
    private final DataInputStream input;
    private final OutputStream output;

    BeanstalkdLine(InetSocketAddress address, String tube) throws IOException {
        socket = new Socket(address.getAddress(), address.getPort());
        socket.setTcpNoDelay(true);
        input = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        output = socket.getOutputStream();
        ask("use " + tube, "USING");
        ask("watch " + tube, "WATCHING");
        ask("ignore default", "WATCHING");
    }

    /** Puts so many items, without waiting for one answer after the other. */
    void put(int items) throws IOException {
        for (int left = items; left > 0; left -= PIPELINE) {
            int step = Math.min(left, PIPELINE);
            send((PUT + "\r\n").repeat(step));
            for (int i = 0; i < step; i++) {
                expect(line(), "INSERTED");
            }
        }
    }

    @Override
    public List<Long> claim(int tenant, int count) throws IOException {
        List<Long> ids = new ArrayList<>(count);
        while (ids.size() < count) {
            send("reserve-with-timeout 0\r\n");
            String answer = line();
            if (answer.equals("TIMED_OUT")) {
                break;
            }
            ids.add(reserved(expect(answer, "RESERVED")));
        }
        return ids;
    }

    /** The id of a job whose body follows. */
    private long reserved(String idAndSize) throws IOException {
        String[] parts = idAndSize.split(" ", -1);
        try {
            long id = Long.parseLong(parts[0]);
            input.readNBytes(Integer.parseInt(parts[1]));
            if (!line().isEmpty()) {
                throw new IOException("beanstalkd sent a body longer than it said");
            }
            return id;
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            throw new IOException("beanstalkd answered RESERVED " + idAndSize + ", without an id and a size", e);
        }
    }

    @Override
    public void finish(int tenant, List<Long> claimed) throws IOException {
        for (long id : claimed) {
            ask("delete " + id, "DELETED");
        }
    }

    private void ask(String command, String expected) throws IOException {
        send(command + "\r\n");
        expect(line(), expected);
    }

    private void send(String text) throws IOException {
        output.write(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** What comes after the word that was expected. */
    private static String expect(String answer, String word) throws IOException {
        if (!answer.equals(word) && !answer.startsWith(word + " ")) {
            throw new IOException("beanstalkd answered " + answer + " where " + word + " was expected");
        }
        return answer.substring(word.length()).strip();
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = input.read(); next != '\n'; next = input.read()) {
            if (next < 0) {
                throw new EOFException("beanstalkd closed the connection in the middle of an answer");
            }
            line.append((char) next);
        }
        return line.toString().strip();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
