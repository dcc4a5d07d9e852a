package com.example.invoices;

import io.entrepot.pool.FilePool;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.TenantId;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Takes invoices, and tells what was booked. An answer of 201 means that the invoice survives whatever happens now. */
@RestController
class InvoiceController {
    private final FilePool pool;
    private final Ledger ledger;
    private final TenantId tenant;

    InvoiceController(FilePool pool, Ledger ledger, @Value("${invoices.tenant}") String tenant) {
        this.pool = pool;
        this.ledger = ledger;
        this.tenant = new TenantId(tenant);
    }

    /** The name is its idempotency key: an invoice that is sent again is not a second one. */
    @PutMapping("/invoices/{name}")
    @ResponseStatus(HttpStatus.CREATED)
    Map<String, String> put(@PathVariable String name, InputStream body) throws IOException, InterruptedException {
        return Map.of("key", pool.files().write(tenant, NewFile.named(name).withIdempotencyKey(name), body).key()
                .toString());
    }

    @GetMapping("/invoices")
    Map<String, Long> booked() {
        return ledger.booked();
    }
}
