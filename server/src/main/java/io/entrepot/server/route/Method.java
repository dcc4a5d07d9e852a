package io.entrepot.server.route;

/** What is done with what a path names. */
public enum Method {
    GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS
}
