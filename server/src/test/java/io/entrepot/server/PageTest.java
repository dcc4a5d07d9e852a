package io.entrepot.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The page of the description in a real browser, where there is one. */
@EnabledIf("thereIsABrowser")
class PageTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;
    @SuppressWarnings("NullAway.Init")
    private TestServer server;
    @SuppressWarnings("NullAway.Init")
    private Browser browser;

    static boolean thereIsABrowser() {
        return Browser.installed().isPresent();
    }

    @BeforeEach
    void start() throws Exception {
        server = new TestServer(directory.resolve("data"));
        browser = new Browser(Browser.installed().orElseThrow(), directory.resolve("profile"));
    }

    @AfterEach
    void stop() {
        browser.close();
        server.close();
    }

    private void open(String operation) throws Exception {
        browser.open(server.server().address() + "/v1/docs#" + operation);
        until("!!document.querySelector('#" + operation + " .trial')");
    }

    private void until(String condition) {
        await().atMost(Duration.ofSeconds(20)).ignoreExceptions().until(() -> browser.run(condition).asBoolean());
    }

    private void type(String where, String text) throws Exception {
        browser.run("(() => { const it = document.querySelector('" + where + "'); it.value = " + Answered.MAPPER
                .writeValueAsString(text) + "; it.dispatchEvent(new Event('input', { bubbles: true }));"
                + " it.dispatchEvent(new Event('change', { bubbles: true })); })()");
    }

    private String text(String where) throws Exception {
        return browser.run("document.querySelector('" + where + "').textContent").asText();
    }

    private void send(String operation) throws Exception {
        browser.run("document.querySelector('#" + operation + " .trial button').click()");
        until("!document.querySelector('#" + operation + " .trial button').disabled");
    }

    @Test
    void call_fromThePage_isMadeAndItsAnswerShown_andTheKeyIsShownNowhere() throws Exception {
        open("createTenant");
        send("createTenant");
        assertThat(text("#createTenant .status")).contains("needs a key");

        type("#key", server.admin());
        until("document.getElementById('who').textContent.includes('first admin')");
        type("#createTenant textarea", "{\"id\": \"it's-new\"}");
        send("createTenant");
        assertThat(text("#createTenant .status")).startsWith("400");
        assertThat(text("#createTenant .answer")).contains("\"code\": \"http.invalid-value\"");
        type("#createTenant textarea", "{\"id\": \"new\"}");
        send("createTenant");
        assertThat(text("#createTenant .status")).startsWith("201");
        assertThat(server.get("/v1/tenants/new").status()).isEqualTo(200);

        assertThat(text("#createTenant .curl")).contains("\"Authorization: Bearer $KEY\"", "-d '{\"id\": \"new\"}'");
        assertThat(browser.run("document.documentElement.outerHTML + location + document.cookie"
                + " + JSON.stringify(localStorage) + JSON.stringify(sessionStorage)").asText())
                .doesNotContain(server.admin());
        assertThat(browser.complaints()).as("only what was provoked").allMatch(each -> each.contains("status of 400"));
    }

    @Test
    void page_whenItIsNarrow_isNotWiderThanTheWindow_andDarkIfWanted() throws Exception {
        browser.resize(360, 700);
        open("storeFile");
        assertThat(browser.run("document.documentElement.scrollWidth").asInt()).isLessThanOrEqualTo(360);
        assertThat(background()).isGreaterThan(200);
        browser.prefer("dark");
        until("matchMedia('(prefers-color-scheme: dark)').matches");
        String dark = browser.run("getComputedStyle(document.querySelector('h1')).color").asText();
        assertThat(dark).as("light letters").contains("255");
        assertThat(browser.complaints()).isEmpty();
    }

    /** How bright the page is: of its default background, white where nothing is said. */
    private int background() throws Exception {
        String color = browser.run("getComputedStyle(document.documentElement).backgroundColor").asText();
        return color.equals("rgba(0, 0, 0, 0)") ? 255 : Integer.parseInt(color.replaceAll("\\D+(\\d+).*", "$1"));
    }

    @Test
    void search_leavesWhatHasTheWords() throws Exception {
        open("createTenant");
        type("#search", "leases complete");
        assertThat(browser.run("[...document.querySelectorAll('details:not([hidden])')].map(it => it.id).join(' ')")
                .asText()).contains("completeFiles").doesNotContain("createTenant");
    }
}
