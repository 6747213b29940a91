/// The part of a scope that names its object, without the kind of access.
enum ScopeStem {
    /// Scopes that differ only in `-r`/`-w`, `.read`/`.write` and the like have the same stem.
    static func of(_ scope: String) -> String {
        let lowered = scope.lowercased()
        for ending in ["-r", "-w", ".readwrite", ".read", ".write", ":readwrite", ":read", ":write", "_read", "_write", ".readonly"]
        where lowered.hasSuffix(ending) && lowered.count > ending.count {
            return String(lowered.dropLast(ending.count))
        }
        return lowered
    }
}
