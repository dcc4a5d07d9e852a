/** The store on PostgreSQL: group commit in each process; one group at a time among all of them, or several that may run beside each other. */
@NullMarked
package io.entrepot.store.internal.postgres;

import org.jspecify.annotations.NullMarked;
