@NullMarked
package io.entrepot.spring.embedded;

import org.jspecify.annotations.NullMarked;
