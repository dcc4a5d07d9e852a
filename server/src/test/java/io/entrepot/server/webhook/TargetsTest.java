package io.entrepot.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TargetsTest {

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.9.9.9", "0.0.0.0", "0.1.2.3", "169.254.169.254", "224.0.0.1",
            "255.255.255.255", "::1", "::", "fe80::1", "ff02::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1",
            "64:ff9b::a9fe:a9fe", "2002:7f00:1::"})
    void address_ofThisMachineOrItsLink_isLocal(String address) throws Exception {
        assertThat(Targets.isLocal(InetAddress.ofLiteral(address))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.1", "192.168.1.1", "172.16.0.1", "93.184.216.34", "fd00::1", "2001:db8::1",
            "64:ff9b::5db8:d822", "255.255.255.254"})
    void address_ofAnother_isNot(String address) throws Exception {
        assertThat(Targets.isLocal(InetAddress.ofLiteral(address))).isFalse();
    }

    @Test
    void refusal_saysWhichAddressAndWhichSetting() throws Exception {
        assertThat(new Targets(false).refusal(URI.create("http://localhost:80/"))).get().asString()
                .contains("localhost is ").contains("server.webhooks.allow-local");
        assertThat(new Targets(true).refusal(URI.create("http://localhost:80/"))).isEmpty();
        assertThat(new Targets(false).refusal(URI.create("http://10.1.2.3/"))).isEmpty();
        assertThatThrownBy(() -> new Targets(true).refusal(URI.create("http://nothing.invalid/")))
                .isInstanceOf(UnknownHostException.class);
    }
}
