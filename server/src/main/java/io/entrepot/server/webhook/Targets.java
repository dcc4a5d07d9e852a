package io.entrepot.server.webhook;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * Where messages may go. Whoever may make webhooks could otherwise have this machine knock at its own doors, and at the one where
 * clouds hand out credentials to it. Private networks are allowed: that is where receivers are. Immutable.
 *
 * @param local also to this machine and its link
 */
record Targets(boolean local) {
    private static final Set<String> SCHEMES = Set.of("http", "https");

    /** @throws IllegalArgumentException if nothing can be sent there, whatever it resolves to */
    static URI parse(String text) {
        URI url;
        try {
            url = new URI(text);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("is not a URL: " + e.getReason(), e);
        }
        if (url.getScheme() == null || !SCHEMES.contains(url.getScheme()) || url.getHost() == null
                || url.getPort() > 65_535 || url.getPort() == 0) {
            throw new IllegalArgumentException("is a whole URL, as https://example.org/entrepot");
        }
        if (url.getRawUserInfo() != null || url.getRawFragment() != null) {
            throw new IllegalArgumentException("has no user, password or fragment: messages are signed instead");
        }
        if (text.length() > 2000) {
            throw new IllegalArgumentException("has at most 2000 characters");
        }
        return url;
    }

    /**
     * Why nothing is sent there now, if so. Asked before every message, as names can come to mean something else. Blocks its thread,
     * and the carrier of a virtual one, while the name is looked up.
     */
    Optional<String> refusal(URI url) throws UnknownHostException {
        String host = url.getHost();
        return Arrays.stream(InetAddress.getAllByName(host)).filter(address -> !local && isLocal(address)).findFirst()
                .map(address -> host + " is " + address.getHostAddress() + ", this machine or its link, and"
                        + " server.webhooks.allow-local is off");
    }

    static boolean isLocal(InetAddress address) {
        return address.isLoopbackAddress() || address.isAnyLocalAddress() || address.isLinkLocalAddress()
                || address.isMulticastAddress() || isOdd(address.getAddress())
                || embedded(address.getAddress()).filter(Targets::isLocal).isPresent();
    }

    /** 0.0.0.0/8 is this machine, 255.255.255.255 all on the link. */
    private static boolean isOdd(byte[] address) {
        return address.length == 4 && (address[0] == 0 || (address[0] & address[1] & address[2] & address[3]) == -1);
    }

    /** An IPv4 address in one of IPv6: 64:ff9b::/96 and 2002::/16. (Java itself takes ::ffff:0:0/96 for what it is.) */
    private static Optional<InetAddress> embedded(byte[] address) {
        if (address.length != 16) {
            return Optional.empty();
        }
        byte[] nat64 = {0, 0x64, (byte) 0xff, (byte) 0x9b, 0, 0, 0, 0, 0, 0, 0, 0};
        int from = Arrays.equals(address, 0, 12, nat64, 0, 12) ? 12 : address[0] == 0x20 && address[1] == 0x02 ? 2 : -1;
        try {
            return from < 0
                    ? Optional.empty()
                    : Optional.of(Inet4Address.getByAddress(Arrays.copyOfRange(address, from, from + 4)));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address", e);
        }
    }
}
