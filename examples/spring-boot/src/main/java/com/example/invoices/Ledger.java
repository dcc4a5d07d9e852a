package com.example.invoices;

import java.util.Map;
import java.util.TreeMap;
import org.springframework.stereotype.Component;

/** What was booked. In memory here; a database with the file's key as its key in earnest. Safe for use by many threads. */
@Component
class Ledger {
    private final Map<String, Long> bytes = new TreeMap<>();
    private int bookings;

    synchronized void book(String invoice, long size) {
        bytes.put(invoice, size);
        bookings++;
    }

    synchronized Map<String, Long> booked() {
        return Map.copyOf(bytes);
    }

    /** How often something was booked, also if it was the same. */
    synchronized int bookings() {
        return bookings;
    }
}
