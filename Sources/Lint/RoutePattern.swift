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

    var coversEveryPathAndMethod: Bool { methods.isEmpty && Self.covers(segments[...], [.any]) }

    func covers(_ other: RoutePattern) -> Bool {
        guard methods.isEmpty || (!other.methods.isEmpty && other.methods.isSubset(of: methods)) else { return false }
        return coversHost(of: other) && Self.covers(segments[...], other.segments[...])
    }

    private func coversHost(of other: RoutePattern) -> Bool {
        guard let host else { return true }
        guard let otherHost = other.host else { return false }
        if host == otherHost { return true }
        guard host.hasPrefix("*.") else { return false }
        return otherHost.hasSuffix(host.dropFirst()) && otherHost.count > host.count - 1
    }

    private static func covers(_ pattern: ArraySlice<Segment>, _ other: ArraySlice<Segment>) -> Bool {
        guard let first = pattern.first else { return other.isEmpty }
        switch first {
        case .any:
            if covers(pattern.dropFirst(), other) { return true }
            return !other.isEmpty && covers(pattern, other.dropFirst())
        case .one:
            switch other.first {
            case .one: return covers(pattern.dropFirst(), other.dropFirst())
            case .literal(let text): return !text.isEmpty && covers(pattern.dropFirst(), other.dropFirst())
            case .any, nil: return false
            }
        case .literal(let text):
            guard case .literal(text) = other.first else { return false }
            return covers(pattern.dropFirst(), other.dropFirst())
        }
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
