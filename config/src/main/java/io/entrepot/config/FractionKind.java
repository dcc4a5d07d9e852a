package io.entrepot.config;

import java.nio.file.Path;

final class FractionKind extends Kind<Double> {

    @Override
    public String description() {
        return "a number from 0 to 1";
    }

    @Override
    Double read(Object raw, Path directory) throws Unfit {
        double value = switch (raw) {
            case Double number -> number;
            case Long number -> number;
            default ->
                throw new Unfit("is not " + description(), raw instanceof String ? "write it without quotes" : "");
        };
        if (!(value >= 0 && value <= 1)) {
            throw new Unfit("is not " + description(), "");
        }
        return value;
    }

    @Override
    Object write(Double value) {
        return value;
    }
}
