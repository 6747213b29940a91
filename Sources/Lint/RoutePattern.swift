import Config

/// What a route matches, as far as one pattern can be told to lie inside another.
///
/// Sound, not complete: `covers` is true only when nothing reaches the other route; two routes that together cover a
/// third are not noticed.
struct RoutePattern: Sendable {
    private enum Segment: Sendable, Hashable {
        case literal(Substring)
        /// `*` and `{name}`.
        case one
        /// `**`
        case any
    }

    private let host: String?
    private let segments: [Segment]
    private let methods: Set<String>

    init(_ route: RouteConfiguration) {
        host = route.host.map(Self.foldedHost)
        methods = Set(route.methods)
        segments = route.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { segment in
            if segment == "**" { return .any }
            return segment == "*" || segment.hasPrefix("{") ? .one : .literal(segment)
        }
    }

    /// Lower case, without port and trailing dot.
    static func foldedHost(_ host: String) -> String {
        var name = host.lowercased()
        if !name.hasPrefix("["), let colon = name.firstIndex(of: ":") { name = String(name[..<colon]) }
        if let close = name.firstIndex(of: "]") { name = String(name[...close]) }
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }

    var coversEveryPathAndMethod: Bool { methods.isEmpty && Self.covers(segments, [.any]) }

    func covers(_ other: RoutePattern) -> Bool {
        guard methods.isEmpty || (!other.methods.isEmpty && other.methods.isSubset(of: methods)) else { return false }
        return coversHost(of: other) && Self.covers(segments, other.segments)
    }

    private func coversHost(of other: RoutePattern) -> Bool {
        guard let host else { return true }
        guard let otherHost = other.host else { return false }
        if host == otherHost { return true }
        guard host.hasPrefix("*.") else { return false }
        return otherHost.hasSuffix(host.dropFirst()) && otherHost.count > host.count - 1
    }

    /// Whether every path of `other` is one of `pattern`. Time and memory are bounded by the product of their lengths.
    private static func covers(_ pattern: [Segment], _ other: [Segment]) -> Bool {
        if case .literal(let left) = pattern.first, case .literal(let right) = other.first, left != right { return false }
        // Nobody writes a path this long; beyond it nothing is claimed.
        guard pattern.count <= 256, other.count <= 256 else { return false }
        // From the back: whether the rest of `pattern` covers each rest of `other`.
        var row = Array(repeating: false, count: other.count) + [true]
        for segment in pattern.reversed() {
            var next = Array(repeating: false, count: other.count + 1)
            for index in next.indices.reversed() {
                let following = index < other.count ? other[index] : nil
                switch (segment, following) {
                case (.any, nil): next[index] = row[index]
                case (.any, _): next[index] = row[index] || next[index + 1]
                case (.one, .one): next[index] = row[index + 1]
                case (.one, .literal(let text)): next[index] = !text.isEmpty && row[index + 1]
                case (.literal(let text), .literal(let same)): next[index] = text == same && row[index + 1]
                case (.one, _), (.literal, _): break
                }
            }
            row = next
        }
        return row[0]
    }

    /// Whether the path begins with the literal segments of `prefix`.
    func isUnder(prefix: String, ignoringCase: Bool) -> Bool {
        let wanted = prefix.split(separator: "/")
        guard segments.count >= wanted.count else { return false }
        return zip(segments, wanted).allSatisfy { segment, wanted in
            guard case .literal(let text) = segment else { return false }
            return ignoringCase ? text.lowercased() == wanted.lowercased() : text == wanted
        }
    }
}
