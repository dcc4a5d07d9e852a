@NullMarked
package io.entrepot.spring;

import org.jspecify.annotations.NullMarked;
