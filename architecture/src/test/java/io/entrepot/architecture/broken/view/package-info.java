@NullMarked
package io.entrepot.architecture.broken.view;

import org.jspecify.annotations.NullMarked;
