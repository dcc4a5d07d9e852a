package io.entrepot.bench.queue.peers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** One connection to Redis. A claim is one script, which Redis runs as a whole; a finish is one command. */
final class RedisLine implements Line {

    static final String READY = "ready";
    private static final String HELD = "held";

    private static final String CLAIM = """
                                        local ids = redis.call('LPOP', KEYS[1], ARGV[1])
                                        if not ids then return {} end
                                        for _, id in ipairs(ids) do redis.call('HSET', KEYS[2], id, ARGV[2]) end
                                        return ids
                                        """;

    private final RespConnection connection;
    private final String script;

    RedisLine(RespConnection connection) throws IOException {
        this.connection = connection;
        this.script = connection.ask(List.of("SCRIPT", "LOAD", CLAIM));
    }

    @Override
    public List<Long> claim(int tenant, int count) throws IOException {
        return connection.askForList(List.of("EVALSHA", script, "2", READY, HELD, "" + count, "bench")).stream()
                .map(Long::valueOf).toList();
    }

    @Override
    public void finish(int tenant, List<Long> claimed) throws IOException {
        List<String> command = new ArrayList<>(List.of("HDEL", HELD));
        claimed.forEach(id -> command.add("" + id));
        String gone = connection.ask(command);
        if (!gone.equals("" + claimed.size())) {
            throw new IOException("Redis removed " + gone + " of " + claimed);
        }
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
