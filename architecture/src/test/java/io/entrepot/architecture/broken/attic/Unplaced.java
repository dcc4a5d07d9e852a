package io.entrepot.architecture.broken.attic;

/** In a room that nobody has put on a floor, and in a package without nullness. */
public final class Unplaced {}
