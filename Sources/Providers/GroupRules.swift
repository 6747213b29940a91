/// Rules that filter and rename a provider's groups before they are stored in a session.
package struct GroupRules: Sendable, Equatable {
    /// Patterns for the provider's group names; `*` matches any text. Nil keeps all groups.
    package var keep: [String]?
    /// New names by the provider's names. Renamed groups are always kept.
    package var rename: [String: String]

    package init(keep: [String]? = nil, rename: [String: String] = [:]) {
        self.keep = keep
        self.rename = rename
    }

    /// Returns the distinct kept names in order, without empty ones.
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

    /// Compares byte for byte, in time at most proportional to the product of the lengths.
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
