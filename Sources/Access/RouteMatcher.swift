/// Finds the first route that matches a request.
///
/// Routes are compiled into flat memory, so that a search counts no references and allocates nothing. Its cost depends on the
/// number of path segments, not on the number of routes.
struct RouteMatcher: Sendable {
    let ignoringCase: Bool
    /// True if some pattern names a host.
    let usesHosts: Bool
    private let trie: PathTrie.Frozen
    private let methods: MethodTable.Frozen
    private let hosts: ByteTable.Frozen
    /// The root of the routes for every host.
    private let anyHost: UInt32
    private let builder: RouteMatcherBuilder

    init(_ builder: RouteMatcherBuilder) {
        self.builder = builder
        ignoringCase = builder.ignoringCase
        usesHosts = builder.usesHosts
        trie = PathTrie.Frozen(builder.trie)
        methods = MethodTable.Frozen(builder.methods)
        hosts = ByteTable.Frozen(builder.hosts)
        anyHost = builder.anyHost
    }

    /// The position of the first route that matches the request.
    func firstMatch(method: RawSpan, hostName: RawSpan, canonicalPath path: RawSpan) -> Int? {
        search(method: method, hostName: hostName, canonicalPath: path, steps: .max).route
    }

    /// The first route, and the remaining number of steps. The search itself reads through pointers: it is generic over what has the
    /// segments, and its state may not depend on a lifetime.
    func search(
        method: RawSpan, hostName: RawSpan, canonicalPath path: RawSpan, steps: Int
    ) -> (route: Int?, remainingSteps: Int) {
        method.withUnsafeBytes { method in
            hostName.withUnsafeBytes { hostName in
                path.withUnsafeBytes { search(method: method, hostName: hostName, canonicalPath: $0, steps: steps) }
            }
        }
    }

    @inline(__always)
    private func search(
        method: UnsafeRawBufferPointer, hostName: UnsafeRawBufferPointer, canonicalPath path: UnsafeRawBufferPointer, steps: Int
    ) -> (route: Int?, remainingSteps: Int) {
        let segments = RequestSegments(of: path, ignoringCase: ignoringCase)
        return trie.withSearch(for: segments, in: methods.selection(for: method), before: PathTrie.none, steps: steps) { search in
            if usesHosts {
                HostRoots(hosts: hosts.view, anyHost: anyHost).forEach(of: hostName) { search.search(from: $0) }
            } else {
                search.search(from: anyHost)
            }
            return (search.best == PathTrie.none ? nil : Int(search.best), search.remainingSteps)
        }
    }

    /// The position of the first route that matches every request of a shape, among the first `limit` routes.
    ///
    /// Does not find several routes that only together match all of them, nor any route after `steps` steps, which are
    /// counted down.
    func firstCover(of shape: RouteShape, before limit: Int, steps: inout Int) -> Int? {
        var numbering = builder.methods
        let cover = methods.cover(of: numbering.methods(shape.methods))
        let roots = HostRoots(hosts: hosts.view, anyHost: anyHost)
        let bound = UInt32(clamping: limit)
        let found = trie.withSearch(for: PatternSegments(segments: shape.path), in: cover, before: bound, steps: steps) { search in
            switch shape.host {
            case nil: search.search(from: anyHost)
            case .exact(let name): name.withUnsafeBytes { name in roots.forEach(of: name) { search.search(from: $0) } }
            case .suffix(let name): name.withUnsafeBytes { name in roots.forEach(ofSuffix: name) { search.search(from: $0) } }
            }
            steps = search.remainingSteps
            return search.best
        }
        return steps > 0 && found < bound ? Int(found) : nil
    }

    /// Returns whether some pattern matches this host.
    func knows(hostName: RawSpan) -> Bool {
        var isKnown = false
        hostName.withUnsafeBytes { hostName in
            HostRoots(hosts: hosts.view, anyHost: anyHost).forEach(of: hostName) { root in
                if !trie.isEmpty(root: root) { isKnown = true }
            }
        }
        return isKnown
    }
}

/// Compiles routes, in file order.
struct RouteMatcherBuilder: Sendable {
    let ignoringCase: Bool
    fileprivate var trie = PathTrie()
    fileprivate var methods = MethodTable()
    /// The roots of the host patterns.
    fileprivate var hosts = ByteTable()
    fileprivate let anyHost: UInt32
    fileprivate var usesHosts = false
    private var routeCount: UInt32 = 0

    init(ignoringCase: Bool) {
        self.ignoringCase = ignoringCase
        anyHost = trie.addRoot()
    }

    mutating func append(_ pattern: RoutePattern, host: String?, methods names: [String]) throws(RoutePatternError) {
        append(try RouteShape(pattern, host: host, methods: names, ignoringCase: ignoringCase))
    }

    mutating func append(_ shape: RouteShape) {
        let leaf = trie.insert(shape.path, root: root(of: shape.host), route: routeCount)
        methods.append(routeCount, methods.methods(shape.methods), leaf: leaf)
        routeCount += 1
    }

    private mutating func root(of host: HostPattern?) -> UInt32 {
        let name: [UInt8]
        let scope: UInt32
        switch host {
        case nil: return anyHost
        case .exact(let exact): (name, scope) = (exact, HostRoots.exactScope)
        case .suffix(let suffix): (name, scope) = (suffix, HostRoots.suffixScope)
        }
        usesHosts = true
        let hash = HostRoots.hash(name, scope: scope)
        let known = hosts.value(of: name, hash: hash, scope: scope)
        if known != 0 { return known }
        let root = trie.addRoot()
        hosts.insert(name, hash: hash, scope: scope, value: root)
        return root
    }
}

/// The roots of the trees for a host.
private struct HostRoots {
    static let exactScope: UInt32 = 0
    static let suffixScope: UInt32 = 1

    let hosts: ByteTable.ViewPointer
    let anyHost: UInt32

    /// Hashes from the last byte to the first, so that one pass from the end yields the hash of every suffix.
    static func hash(_ name: some BidirectionalCollection<UInt8>, scope: UInt32) -> ByteHash {
        var hash = ByteHash(scope: scope)
        for byte in name.reversed() { hash.add(ASCII.lower(byte)) }
        return hash
    }

    /// The roots for a host name: for every host, for this one, and for `*.name`.
    func forEach(of name: UnsafeRawBufferPointer, _ body: (UInt32) -> Void) {
        body(anyHost)
        let exact = hosts.pointee.value(of: name, hash: Self.hash(name, scope: Self.exactScope), scope: Self.exactScope, folding: true)
        if exact != 0 { body(exact) }
        suffixes(of: name, behind: 0, body)
    }

    /// The roots for the hosts that a pattern `*.name` matches, given as `.name`.
    func forEach(ofSuffix name: UnsafeRawBufferPointer, _ body: (UInt32) -> Void) {
        body(anyHost)
        suffixes(of: name, behind: -1, body)
    }

    /// Visits the suffixes of a name. `*` matches at least one label, so a suffix starts after the first byte.
    private func suffixes(of name: UnsafeRawBufferPointer, behind position: Int, _ body: (UInt32) -> Void) {
        var hash = ByteHash(scope: Self.suffixScope)
        for index in name.indices.reversed() where index > position {
            hash.add(ASCII.lower(name[index]))
            guard name[index] == UInt8(ascii: ".") else { continue }
            let suffix = UnsafeRawBufferPointer(rebasing: name[index...])
            let root = hosts.pointee.value(of: suffix, hash: hash, scope: Self.suffixScope, folding: true)
            if root != 0 { body(root) }
        }
    }
}

/// The host, methods and path that a route matches.
struct RouteShape: Sendable {
    /// Nil for every host.
    let host: HostPattern?
    /// Empty for every method.
    let methods: [String]
    /// Segments with literals in lower case if case is ignored.
    let path: [RoutePattern.Segment]

    init(_ pattern: RoutePattern, host: String?, methods: [String], ignoringCase: Bool) throws(RoutePatternError) {
        self.host = if let host { try HostPattern(host) } else { nil }
        self.methods = methods
        path =
            !ignoringCase
            ? pattern.segments
            : pattern.segments.map { segment in
                guard case .literal(let literal) = segment else { return segment }
                return .literal(literal.map(ASCII.lower))
            }
    }
}

extension String {
    /// Calls `body` with the UTF-8 bytes of the text, without a copy for native strings.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        var text = self
        return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
}
