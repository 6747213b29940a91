package import Config

/// A route that no request reaches, because an earlier one takes all of its requests.
package struct ShadowedRoute: Sendable, Hashable {
    /// Positions in the configuration.
    package let route: Int
    package let shadowedBy: Int
    package init(route: Int, shadowedBy: Int) {
        self.route = route
        self.shadowedBy = shadowedBy
    }
}

extension RouteTable {
    /// The routes that one earlier route covers wholly, by host, methods and path, in file order, each with the first that does.
    ///
    /// Exact for single routes: `/a/*` covers `/a/{id}`, `/**/b` covers `/a/**/b`. Several routes that only together cover a later
    /// one are not found. A route whose pattern cannot be compiled is passed over: other findings speak of it.
    package static func shadowedRoutes(_ routes: [RouteConfiguration], pathCase: PathCase) -> [ShadowedRoute] {
        let shapes = routes.map { RouteShape($0, ignoringCase: pathCase == .insensitive) }
        var shadowed: [ShadowedRoute] = []
        for (later, shape) in shapes.enumerated() {
            guard let shape else { continue }
            if let earlier = shapes[..<later].firstIndex(where: { $0?.covers(shape) ?? false }) {
                shadowed.append(ShadowedRoute(route: later, shadowedBy: earlier))
            }
        }
        return shadowed
    }
}

extension RoutePattern {
    /// True when the pattern takes nothing but a prefix (`/_gateway`) and what lies under it: the gateway answers all of that itself.
    /// False for a prefix that is no pattern.
    package func liesWithin(prefix: String) -> Bool {
        // Nearly every path begins otherwise; an escape may spell the same.
        if case .literal(let first)? = segments.first, !prefix.utf8.contains(UInt8(ascii: "%")),
            !first.elementsEqual(prefix.utf8.dropFirst().prefix { $0 != UInt8(ascii: "/") })
        {
            return false
        }
        guard let outer = try? RoutePattern(prefix + "/**") else { return false }
        return PathInclusion(of: segments, in: outer.segments).holds
    }
}

/// What a route takes, in the form that is compared. A class: every route is compared with every later one.
private final class RouteShape {
    let host: HostPattern?
    let methods: Set<String>
    let path: [RoutePattern.Segment]

    init?(_ route: RouteConfiguration, ignoringCase: Bool) {
        guard let pattern = try? RoutePattern(route.path) else { return nil }
        if let text = route.host {
            guard let host = try? HostPattern(text) else { return nil }
            self.host = host
        } else {
            host = nil
        }
        methods = Set(route.methods)
        path = pattern.segments.map { segment in
            guard ignoringCase, case .literal(let literal) = segment else { return segment }
            return .literal(literal.map(ASCII.lower))
        }
    }

    func covers(_ other: RouteShape) -> Bool {
        agreesAtTheBeginning(with: other.path) && coversHost(other) && coversMethods(other) && PathInclusion(of: other.path, in: path).holds
    }

    /// False where the path demands a beginning that the other does not. Most pairs of routes end here, before the costly part.
    private func agreesAtTheBeginning(with other: [RoutePattern.Segment]) -> Bool {
        for (index, segment) in path.enumerated() {
            guard case .literal = segment else { return true }
            if index >= other.count || other[index] != segment { return false }
        }
        return true
    }

    private func coversMethods(_ other: RouteShape) -> Bool {
        methods.isEmpty || (!other.methods.isEmpty && methods.isSuperset(of: other.methods))
    }

    private func coversHost(_ other: RouteShape) -> Bool {
        switch (host, other.host) {
        case (nil, _): true
        case (_, nil): false
        case (.exact(let name), .exact(let otherName)): name == otherName
        case (.exact, .suffix): false
        case (.suffix(let suffix), .exact(let name)): name.count > suffix.count && name.reversed().starts(with: suffix.reversed())
        case (.suffix(let suffix), .suffix(let otherSuffix)): otherSuffix.reversed().starts(with: suffix.reversed())
        }
    }
}

/// Decides whether every path of one pattern is a path of another, by running both as automata over whole segments.
private struct PathInclusion {
    private let inner: [RoutePattern.Segment]
    private let outer: [RoutePattern.Segment]
    /// Every literal of either pattern, the empty segment, and one that stands for all others.
    private let alphabet: [Symbol]

    private enum Symbol: Hashable {
        case literal([UInt8])
        case empty
        case other
    }

    /// A position in the inner pattern, with all positions the outer one may be in.
    private struct State: Hashable {
        let inner: Int
        let outer: Set<Int>
    }

    init(of inner: [RoutePattern.Segment], in outer: [RoutePattern.Segment]) {
        self.inner = inner
        self.outer = outer
        var symbols: Set<Symbol> = [.empty, .other]
        for case .literal(let literal) in inner + outer where !literal.isEmpty { symbols.insert(.literal(literal)) }
        alphabet = Array(symbols)
    }

    var holds: Bool {
        if outer == [.anyNumber] { return true }
        var seen: Set<State> = []
        var pending = Self.closure([0], inner).map { State(inner: $0, outer: Self.closure([0], outer)) }
        while let state = pending.popLast() {
            guard seen.insert(state).inserted else { continue }
            if state.inner == inner.count, !state.outer.contains(outer.count) { return false }
            for symbol in alphabet {
                let next = Self.closure(Self.step([state.inner], symbol, inner), inner)
                if next.isEmpty { continue }
                let outerNext = Self.closure(Self.step(state.outer, symbol, outer), outer)
                pending += next.map { State(inner: $0, outer: outerNext) }
            }
        }
        return true
    }

    /// A `**` may also take nothing.
    private static func closure(_ positions: Set<Int>, _ pattern: [RoutePattern.Segment]) -> Set<Int> {
        var result = positions
        for start in positions {
            var position = start
            while position < pattern.count, pattern[position] == .anyNumber {
                position += 1
                result.insert(position)
            }
        }
        return result
    }

    private static func step(_ positions: Set<Int>, _ symbol: Symbol, _ pattern: [RoutePattern.Segment]) -> Set<Int> {
        var result: Set<Int> = []
        for position in positions where position < pattern.count {
            switch pattern[position] {
            case .anyNumber: result.insert(position)
            case .one, .capture: if symbol != .empty { result.insert(position + 1) }
            case .literal(let literal):
                if symbol == (literal.isEmpty ? .empty : .literal(literal)) { result.insert(position + 1) }
            }
        }
        return result
    }
}
