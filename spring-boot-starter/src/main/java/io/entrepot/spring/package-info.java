/** A pool for programs with Spring Boot: as a bean, with health and figures, and methods that are handed files. */
@NullMarked
package io.entrepot.spring;

import org.jspecify.annotations.NullMarked;
