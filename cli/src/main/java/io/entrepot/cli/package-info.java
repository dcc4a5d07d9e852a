/** The command line: {@link io.entrepot.cli.Main} runs one command per process. */
@NullMarked
package io.entrepot.cli;

import org.jspecify.annotations.NullMarked;
