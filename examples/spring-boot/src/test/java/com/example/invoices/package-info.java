@NullMarked
package com.example.invoices;

import org.jspecify.annotations.NullMarked;
