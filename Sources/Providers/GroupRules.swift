/// What becomes of a provider's group names before a session keeps them.
package struct GroupRules: Sendable, Equatable {
    /// Patterns of the provider's names, `*` for any text; nil keeps all.
    package var keep: [String]?
    /// New names by the provider's. What is renamed is kept.
    package var rename: [String: String]

    package init(keep: [String]? = nil, rename: [String: String] = [:]) {
        self.keep = keep
        self.rename = rename
    }

    /// The names to keep, in order, each once; empty ones are left out.
    package func applied(to names: [String]) -> [String] {
        var seen = Set<String>()
        var kept: [String] = []
        for name in names where !name.isEmpty {
            let result: String
            if let renamed = self.rename[name] {
                result = renamed
            } else if self.keep?.contains(where: { Self.matches(name, pattern: $0) }) ?? true {
                result = name
            } else {
                continue
            }
            if !result.isEmpty, seen.insert(result).inserted { kept.append(result) }
        }
        return kept
    }

    /// Compared byte for byte, in time that depends on the product of the lengths at most.
    package static func matches(_ name: String, pattern: String) -> Bool {
        let text = Array(name.utf8), pattern = Array(pattern.utf8)
        var index = 0, position = 0
        var star: (position: Int, index: Int)?
        while index < text.count {
            if position < pattern.count, pattern[position] == UInt8(ascii: "*") {
                star = (position, index)
                position += 1
            } else if position < pattern.count, pattern[position] == text[index] {
                index += 1
                position += 1
            } else if let last = star {
                star = (last.position, last.index + 1)
                position = last.position + 1
                index = last.index + 1
            } else {
                return false
            }
        }
        return pattern[position...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
