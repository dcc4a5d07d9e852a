/** The pool: files of many tenants over many volumes, each handed to exactly one worker. */
@NullMarked
package io.entrepot.pool;

import org.jspecify.annotations.NullMarked;
