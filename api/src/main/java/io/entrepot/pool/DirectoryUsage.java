package io.entrepot.pool;

import java.util.Optional;

/** How many files a logical directory has, and by which rule it may have how many. */
public record DirectoryUsage(LogicalDirectory directory, long files, Optional<QuotaRule> rule) {}
