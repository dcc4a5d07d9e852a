/** A pool in the process of a program with Spring Boot, on Java 25. */
@NullMarked
package io.entrepot.spring.embedded;

import org.jspecify.annotations.NullMarked;
