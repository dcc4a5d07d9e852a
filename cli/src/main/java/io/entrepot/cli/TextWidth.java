package io.entrepot.cli;

import java.util.List;

/** How many places a text takes on a terminal: names may be Chinese, carry accents or emoji. */
final class TextWidth {
    /** What takes two places: the blocks that matter in names, after the East Asian Width of Unicode. */
    private static final List<int[]> WIDE = List.of(new int[]{0x1100, 0x115F}, new int[]{0x2E80, 0x303E},
            new int[]{0x3041, 0xA4CF}, new int[]{0xAC00, 0xD7A3}, new int[]{0xF900, 0xFAFF},
            new int[]{0xFE30, 0xFE6F}, new int[]{0xFF00, 0xFF60}, new int[]{0xFFE0, 0xFFE6},
            new int[]{0x1F300, 0x1F64F}, new int[]{0x1F680, 0x1F6FF}, new int[]{0x1F900, 0x1FAFF},
            new int[]{0x20000, 0x3FFFD});

    private TextWidth() {}

    static int of(String text) {
        return text.codePoints().map(TextWidth::of).sum();
    }

    private static int of(int point) {
        int type = Character.getType(point);
        if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK || type == Character.FORMAT) {
            return 0;
        }
        return WIDE.stream().anyMatch(range -> point >= range[0] && point <= range[1]) ? 2 : 1;
    }

    /** On one line and no wider than that; an ellipsis says that something is missing. */
    static String cut(String text, int most) {
        String line = text.replaceAll("\\p{Cntrl}+", " ").strip();
        if (of(line) <= most) {
            return line;
        }
        StringBuilder kept = new StringBuilder();
        int width = 0;
        for (int point : line.codePoints().toArray()) {
            width += of(point);
            if (width > most - 1) {
                break;
            }
            kept.appendCodePoint(point);
        }
        return kept.append('…').toString();
    }
}
