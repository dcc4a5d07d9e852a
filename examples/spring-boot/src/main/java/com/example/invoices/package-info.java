/** An application that takes invoices over HTTP and books each once. */
@NullMarked
package com.example.invoices;

import org.jspecify.annotations.NullMarked;
