/** What bench and chaos share: disks that can be cut, filled and broken, child processes, the machine, reports. */
@NullMarked
package io.entrepot.lab;

import org.jspecify.annotations.NullMarked;
