package com.example.invoices;

import io.entrepot.pool.FileInfo;
import io.entrepot.spring.FileHandler;
import java.io.IOException;
import java.io.InputStream;
import org.springframework.stereotype.Component;

/** Books invoices as they come. */
@Component
class Booking {
    private final Ledger ledger;

    Booking(Ledger ledger) {
        this.ledger = ledger;
    }

    @FileHandler(tenant = "${invoices.tenant}", concurrencyString = "${invoices.concurrency:4}")
    void book(FileInfo invoice, InputStream content) throws IOException {
        long bytes = content.readAllBytes().length; // to its end, where it is compared with its checksum
        ledger.book(invoice.name().orElseGet(() -> invoice.key().toString()), bytes);
    }
}
