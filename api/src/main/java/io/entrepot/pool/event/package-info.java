/** What has happened in a pool, and those who are told. */
@NullMarked
package io.entrepot.pool.event;

import org.jspecify.annotations.NullMarked;
