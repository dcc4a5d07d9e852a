package io.entrepot.pool.internal;

import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Directories of volumes that stay although they are empty. Immutable. */
final class ProtectedDirectories implements Predicate<String> {
    private final List<Pattern> patterns;

    ProtectedDirectories(List<String> globs) {
        this.patterns = globs.stream().map(ProtectedDirectories::pattern).toList();
    }

    private static Pattern pattern(String glob) {
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < glob.length(); i++) {
            if (glob.charAt(i) != '*') {
                regex.append(Pattern.quote(glob.substring(i, i + 1)));
            } else if (i + 1 < glob.length() && glob.charAt(i + 1) == '*') {
                regex.append(".*");
                i++;
            } else {
                regex.append("[^/]*");
            }
        }
        return Pattern.compile(regex.toString());
    }

    @Override
    public boolean test(String path) {
        return patterns.stream().anyMatch(pattern -> pattern.matcher(path).matches());
    }
}
