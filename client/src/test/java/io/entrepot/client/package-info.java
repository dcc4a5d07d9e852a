@NullMarked
package io.entrepot.client;

import org.jspecify.annotations.NullMarked;
